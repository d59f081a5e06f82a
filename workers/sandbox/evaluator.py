"""Evaluates expressions and code in sandboxed interpreters outside this process."""

import threading
from collections.abc import Mapping, Sequence
from typing import Any, Self

from pydantic_monty import (
    CollectString,
    Monty,
    MontyError,
    MontySession,
)

from backend.engine.evaluation import EvalRequest, Failure, Resolved
from backend.engine.json_values import NotJson, TooLarge, to_json
from backend.engine.python_text import ExpressionInvalid, parse_code
from workers.sandbox import failures
from workers.sandbox.limits import CODE_LIMITS, EXPRESSION_LIMITS, OS_POLICY, Limits
from workers.sandbox.program import PRELUDE, Program
from workers.sandbox.resolve import Question, answer, ask

#: More expressions than this go into several programs.
_PROGRAM_SIZE = 1000
#: Seconds past the longest limit after which an interpreter that hangs is killed.
_BACKSTOP_S = 5.0
#: Seconds that a caller waits for a free interpreter.
_QUEUE_S = 60.0


class Evaluator:
    """A pool of interpreters; thread-safe, started at first use, to be closed at the end."""

    def __init__(
        self,
        *,
        processes: int = 2,
        expression_limits: Limits = EXPRESSION_LIMITS,
        code_limits: Limits = CODE_LIMITS,
    ) -> None:
        self._processes = processes
        self._expression_limits = expression_limits
        self._code_limits = code_limits
        self._lock = threading.Lock()
        self._pool: Monty | None = None
        self._closed = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def close(self) -> None:
        """Stop the interpreters; the evaluator cannot be used afterwards."""
        with self._lock:
            pool, self._pool, self._closed = self._pool, None, True
        if pool is not None:
            pool.__exit__(None, None, None)

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
        limits = limits or self._code_limits
        try:
            python = parse_code(code)
        except ExpressionInvalid as error:
            return Failure(code="code_syntax", message=f"This is no Python: {error}.")
        if python.names.problems:
            return Failure(code="code_name", message=f"{'; '.join(python.names.problems)}.")
        try:
            with self._checkout(limits) as session:
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
                    return [failures.of_expression(error, limits=self._expression_limits)]
        middle = len(questions) // 2
        return self._evaluate(questions[:middle]) + self._evaluate(questions[middle:])

    def _run_program(self, questions: Sequence[Question]) -> list[Any | Failure]:
        program = Program()
        for question in questions:
            program.add(code=question.python.code, scope=question.scope)
        with self._checkout(self._expression_limits) as session:
            results = session.feed_run(
                program.source, inputs=program.inputs, print_callback=CollectString()
            )
        return [self._read_result(result) for result in results]

    def _read_result(self, result: list[Any]) -> Any | Failure:
        match result:
            case [True, value]:
                return _checked(value, self._expression_limits)
            case [False, str(kind), str(message)]:
                return failures.raised(kind, message)
            case _:
                return Failure(code="sandbox_lost", message="The sandbox gave no answer.")

    def _checkout(self, limits: Limits) -> MontySession:
        return self._started().checkout(limits=limits.for_monty(), os_policy=OS_POLICY)

    def _started(self) -> Monty:
        with self._lock:
            if self._closed:
                raise RuntimeError("The evaluator is closed.")
            if self._pool is None:
                longest = max(self._expression_limits.seconds, self._code_limits.seconds)
                pool = Monty(
                    max_processes=self._processes,
                    checkout_timeout=_QUEUE_S,
                    request_timeout=longest + _BACKSTOP_S,
                    max_checkouts_per_worker=1000,
                )
                self._pool = pool.__enter__()
            return self._pool


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
