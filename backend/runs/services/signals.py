"""Signals from outside: the first one for a step counts, whether the step waits already or not."""

from typing import Any, ClassVar

from django.db import transaction

from backend.api.sql import execute, query
from backend.engine.errors import DomainError
from backend.engine.outcomes import Succeeded
from backend.engine.plan import Key
from backend.engine.state import StepStatus
from backend.runs.inline import no_inline
from backend.runs.live import LiveRun
from backend.runs.plans import plan_of
from backend.runs.results import encode
from backend.runs.services.follow_up import follow_up
from backend.runs.signal_urls import read_token
from backend.runs.transaction import lock_runs, store

KEEP = """
INSERT INTO runs_signal (run_id, path, payload, received_at)
VALUES (%s, %s, %s::json, clock_timestamp()) ON CONFLICT (run_id, path) DO NOTHING
"""
#: Early signals are small: they are kept in the table.
MAX_SIGNAL_BYTES = 64 * 1024


class SignalUnknown(DomainError):
    """The address was not given out here, or its run is gone."""

    code: ClassVar[str] = "unknown_signal"
    status: ClassVar[int] = 404


class SignalRefused(DomainError):
    """The signal came already, or its run has ended."""

    code: ClassVar[str] = "signal_refused"
    status: ClassVar[int] = 409


class SignalTooLarge(DomainError):
    """The signal brings more than is kept."""

    code: ClassVar[str] = "signal_too_large"
    status: ClassVar[int] = 413


def send_signal(token: str, payload: Any) -> None:
    """Deliver a signal: its step goes on with what it brings, now or when it comes to wait.

    Raises:
        SignalUnknown: Nobody waits at this address.
        SignalRefused: It came before, or the run has ended.
        SignalTooLarge: It brings too much.
    """
    named = read_token(token)
    if named is None:
        raise SignalUnknown("There is no such signal.")
    text = encode(payload)
    if text.size > MAX_SIGNAL_BYTES:
        raise SignalTooLarge(
            f"A signal brings at most {MAX_SIGNAL_BYTES} bytes; this one has {text.size}."
        )
    run_id, path = named
    with transaction.atomic():
        runs = lock_runs([run_id])
        if not runs:
            raise SignalRefused("The run has ended, or is gone; nobody waits for the signal.")
        if execute(KEEP, [run_id, path, text.text]) == 0:
            raise SignalRefused("The signal has come already; the first one counts.")
        live = LiveRun(runs[0], plan_of(runs[0].graph_id), no_inline)
        found = query(
            "SELECT scope, no FROM runs_step WHERE run_id = %s AND path = %s", [run_id, path]
        )
        _deliver(live, found, payload)
        announcement = store([live])
    follow_up(announcement)


def _deliver(live: LiveRun, found: list[tuple[Any, ...]], payload: Any) -> None:
    if not found:
        return
    step = live.steps.get(Key(*found[0]))
    if step.status is StepStatus.WAITING and step.awaits_signal:
        live.apply([(step.key, Succeeded(payload))])
    elif step.status.is_final:
        raise SignalRefused("The step does not wait any more.")
