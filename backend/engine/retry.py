"""What happens after a failed attempt: try again, or fail, and how far the failure reaches."""

from collections.abc import Callable
from dataclasses import dataclass

from backend.engine.document import Policy, Retry
from backend.engine.outcomes import Failed

ERROR_PORT = "error"
DEFAULT_PORT = "out"
#: Seconds for which a server's wish may put a step off: what it answers is nobody's promise.
MAX_RETRY_AFTER_S = 24 * 3600.0


@dataclass(frozen=True)
class TryAgain:
    """Run the step again after `delay_s` seconds."""

    delay_s: float


@dataclass(frozen=True)
class GiveUp:
    """The step has failed. `ports` are taken all the same; `fails_run` ends the run."""

    ports: tuple[str, ...]
    fails_run: bool


def after_failure(
    policy: Policy,
    failed: Failed,
    *,
    failures: int,
    uniform: Callable[[float, float], float],
) -> TryAgain | GiveUp:
    """Decide after the `failures`-th failed attempt.

    The wait is drawn with full jitter from zero to the bound (Brooker, "Exponential Backoff And
    Jitter"), so that many steps that failed together do not come back together; a server's own
    Retry-After is a lower bound, as far as it is sensible. `uniform` is the random source. Where
    the policy names kinds of error, these are repeated and no others.
    """
    named = policy.retry.on
    retryable = failed.code in named if named else failed.retryable
    if retryable and failures < policy.retry.max_attempts:
        drawn = uniform(0.0, backoff_bound(policy.retry, failures))
        return TryAgain(max(drawn, min(failed.retry_after_s or 0.0, MAX_RETRY_AFTER_S)))
    return after_the_last(policy)


def after_the_last(policy: Policy) -> GiveUp:
    """Decide how far a failure reaches that is not repeated."""
    match policy.on_error:
        case "continue":
            return GiveUp(ports=(DEFAULT_PORT,), fails_run=False)
        case "route":
            return GiveUp(ports=(ERROR_PORT,), fails_run=False)
        case _:
            return GiveUp(ports=(), fails_run=True)


def backoff_bound(retry: Retry, failures: int) -> float:
    """The longest wait after the `failures`-th failure, in seconds."""
    factor = 2.0 ** (failures - 1) if retry.backoff == "exponential" else 1.0
    return float(min(retry.max_s, retry.initial_s * factor))
