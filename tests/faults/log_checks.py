"""Invariants of the runs' logs: gapless, in a legal order, and in step with the rows."""

import re
import sys
from collections.abc import Mapping

from tests.faults.harness.effects import ARRIVED
from tests.faults.snapshot import FINAL_RUN, FINAL_STEP, EventRow, Snapshot
from tests.faults.verdicts import Verdict

#: What may follow what; an event that is not named here says nothing about a step's status.
MOVES: Mapping[str, tuple[frozenset[str], str]] = {
    "step.ready": (frozenset({"pending", "running"}), "ready"),
    "step.started": (frozenset({"ready"}), "running"),
    "step.waiting": (frozenset({"running"}), "waiting"),
    "step.retrying": (frozenset({"running"}), "ready"),
    "step.lost": (frozenset({"running"}), "ready"),
    "step.succeeded": (frozenset({"running", "waiting"}), "succeeded"),
    "step.failed": (frozenset({"ready", "running", "waiting"}), "failed"),
    "step.skipped": (frozenset({"pending"}), "skipped"),
    "step.cancelled": (frozenset({"pending", "ready", "running", "waiting"}), "cancelled"),
}
RUN_ENDS = frozenset(f"run.{status}" for status in FINAL_RUN)
#: By so much may two readings of one clock differ.
CLOCK_S = 0.1
_ARRIVED = re.compile(rf'\{{"status": 200, "headers": \{{"{ARRIVED}": "([0-9.]+)"')
SETTLED = frozenset(f"step.{status}" for status in FINAL_STEP)


def successes_are_told_once(snapshot: Snapshot) -> Verdict:
    """I2: one success event for a step that succeeded, none for any other."""
    verdict = Verdict("I2", "A step that succeeded is told so exactly once")
    for run_id, steps in snapshot.steps.items():
        logs = snapshot.step_events(run_id)
        for path, step in steps.items():
            told = sum(event.type == "step.succeeded" for event in logs.get(path, ()))
            fits = told == (step.status == "succeeded")
            verdict.expect(fits, f"{step} is {step.status}, and {told} successes are told")
    return verdict


def steps_move_legally(snapshot: Snapshot) -> tuple[Verdict, Verdict]:
    """I3 and I6: a step becomes ready once, moves step by step, and rests when it is final."""
    once = Verdict("I3", "A step becomes ready once, and again only when it is given back")
    final = Verdict("I6", "What is final stays as it is, and ended runs start nothing")
    for run_id, steps in snapshot.steps.items():
        for path, events in snapshot.step_events(run_id).items():
            status = _follow(events, once, final)
            step = steps.get(path)
            fits = step is not None and step.status == status
            once.expect(fits, f"{path} of {run_id}: told {status}, is {step and step.status}")
    for run_id, log in snapshot.events.items():
        ends = [event.seq for event in log if event.type in RUN_ENDS]
        last = log[-1].seq
        final.expect(ends in ([], [last]), f"{run_id}: ends at {ends}, and goes on to {last}")
        final.expect(
            bool(ends) == snapshot.runs[run_id].is_final,
            f"{run_id}: is {snapshot.runs[run_id].status}, ends are told at {ends}",
        )
    return once, final


def _follow(events: list[EventRow], once: Verdict, final: Verdict) -> str:
    status = "pending"
    for event in events:
        if event.type not in MOVES:
            continue
        sources, target = MOVES[event.type]
        words = f"{event.path} of {event.run_id}: {event.type} #{event.seq} when {status}"
        if status in FINAL_STEP:
            final.expect(holds=False, otherwise=words)
        else:
            (once if target == "ready" else final).expect(status in sources, words)
        status = target
    return status


def logs_have_no_gaps(snapshot: Snapshot) -> Verdict:
    """I4: numbers count from one, and the run knows the last of them."""
    verdict = Verdict("I4", "A run's log is gapless, and the run knows its last number")
    for run in snapshot.runs.values():
        numbers = [event.seq for event in snapshot.events.get(run.id, ())]
        fits = numbers == list(range(1, run.event_seq + 1))
        verdict.expect(fits, f"{run.id} is at {run.event_seq}, its log has {_gist(numbers)}")
    return verdict


def order_is_kept(snapshot: Snapshot) -> Verdict:
    """I5: nothing starts, and nothing succeeds, before enough of what leads to it has ended."""
    verdict = Verdict("I5", "No step starts before what it depends on has ended")
    for run_id, graph in snapshot.graphs.items():
        logs = snapshot.step_events(run_id)
        ended = {p: e.seq for p, log in logs.items() for e in log if e.type in SETTLED}
        for path, log in logs.items():
            started = _first_start(log)
            if started is None:
                continue
            before = graph.before(path)
            done = sum(ended.get(source, started) < started for source in before)
            verdict.expect(
                done >= graph.needed(path),
                f"{path} of {run_id} started at #{started} when {done} of {before} had ended",
            )
            if (container := graph.container(path)) is not None:
                around = logs.get(container, [])
                opened = _first_start(around) or started
                # A container that is cancelled may say so before what is inside it.
                closed = next((e.seq for e in around if e.type == "step.succeeded"), sys.maxsize)
                within = opened < started and ended.get(path, 0) < closed
                verdict.expect(within, f"{path} of {run_id} is not within the time of {container}")
    return verdict


def _first_start(log: list[EventRow]) -> int | None:
    return next((event.seq for event in log if event.type == "step.started"), None)


def successes_are_of_the_last_attempt(snapshot: Snapshot) -> Verdict:
    """I10: what was accepted came from the attempt that held the step.

    Its number tells, and the moment at which the call arrived whose answer was stored: an attempt
    calls after it has started.
    """
    verdict = Verdict("I10", "The success that counts is that of the latest attempt")
    for run_id, steps in snapshot.steps.items():
        for path, events in snapshot.step_events(run_id).items():
            started: EventRow | None = None
            for event in events:
                if event.type == "step.started":
                    started = event
                elif event.type == "step.succeeded" and started is not None:
                    words = f"{path} of {run_id}: attempt {event.attempt}"
                    fits = event.attempt == started.attempt == steps[path].attempt
                    verdict.expect(fits, f"{words} succeeded, {started.attempt} ran")
                    early = started.at.timestamp() - (_arrived(event) or started.at.timestamp())
                    verdict.expect(early < CLOCK_S, f"{words} gave what was called {early} s ago")
    return verdict


def _arrived(event: EventRow) -> float | None:
    found = _ARRIVED.match(event.preview or "")
    return float(found[1]) if found else None


def _gist(numbers: list[int]) -> str:
    return f"{len(numbers)} numbers up to {max(numbers, default=0)}"
