"""Says in words why an evaluation failed."""

from pydantic_monty import MontyCrashedError, MontyError, MontyRuntimeError

from backend.engine.evaluation import Failure
from workers.sandbox.code import Code
from workers.sandbox.limits import Limits

_MIB = 1024 * 1024


def of_expression(error: Exception, *, limits: Limits) -> Failure:
    """Explain what ended the interpreter's call for one expression."""
    return _limit(error, limits) or _from_monty(error)


def of_code(error: Exception, *, code: Code, limits: Limits) -> Failure:
    """Explain what ended a piece of code, with the line of the author's text."""
    failure = _limit(error, limits) or _from_monty(error)
    line = _line(error, code)
    if line is None:
        return failure
    return Failure(
        code=failure.code, message=f"Line {line}: {failure.message}", retryable=failure.retryable
    )


def raised(kind: str, message: str) -> Failure:
    """Explain an exception that an expression or code raised."""
    if kind == "RecursionError":
        return Failure(code="recursion_limit", message="It calls itself without end.")
    # A lookup names its path itself; every other exception says what kind it is.
    own = kind in {"KeyError", "IndexError"} and ": no " in message
    text = message if own else f"{kind}: {message}" if message else kind
    return Failure(
        code="expression_failed", message=text if text.endswith((".", "…")) else f"{text}."
    )


def _from_monty(error: Exception) -> Failure:
    if isinstance(error, MontyRuntimeError):
        inner = error.exception()
        return raised(type(inner).__name__, str(inner.args[0]) if inner.args else "")
    if isinstance(error, MontyError):
        return Failure(code="expression_failed", message=f"{error}.")
    return Failure(
        code="sandbox_busy",
        message="No interpreter became free; more is being evaluated than this worker can do.",
        retryable=True,
    )


def _limit(error: Exception, limits: Limits) -> Failure | None:
    if isinstance(error, MontyCrashedError):
        if error.timed_out:
            return _time_limit(limits)
        return Failure(
            code="sandbox_lost", message="The interpreter died while it ran this.", retryable=False
        )
    if not isinstance(error, MontyRuntimeError):
        return None
    match error.exception():
        case TimeoutError():
            return _time_limit(limits)
        case MemoryError():
            size = limits.memory_bytes // _MIB
            return Failure(code="memory_limit", message=f"It needs more than {size} MiB of memory.")
        case RecursionError():
            return raised("RecursionError", "")
        case _:
            return None


def _time_limit(limits: Limits) -> Failure:
    return Failure(
        code="time_limit", message=f"It ran longer than {limits.seconds:g} s and was stopped."
    )


def _line(error: Exception, code: Code) -> int | None:
    """Find the author's line in the innermost frame of the author's own text."""
    if not isinstance(error, MontyRuntimeError):
        return None
    frames = error.traceback()
    own = frames[0].filename if frames else None
    lines = code.python.lines
    for frame in reversed(frames):
        if frame.filename == own and 0 < frame.line < len(lines):
            return lines[frame.line]
    return None
