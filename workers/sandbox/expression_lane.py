"""Evaluates many expressions in few programs of a sandboxed interpreter."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic_monty import MontyError

from backend.engine.evaluation import NOT_EVALUATED, Failure
from workers.sandbox import failures
from workers.sandbox.checked import checked
from workers.sandbox.expression import Expression
from workers.sandbox.kept import Bench
from workers.sandbox.limits import Limits

#: More expressions than this go into several programs.
_PROGRAM_SIZE = 1000
#: What may be the doing of programs that ran in the same interpreter before.
_PERHAPS_OF_OTHERS = frozenset({"memory_limit", "sandbox_lost"})


@dataclass(frozen=True)
class Question:
    """One expression with the names that it may read."""

    expression: Expression
    scope: Mapping[str, Any]


class ExpressionLane:
    """The interpreters for expressions. They cannot leave anything behind: they only compute."""

    def __init__(self, *, processes: int, limits: Limits) -> None:
        self._limits = limits
        self._bench = Bench(processes=processes, limits=limits.deeper(1))

    @property
    def is_started(self) -> bool:
        """Whether an interpreter has been needed yet."""
        return self._bench.is_started

    def warm_up(self) -> None:
        """Start an interpreter."""
        with self._bench.interpreter():
            pass

    def close(self) -> None:
        """Stop the interpreters."""
        self._bench.close()

    def evaluate(self, questions: Sequence[Question], *, until: float) -> list[Any | Failure]:
        """Evaluate in one program what may share one, the rest each in its own.

        What is not reached by the instant `until` is answered by `NOT_EVALUATED`.
        """
        shared = [one for one in questions if not one.expression.is_private]
        values = iter(self._halve(shared, until))
        return [
            self._evaluate_alone(one, until) if one.expression.is_private else next(values)
            for one in questions
        ]

    def run_program(
        self, questions: Sequence[Question], *, alone: bool = False
    ) -> list[Any | Failure]:
        """Evaluate in one program, if need be in an interpreter that runs nothing else."""
        calls = [question.expression.call(question.scope) for question in questions]
        with self._bench.interpreter(alone=alone) as interpreter:
            ran = interpreter.run(calls)
        return [self._read(result) for result in ran.results]

    def _halve(self, questions: Sequence[Question], until: float) -> list[Any | Failure]:
        """Evaluate in one program; halve it where a limit broke, to find what broke it."""
        if not questions:
            return []
        if time.monotonic() >= until:
            return [NOT_EVALUATED] * len(questions)
        if len(questions) <= _PROGRAM_SIZE:
            try:
                return self.run_program(questions)
            except (MontyError, TimeoutError) as error:
                if len(questions) == 1:
                    failure = failures.of_expression(error, limits=self._limits)
                    perhaps_of_others = failure.code in _PERHAPS_OF_OTHERS
                    return [
                        self._evaluate_alone(questions[0], until) if perhaps_of_others else failure
                    ]
        middle = len(questions) // 2
        return [*self._halve(questions[:middle], until), *self._halve(questions[middle:], until)]

    def _evaluate_alone(self, question: Question, until: float) -> Any | Failure:
        if time.monotonic() >= until:
            return NOT_EVALUATED
        try:
            return self.run_program([question], alone=True)[0]
        except (MontyError, TimeoutError) as error:
            return failures.of_expression(error, limits=self._limits)

    def _read(self, result: list[Any]) -> Any | Failure:
        match result:
            case [True, value]:
                return checked(value, limits=self._limits)
            case [False, str(kind), str(message)]:
                return failures.raised(kind, message)
            case _:
                return Failure(code="sandbox_lost", message="The sandbox gave no answer.")
