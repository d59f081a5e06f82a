"""Runs code in an interpreter of its own, with all of its limits."""

from collections.abc import Mapping
from typing import Any

from pydantic_monty import CollectString, MontyError

from backend.engine.evaluation import Failure
from workers.sandbox import failures
from workers.sandbox.checked import checked
from workers.sandbox.code import Code
from workers.sandbox.limits import Limits
from workers.sandbox.pool import Pool


def run_alone(code: Code, scope: Mapping[str, Any], *, pool: Pool, limits: Limits) -> Any | Failure:
    """Give the value of the code's last expression, or say what went wrong and on which line."""
    try:
        with pool.session(limits) as session:
            if code.prelude:
                session.feed_run(code.prelude)
            # Names of the scope hide Python's own from the code, and not from the prelude.
            value = session.feed_run(
                code.python.code, inputs=code.inputs(scope), print_callback=CollectString()
            )
    except (MontyError, TimeoutError) as error:
        return failures.of_code(error, code=code, limits=limits)
    return checked(value, limits=limits)
