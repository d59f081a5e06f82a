"""Steps that wait without holding a slot: for a time, or for a signal."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from backend.engine.outcomes import Parked
from backend.runs.models import Run, Step
from backend.runs.services.cancel import cancel_run
from backend.runs.services.finish import finish
from backend.runs.services.signals import (
    SignalRefused,
    SignalTooLarge,
    SignalUnknown,
    send_signal,
)
from backend.runs.services.sweep import sweep
from backend.runs.signal_urls import token_of
from tests.integration.runs.hand_worker import (
    HandWorker,
    assert_consistent,
    document,
    each,
    error_of,
    give,
    log_of,
    loop,
    outputs,
    statuses,
    work,
)

Start = Callable[..., Run]


def wait(name: str = "wait", **config: Any) -> dict[str, Any]:
    fields: dict[str, Any] = {k: config.pop(k) for k in ("parent", "policy") if k in config}
    return {"id": name, "kind": "flow.wait", "config": config, **fields}


def waiting(**config: Any) -> dict[str, Any]:
    return document([wait(**config), give("end", "{{ nodes.wait.output }}")], ["wait -> end"])


def pass_time(run: Run) -> None:
    """Let an hour go by for everything that waits in a run."""
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE runs_step SET waiting_until = waiting_until - interval '1 hour' "
            "WHERE run_id = %s",
            [run.id],
        )


def test_a_wait_holds_no_slot_and_ends_with_nothing_when_its_time_has_come(
    start_run: Start, worker: HandWorker
) -> None:
    run = start_run(waiting(seconds=1800))
    worker.go()
    worker.run_node("wait")
    step = Step.objects.get(run=run, path="wait")
    assert (step.status, worker.held) == ("waiting", {})
    assert not sweep(resolve=worker.resolve).woken

    pass_time(run)
    sweep(resolve=worker.resolve)
    worker.go()

    assert outputs(run) == {"end": None}
    assert_consistent(run)


def test_a_time_that_has_passed_is_no_wait(start_run: Start, worker: HandWorker) -> None:
    past = (timezone.now() - timedelta(days=1)).isoformat()
    run = start_run(waiting(until=past))
    worker.go()

    finished = worker.complete({"wait": worker.outcome_of("wait")})

    assert [timer.in_s <= 0 for timer in finished.timers] == [True]
    sweep(resolve=worker.resolve)
    worker.go()
    assert outputs(run) == {"end": None}


def test_a_signal_brings_what_the_wait_gives(start_run: Start, worker: HandWorker) -> None:
    run = start_run(waiting(signal=True))
    worker.go()
    worker.run_node("wait")

    send_signal(token_of(run.id, "wait"), {"approved": True})
    worker.go()

    assert outputs(run) == {"end": {"approved": True}}
    assert_consistent(run)


def test_a_signal_that_comes_before_its_wait_is_kept_for_it(
    start_run: Start, worker: HandWorker
) -> None:
    graph = document(
        [work("first"), wait(signal=True), give("end", "{{ nodes.wait.output }}")],
        ["first -> wait", "wait -> end"],
    )
    run = start_run(graph)
    send_signal(token_of(run.id, "wait"), "early")
    worker.go()
    worker.complete({"first": 1})

    worker.run_node("wait")
    worker.go()

    assert outputs(run) == {"end": "early"}


def test_an_early_signal_is_delivered_by_the_sweeper_if_its_process_died(
    start_run: Start, worker: HandWorker
) -> None:
    run = start_run(waiting(signal=True))
    send_signal(token_of(run.id, "wait"), "early")
    worker.go()
    finish([worker.completion("wait", Parked(signal=True))])
    assert statuses(run)["wait"] == "waiting"

    sweep(resolve=worker.resolve)
    worker.go()

    assert outputs(run) == {"end": "early"}


def test_the_first_signal_counts(start_run: Start, worker: HandWorker) -> None:
    run = start_run(waiting(signal=True))
    worker.go()
    worker.run_node("wait")
    send_signal(token_of(run.id, "wait"), 1)

    with pytest.raises(SignalRefused):
        send_signal(token_of(run.id, "wait"), 2)

    worker.go()
    assert outputs(run) == {"end": 1}


def test_a_signal_that_does_not_come_in_time_fails_its_wait(
    start_run: Start, worker: HandWorker
) -> None:
    run = start_run(waiting(signal={"timeout_s": 60}))
    worker.go()
    worker.run_node("wait")

    pass_time(run)
    sweep(resolve=worker.resolve)

    assert (error_of(run)["code"], error_of(run)["node_id"]) == ("signal_timeout", "wait")
    assert_consistent(run)


def test_a_wait_whose_signal_did_not_come_may_go_on_by_its_error_port(
    start_run: Start, worker: HandWorker
) -> None:
    graph = document(
        [wait(signal={"timeout_s": 60}, policy={"on_error": "route"}), give("late", "late")],
        ["wait:error -> late"],
    )
    run = start_run(graph)
    worker.go()
    worker.run_node("wait")

    pass_time(run)
    sweep(resolve=worker.resolve)
    worker.go()

    assert outputs(run) == {"late": "late"}


def test_a_signal_that_is_too_large_or_unknown_or_too_late_is_refused(
    start_run: Start, worker: HandWorker
) -> None:
    run = start_run(waiting(signal=True))
    worker.go()
    worker.run_node("wait")
    token = token_of(run.id, "wait")

    with pytest.raises(SignalTooLarge):
        send_signal(token, "x" * 100_000)
    for forged in (token[:-2], "A" + token[1:], token_of(run.id, "")[:-1], "", "é"):
        with pytest.raises(SignalUnknown):
            send_signal(forged, 1)
    cancel_run(run.id, reason="Enough.")
    with pytest.raises(SignalRefused):
        send_signal(token, 1)


def test_each_item_of_a_map_waits_for_a_signal_of_its_own(
    start_run: Start, worker: HandWorker
) -> None:
    graph = document(
        [each(over=2), wait(parent="each", signal=True), give("end", "{{ nodes.each.output }}")],
        ["each -> end"],
    )
    run = start_run(graph)
    worker.go()
    worker.run_node("each[0]/wait", "each[1]/wait")

    send_signal(token_of(run.id, "each[1]/wait"), "one")
    send_signal(token_of(run.id, "each[0]/wait"), "nought")
    worker.go()

    assert outputs(run) == {"end": ["nought", "one"]}
    assert_consistent(run)


def test_the_addresses_of_signals_are_known_before_and_inside_of_rounds(
    start_run: Start, worker: HandWorker
) -> None:
    tell = {
        "id": "tell",
        "kind": "data.set",
        "parent": "loop",
        "config": {"values": {"inner": "{{ run.signals.ask }}", "outer": "{{ run.signals.wait }}"}},
    }
    nodes = [loop(times=1), tell, wait("ask", parent="loop", signal=True), wait(signal=True)]
    graph = document(nodes, ["tell -> ask", "loop -> wait"])
    run = start_run(graph)

    worker.go()

    given = Step.objects.get(run=run, path="loop[0]/tell").output.value
    assert given["inner"].endswith(f"/api/v1/signals/{token_of(run.id, 'loop[0]/ask')}/")
    assert given["outer"].endswith(f"/api/v1/signals/{token_of(run.id, 'wait')}/")


def test_a_wait_survives_whoever_began_it(
    start_run: Start, worker: HandWorker, another_worker: HandWorker
) -> None:
    run = start_run(waiting(seconds=1800))
    worker.go()
    worker.run_node("wait")
    with connection.cursor() as cursor:
        cursor.execute("UPDATE runs_workersession SET expires_at = now() - interval '1 hour'")
    sweep()
    assert "step.lost wait" not in log_of(run)

    pass_time(run)
    sweep(resolve=another_worker.resolve)

    assert outputs(run) == {"end": None}
