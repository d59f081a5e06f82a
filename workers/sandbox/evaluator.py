"""Evaluates expressions and code in sandboxed interpreters outside this process."""

import asyncio
import time
from collections.abc import Mapping, Sequence
from typing import Any, Self

from backend.engine.evaluation import EvalRequest, Failure, Resolved
from workers.sandbox.alone import run_alone
from workers.sandbox.code import Code, read_code
from workers.sandbox.code_lane import CodeLane
from workers.sandbox.delivery import Piece
from workers.sandbox.expression_lane import ExpressionLane, Question
from workers.sandbox.limits import CODE_LIMITS, EXPRESSION_LIMITS, Limits
from workers.sandbox.pool import Pool
from workers.sandbox.recipe import Recipe, Recipes
from workers.sandbox.references import MISSING, as_result

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
        self._output_bytes = expression_limits.output_bytes
        self._recipes = Recipes()
        self._expressions = ExpressionLane(processes=processes, limits=expression_limits)
        self._alone = Pool(processes=processes, limits=code_limits)
        self._code = CodeLane(processes=processes, limits=code_limits, run_alone=self._run_alone)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def close(self) -> None:
        """Stop the interpreters; the evaluator cannot be used afterwards."""
        self._code.close()
        self._expressions.close()
        self._alone.close()

    def warm_up(self) -> None:
        """Start an interpreter of each kind, so that the first step does not wait for it."""
        self._expressions.warm_up()
        self._code.warm_up()

    def evaluate_batch(self, requests: Sequence[EvalRequest]) -> list[Resolved | Failure]:
        """Evaluate the expressions of many nodes' settings, in one call of an interpreter.

        What is only looked up needs none. A failing template is the answer of its request; a
        failing bare expression is left in its place in the settings. What is not reached in time
        is answered by `NOT_EVALUATED`.
        """
        until = time.monotonic() + self._batch_seconds
        recipes = [self._recipes.of(request) for request in requests]
        values = [
            self._read(recipe, request.scope)
            for recipe, request in zip(recipes, requests, strict=True)
        ]
        open_ones = [
            (of_request, place, Question(recipe.expressions[place], request.scope))
            for of_request, recipe, request in zip(values, recipes, requests, strict=True)
            for place, value in enumerate(of_request)
            if value is MISSING
        ]
        answers = self._expressions.evaluate([one for _, _, one in open_ones], until=until)
        for (of_request, place, _), value in zip(open_ones, answers, strict=True):
            of_request[place] = value
        return [recipe.fill(of_request) for recipe, of_request in zip(recipes, values, strict=True)]

    def run_code(
        self, code: str, scope: Mapping[str, Any], *, limits: Limits | None = None
    ) -> Any | Failure:
        """Run a piece of code and give the value of its last expression, or a `Failure`."""
        read = read_code(code)
        return read if isinstance(read, Failure) else self._run_alone(read, scope, limits=limits)

    async def run_code_aside(self, code: str, scope: Mapping[str, Any]) -> Any | Failure:
        """Run code from an event loop, together with other code that waits at the same time."""
        answer: asyncio.Future[Any | Failure] = asyncio.get_running_loop().create_future()
        self._code.put(Piece(code, scope, answer))
        return await answer

    def _run_alone(
        self, code: Code, scope: Mapping[str, Any], *, limits: Limits | None = None
    ) -> Any | Failure:
        return run_alone(code, scope, pool=self._alone, limits=limits or self._alone.limits)

    def _read(self, recipe: Recipe, scope: Mapping[str, Any]) -> list[Any]:
        """Look up what is only looked up; the rest stays `MISSING`."""
        return [
            MISSING
            if expression.at_once is None
            else as_result(expression.at_once.read(scope), max_bytes=self._output_bytes)
            for expression in recipe.expressions
        ]
