"""Evaluates expressions and code in sandboxed interpreters outside this process."""

from collections.abc import Mapping, Sequence
from typing import Any, Self

from pydantic_monty import CollectString, MontyError

from backend.engine.evaluation import EvalRequest, Failure, Resolved
from backend.engine.json_values import NotJson, TooLarge, to_json
from backend.engine.python_text import ExpressionInvalid, parse_code
from workers.sandbox import failures
from workers.sandbox.limits import CODE_LIMITS, EXPRESSION_LIMITS, Limits
from workers.sandbox.pool import Pool
from workers.sandbox.program import PRELUDE, Program
from workers.sandbox.resolve import Question, answer, ask

#: More expressions than this go into several programs.
_PROGRAM_SIZE = 1000


class Evaluator:
    """Evaluates for all threads of a process; started at first use, to be closed at the end.

    Expressions and code have interpreters of their own, so that long code holds up no scheduling.
    """

    def __init__(
        self,
        *,
        processes: int = 2,
        expression_limits: Limits = EXPRESSION_LIMITS,
        code_limits: Limits = CODE_LIMITS,
    ) -> None:
        self._expressions = Pool(processes=processes, limits=expression_limits)
        self._code = Pool(processes=processes, limits=code_limits)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def close(self) -> None:
        """Stop the interpreters; the evaluator cannot be used afterwards."""
        self._expressions.close()
        self._code.close()

    def warm_up(self) -> None:
        """Start an interpreter of each kind, so that the first step does not wait for it."""
        self.evaluate_batch([EvalRequest(config={"text": "{{ 0 }}"}, scope={})])
        self.run_code("0", {})

    def evaluate_batch(self, requests: Sequence[EvalRequest]) -> list[Resolved | Failure]:
        """Evaluate the expressions of many nodes' settings, in one call of an interpreter.

        A failing template is the answer of its request; a failing bare expression is left in
        its place in the settings.
        """
        asked = [ask(request) for request in requests]
        questions = [one for ask_ in asked for one in ask_.questions]
        values = iter(self._evaluate(questions))
        return [answer(ask_, [next(values) for _ in ask_.questions]) for ask_ in asked]

    def run_code(
        self, code: str, scope: Mapping[str, Any], *, limits: Limits | None = None
    ) -> Any | Failure:
        """Run a piece of code and give the value of its last expression, or a `Failure`."""
        limits = limits or self._code.limits
        try:
            python = parse_code(code)
        except ExpressionInvalid as error:
            return Failure(code="code_syntax", message=f"This is no Python: {error}.")
        if python.names.problems:
            return Failure(code="code_name", message=f"{'; '.join(python.names.problems)}.")
        try:
            with self._code.session(limits) as session:
                session.feed_run(PRELUDE, print_callback=CollectString())
                value = session.feed_run(
                    python.code, inputs=dict(scope), print_callback=CollectString()
                )
        except (MontyError, TimeoutError) as error:
            return failures.of_code(error, python=python, limits=limits)
        return _checked(value, limits)

    def _evaluate(self, questions: Sequence[Question]) -> list[Any | Failure]:
        """Evaluate in one program; halve it where a limit broke, to find what broke it."""
        if not questions:
            return []
        if len(questions) <= _PROGRAM_SIZE:
            try:
                return self._run_program(questions)
            except (MontyError, TimeoutError) as error:
                if len(questions) == 1:
                    return [failures.of_expression(error, limits=self._expressions.limits)]
        middle = len(questions) // 2
        return self._evaluate(questions[:middle]) + self._evaluate(questions[middle:])

    def _run_program(self, questions: Sequence[Question]) -> list[Any | Failure]:
        program = Program()
        for question in questions:
            program.add(code=question.python.code, scope=question.scope)
        with self._expressions.session() as session:
            results = session.feed_run(
                program.source, inputs=program.inputs, print_callback=CollectString()
            )
        return [self._read_result(result) for result in results]

    def _read_result(self, result: list[Any]) -> Any | Failure:
        match result:
            case [True, value]:
                return _checked(value, self._expressions.limits)
            case [False, str(kind), str(message)]:
                return failures.raised(kind, message)
            case _:
                return Failure(code="sandbox_lost", message="The sandbox gave no answer.")


def _checked(value: Any, limits: Limits) -> Any | Failure:
    try:
        return to_json(value, max_bytes=limits.output_bytes)
    except TooLarge as error:
        return Failure(code="output_limit", message=f"{_sentence(error)}")
    except NotJson as error:
        return Failure(code="not_json", message=_sentence(error))


def _sentence(error: Exception) -> str:
    text = str(error)
    return f"{text[:1].upper()}{text[1:]}."
