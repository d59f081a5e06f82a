"""The checks find what is wrong, and the watches of proxies what they look for."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import pytest

from tests.acceptance.documents import document
from tests.faults import fair_checks, graphs, invariants
from tests.faults.graph import Graph
from tests.faults.harness.proxy import Cut
from tests.faults.harness.watches import CommitAnswers, Doorbells, split_frames
from tests.faults.snapshot import EventRow, RunRow, Snapshot, StepRow

RUN = "run"
START = datetime(2027, 1, 1, tzinfo=UTC)
#: What happens in a run of two steps of which the second follows the first.
SOUND = (
    "run.created",
    "a step.ready",
    "a step.started 1",
    "a step.succeeded 1",
    "b step.ready",
    "b step.started 1",
    "b step.succeeded 1",
    "run.succeeded",
)
BELL = b"*3\r\n$7\r\nmessage\r\n$14\r\nheddle:bell:io\r\n$0\r\n\r\n"


def log(lines: Sequence[str]) -> list[EventRow]:
    events = []
    for seq, line in enumerate(lines, start=1):
        words = line.split()
        path = words.pop(0) if words[0].islower() and "." not in words[0] else ""
        attempt = int(words[1]) if len(words) > 1 else None
        at = START + timedelta(seconds=seq)
        preview = words[2] if len(words) > 2 else None
        events.append(EventRow(RUN, seq, words[0], path, attempt, at, preview))
    return events


def snapshot(
    lines: Sequence[str] = SOUND,
    *,
    run: RunRow | None = None,
    steps: Sequence[StepRow] = (),
) -> Snapshot:
    given = {step.path: step for step in steps}
    rows = {path: given.get(path) or step(path) for path in "ab"}
    nodes = [graphs.values(name) for name in "ab"]
    return Snapshot(
        runs={RUN: run or RunRow(RUN, "succeeded", len(lines), 0, None)},
        steps={RUN: rows},
        events={RUN: log(lines)},
        graphs={RUN: Graph(document("Two", nodes, ["a -> b"]))},
    )


def step(path: str, status: str = "succeeded", **counts: int) -> StepRow:
    numbers = {"pending": 0, "attempt": 1, "failures": 0, "losses": 0, **counts}
    return StepRow(RUN, path, status, **numbers)


def without(*lines: str) -> list[str]:
    return [line for line in SOUND if line not in lines]


def broken(found: Snapshot) -> set[str]:
    return {verdict.name for verdict in invariants.at_rest(found) if verdict.violations}


def test_a_sound_run_breaks_nothing() -> None:
    found = invariants.at_rest(snapshot())

    assert broken(snapshot()) == set()
    assert all(verdict.checked for verdict in found)


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("I1", snapshot(steps=[step("b", "running")])),
        ("I1", snapshot(SOUND[:-1], run=RunRow(RUN, "running", 7, 0, None))),
        ("I2", snapshot([*SOUND[:-1], "b step.succeeded 1", SOUND[-1]])),
        ("I2", snapshot(without("b step.succeeded 1"))),
        ("I3", snapshot([*SOUND[:2], "a step.ready", *SOUND[2:]])),
        ("I4", snapshot(run=RunRow(RUN, "succeeded", 9, 0, None))),
        ("I5", snapshot([SOUND[0], *SOUND[4:7], *SOUND[1:4], SOUND[-1]])),
        ("I6", snapshot([*SOUND[:-1], "a step.failed 1", SOUND[-1]])),
        ("I6", snapshot([*SOUND, "run.failed"])),
        ("I6", snapshot([*SOUND, "a step.started 2"])),
        ("I7", snapshot(run=RunRow(RUN, "succeeded", 8, 1, None))),
        ("I7", snapshot(steps=[step("b", "pending", pending=1)])),
        ("I10", snapshot(steps=[step("a", attempt=2)])),
        ("I12", snapshot(steps=[step("a", failures=2)])),
        ("I12", snapshot(steps=[step("a", losses=4)])),
        ("I12", snapshot(steps=[step("a", attempt=3)])),
    ],
)
def test_what_is_wrong_is_found(name: str, found: Snapshot) -> None:
    assert name in broken(found)


def test_a_success_of_an_earlier_call_is_found() -> None:
    early = '{"status":200,"headers":{"arrived":"1"'.replace(":", ": ").replace(",", ", ")
    found = snapshot()
    events = found.events[RUN]
    late = events[3]
    events[3] = EventRow(RUN, late.seq, late.type, late.path, late.attempt, late.at, early)

    assert broken(found) == {"I10"}


def test_a_step_that_many_overtake_is_found() -> None:
    heavy = [EventRow("other", n, "step.started", "x", 1, START, None) for n in range(5)]
    ready = EventRow(RUN, 1, "step.ready", "a", None, START - timedelta(1), None)
    started = EventRow(RUN, 2, "step.started", "a", 1, START + timedelta(1), None)
    found = Snapshot(runs={}, steps={}, events={RUN: [ready, started], "other": heavy})

    assert not fair_checks.light_ones_are_served(found, [RUN], bound=5).violations
    assert fair_checks.light_ones_are_served(found, [RUN], bound=4).violations


@pytest.mark.parametrize("size", [1, 7, 1000])
def test_answers_of_redis_are_cut_where_they_end(size: int) -> None:
    whole = [
        b"+OK\r\n",
        b"$-1\r\n",
        b"*-1\r\n",
        b"*2\r\n:1\r\n$3\r\na\r\n\r\n",
        BELL,
        b"%1\r\n+a\r\n_\r\n",
    ]
    stream, frames, rest = b"".join(whole), [], b""
    for at in range(0, len(stream), size):
        found, rest = split_frames(rest + stream[at : at + size])
        frames += found

    assert (frames, rest) == (whole, b"")


def test_doorbells_are_dropped_and_multiplied_and_nothing_else_is() -> None:
    bells = Doorbells()
    watch = bells.connection()
    heard = []
    for bells.copies in (0, 1, 3):
        heard.append(b"".join(watch.to_client(b"+OK\r\n" + BELL)))

    assert heard == [b"+OK\r\n", b"+OK\r\n" + BELL, b"+OK\r\n" + BELL * 3]
    assert (bells.dropped, bells.added) == (1, 2)


def test_the_answer_to_a_commit_is_lost_if_it_stored_a_success() -> None:
    answers = CommitAnswers(left=1)
    watch = answers.connection()
    done = b"C\x00\x00\x00\x0bCOMMIT\x00Z\x00\x00\x00\x05I"

    assert list(watch.to_server(b"... ready ...")) == [b"... ready ..."]
    assert list(watch.to_client(done)) == [done]
    list(watch.to_server(b"... succee"))
    list(watch.to_server(b"ded ..."))
    list(watch.to_client(done[:5]))
    with pytest.raises(Cut):
        watch.to_client(done[5:])
    assert (answers.left, answers.lost) == (0, 1)
