"""Evaluates expressions and code in sandboxed interpreters outside this process."""

import asyncio
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Self

from pydantic_monty import CollectString, MontyError

from backend.engine.evaluation import NOT_EVALUATED, EvalRequest, Failure, Resolved
from backend.engine.json_values import NotJson, TooLarge, to_json
from backend.engine.python_text import ExpressionInvalid, parse_code
from workers.sandbox import failures
from workers.sandbox.limits import CODE_LIMITS, EXPRESSION_LIMITS, Limits
from workers.sandbox.pool import Pool
from workers.sandbox.program import PRELUDE, Program
from workers.sandbox.resolve import Question, answer, ask

#: More expressions than this go into several programs.
_PROGRAM_SIZE = 1000
#: Seconds after which a batch starts no further program: each that breaks its limit takes a second.
_BATCH_S = 2.0


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
        batch_seconds: float = _BATCH_S,
    ) -> None:
        self._batch_seconds = batch_seconds
        self._expressions = Pool(processes=processes, limits=expression_limits)
        self._code = Pool(processes=processes, limits=code_limits)
        self._code_threads = ThreadPoolExecutor(processes, thread_name_prefix="code")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def close(self) -> None:
        """Stop the interpreters; the evaluator cannot be used afterwards."""
        self._code_threads.shutdown(wait=False, cancel_futures=True)
        self._expressions.close()
        self._code.close()

    def warm_up(self) -> None:
        """Start an interpreter of each kind, so that the first step does not wait for it."""
        self.evaluate_batch([EvalRequest(config={"text": "{{ 0 }}"}, scope={})])
        self.run_code("0", {})

    def evaluate_batch(self, requests: Sequence[EvalRequest]) -> list[Resolved | Failure]:
        """Evaluate the expressions of many nodes' settings, in one call of an interpreter.

        A failing template is the answer of its request; a failing bare expression is left in
        its place in the settings. What is not reached in time is answered by `NOT_EVALUATED`.
        """
        until = time.monotonic() + self._batch_seconds
        asked = [ask(request) for request in requests]
        questions = [one for ask_ in asked for one in ask_.questions]
        values = iter(self._evaluate(questions, until))
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

    async def run_code_aside(self, code: str, scope: Mapping[str, Any]) -> Any | Failure:
        """Run code from an event loop; what waits for an interpreter takes no thread of others."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._code_threads, self.run_code, code, scope)

    def _evaluate(self, questions: Sequence[Question], until: float) -> list[Any | Failure]:
        """Evaluate in one program; halve it where a limit broke, to find what broke it."""
        if not questions:
            return []
        if time.monotonic() >= until:
            return [NOT_EVALUATED] * len(questions)
        if len(questions) <= _PROGRAM_SIZE:
            try:
                return self._run_program(questions)
            except (MontyError, TimeoutError) as error:
                if len(questions) == 1:
                    return [failures.of_expression(error, limits=self._expressions.limits)]
        middle = len(questions) // 2
        return [
            *self._evaluate(questions[:middle], until),
            *self._evaluate(questions[middle:], until),
        ]

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
