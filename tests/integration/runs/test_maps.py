from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.conf import LazySettings
from django.utils import timezone

from backend.engine.outcomes import Failed, Parked
from backend.runs.models import Container, ItemScope, Run, RunEvent, Step
from backend.runs.services.cancel import cancel_run
from backend.runs.services.sweep import sweep
from tests.integration.runs.hand_worker import (
    HandWorker,
    assert_consistent,
    document,
    each,
    error_of,
    expire,
    give,
    outputs,
    start,
    statuses,
    work,
)

Start = Callable[..., Run]
BROKEN = Failed("http_status", "The server answered 500.")


def mapped(over: Any = 3, *inside: dict[str, Any], **config: Any) -> dict[str, Any]:
    """A map over something, and what it gives as the run's output."""
    nodes = inside or (work("call", parent="each"),)
    return document(
        [each(over=over, **config), *nodes, give("end", "{{ nodes.each.output }}")],
        ["each -> end"],
    )


def test_results_are_in_the_order_of_the_items_whoever_ends_first(
    start_run: Start, worker: HandWorker
) -> None:
    run = start_run(mapped())
    assert worker.go() == ["each[0]/call", "each[1]/call", "each[2]/call"]

    worker.complete({"each[2]/call": "c"})
    worker.complete({"each[0]/call": "a"})
    assert_consistent(run)
    worker.complete({"each[1]/call": "b"})

    assert outputs(run) == {"end": ["a", "b", "c"]}
    assert_consistent(run)


@pytest.mark.parametrize(
    ("over", "items"),
    [
        (3, [0, 1, 2]),
        (["a", {"b": 1}, None], ["a", {"b": 1}, None]),
        ({"range": [10, 4, -3]}, [10, 7]),
        ("{{ [n * n for n in range(1, 4)] }}", [1, 4, 9]),
        ("{{ inputs.rows }}", ["x", "y"]),
        (0, []),
        ([], []),
    ],
)
def test_a_map_goes_over_lists_counts_and_ranges(
    start_run: Start, worker: HandWorker, over: Any, items: list[Any]
) -> None:
    run = start_run(
        mapped(over, give_item(), result="{{ [index, item] }}"), inputs={"rows": ["x", "y"]}
    )

    worker.go()

    assert outputs(run) == {"end": [[place, item] for place, item in enumerate(items)]}
    assert_consistent(run)


def give_item() -> dict[str, Any]:
    return {
        "id": "same",
        "kind": "data.set",
        "parent": "each",
        "config": {"values": {"it": "{{ item }}"}},
    }


def test_a_map_goes_over_pages_of_a_list(start_run: Start, worker: HandWorker) -> None:
    run = start_run(mapped(7, give_item(), page_size=3, result="{{ item }}"))

    worker.go()

    assert outputs(run) == {"end": [[0, 1, 2], [3, 4, 5], [6]]}


def test_the_output_of_an_item_is_that_of_its_last_node_or_of_several_by_their_ids(
    start_run: Start, worker: HandWorker
) -> None:
    inside = [work("a", parent="each"), work("b", parent="each"), work("c", parent="each")]
    graph = mapped(1, *inside)
    graph["edges"] += [{"from": "a", "to": "b"}, {"from": "a", "to": "c"}]
    run = start_run(graph)
    worker.go()

    worker.complete_all(lambda path: path.rpartition("/")[2])

    assert outputs(run) == {"end": [{"b": "b", "c": "c"}]}


def test_maps_in_maps_read_what_is_around_them(start_run: Start, worker: HandWorker) -> None:
    value = "{{ nodes.rows.item + item }}{{ nodes.rows.index }}{{ index }}"
    cell = {"id": "cell", "kind": "data.template", "parent": "cells", "config": {"text": value}}
    run = start_run(
        document(
            [
                each("rows", ["a", "b"]),
                each("cells", ["x", "y"], parent="rows"),
                cell,
                give("end", "{{ nodes.rows.output }}"),
            ],
            ["rows -> end"],
        )
    )

    worker.go()

    assert outputs(run) == {"end": [["ax00", "ay01"], ["bx10", "by11"]]}
    assert_consistent(run)


def test_no_more_items_are_under_way_than_the_window_allows_at_any_time(
    start_run: Start, worker: HandWorker
) -> None:
    run = start_run(mapped(9, concurrency=2))
    worker.go()
    most = 0
    while worker.held:
        most = max(most, ItemScope.objects.filter(run=run, status="running").count())
        worker.complete({next(iter(worker.held)): 1})

    assert most == 2
    assert outputs(run) == {"end": [1] * 9}


def test_rows_of_items_are_written_when_the_items_begin(
    start_run: Start, worker: HandWorker
) -> None:
    run = start_run(mapped(1000, concurrency=5))

    worker.go()

    assert Step.objects.filter(run=run).count() == 2 + 5
    progress = Container.objects.get(step__run=run)
    assert (progress.total, progress.begun, progress.done) == (1000, 5, 0)


def test_stages_inside_have_no_barrier_between_them(start_run: Start, worker: HandWorker) -> None:
    graph = mapped(3, work("first", parent="each"), work("second", parent="each"))
    graph["edges"].append({"from": "first", "to": "second"})
    run = start_run(graph)
    worker.go()

    worker.complete({"each[1]/first": 1})

    assert sorted(worker.held) == ["each[0]/first", "each[1]/second", "each[2]/first"]
    assert_consistent(run)


def test_a_branch_inside_skips_what_it_does_not_take_item_by_item(
    start_run: Start, worker: HandWorker
) -> None:
    route = {
        "id": "route",
        "kind": "flow.branch",
        "parent": "each",
        "config": {"cases": [{"port": "odd", "when": "item % 2"}], "default": "even"},
    }
    graph = mapped(
        3,
        route,
        work("odd", parent="each"),
        work("even", parent="each"),
        result="{{ nodes.odd.output or nodes.even.output }}",
    )
    graph["edges"] += [{"from": "route:odd", "to": "odd"}, {"from": "route:even", "to": "even"}]
    run = start_run(graph)

    assert worker.go() == ["each[0]/even", "each[1]/odd", "each[2]/even"]
    worker.complete_all(lambda path: path.rpartition("/")[2])

    assert outputs(run) == {"end": ["even", "odd", "even"]}
    assert statuses(run)["each[1]/even"] == "skipped"


def test_a_wait_inside_holds_no_slot_and_no_other_item(
    start_run: Start, worker: HandWorker
) -> None:
    graph = mapped(2, work("wait", parent="each"), work("after", parent="each"))
    graph["edges"].append({"from": "wait", "to": "after"})
    run = start_run(graph)
    worker.go()
    past = timezone.now() - timedelta(seconds=1)

    worker.complete({"each[0]/wait": Parked(past), "each[1]/wait": 1})
    assert sorted(worker.held) == ["each[1]/after"]
    assert sweep(resolve=worker.resolve).woken > 0
    worker.go()
    worker.complete_all(lambda _: "done")

    assert outputs(run) == {"end": ["done", "done"]}


@pytest.mark.parametrize(
    ("policy", "result"),
    [("drop", ["a", "c"]), ("collect", ["a", {"error": "http_status"}, "c"])],
)
def test_an_item_that_fails_is_left_out_or_told_as_the_map_says(
    start_run: Start, worker: HandWorker, policy: str, result: list[Any]
) -> None:
    run = start_run(mapped(3, on_item_error=policy))
    worker.go()

    worker.complete({"each[0]/call": "a", "each[1]/call": BROKEN, "each[2]/call": "c"})

    found = outputs(run)["end"]
    for item in found:
        if isinstance(item, dict):
            item["error"] = item["error"]["code"]
    assert found == result
    assert_consistent(run)


def test_the_first_item_that_fails_fails_the_map_and_stops_the_others(
    start_run: Start, worker: HandWorker
) -> None:
    run = start_run(mapped(3))
    worker.go()
    stopped = {claimed.lease_id for path, claimed in worker.held.items() if path != "each[1]/call"}

    finished = worker.complete({"each[1]/call": BROKEN})

    assert error_of(run)["node_id"] == "call"
    assert set(finished.announcement.stopped) == stopped
    assert statuses(run) == {
        "each": "failed",
        "each[0]/call": "cancelled",
        "each[1]/call": "failed",
        "each[2]/call": "cancelled",
        "end": "cancelled",
    }
    assert_consistent(run)


def test_items_that_fail_and_end_in_one_transaction_are_counted_once(
    start_run: Start, worker: HandWorker
) -> None:
    run = start_run(
        mapped(2, work("bad", parent="each"), work("good", parent="each"), on_item_error="drop")
    )
    worker.go()

    worker.complete({path: BROKEN if path.endswith("bad") else 1 for path in list(worker.held)})

    assert outputs(run) == {"end": []}
    assert statuses(run)["each[0]/good"] == "cancelled"
    assert_consistent(run)


@pytest.mark.parametrize("limit", [{"max_failures": 1}, {"max_failure_percent": 40}])
def test_more_failures_than_are_allowed_fail_the_map(
    start_run: Start, worker: HandWorker, limit: dict[str, int]
) -> None:
    run = start_run(mapped(4, on_item_error="collect", **limit))
    worker.go()

    worker.complete({"each[0]/call": BROKEN})
    run.refresh_from_db()
    assert run.status == "running"
    worker.complete({"each[2]/call": BROKEN})

    assert error_of(run)["code"] == "too_many_items_failed"
    assert "2 of 4 items failed" in error_of(run)["message"]


def test_a_failed_map_may_go_on_by_its_error_port(start_run: Start, worker: HandWorker) -> None:
    graph = document(
        [
            {**each(over=2), "policy": {"on_error": "route"}},
            work("call", parent="each"),
            give("why", "{{ nodes.each.output.message }}"),
        ],
        ["each:error -> why"],
    )
    run = start_run(graph)
    worker.go()

    worker.complete({"each[0]/call": BROKEN})

    assert outputs(run) == {"why": "The server answered 500."}


def test_a_result_that_cannot_be_computed_fails_its_item_alone(
    start_run: Start, worker: HandWorker
) -> None:
    run = start_run(mapped(3, give_item(), on_item_error="drop", result="{{ 6 // (index - 1) }}"))

    worker.go()

    assert outputs(run) == {"end": [-6, 6]}
    assert ItemScope.objects.get(run=run, index=1).status == "failed"


def test_more_items_than_are_allowed_fail_the_map_and_name_the_setting(
    start_run: Start, worker: HandWorker, settings: LazySettings
) -> None:
    settings.HEDDLE_MAX_MAP_ITEMS = 5
    run = start_run(mapped("{{ range(6) }}"))

    worker.go()

    error = error_of(run)
    assert error["code"] == "too_many_items"
    assert "HEDDLE_MAX_MAP_ITEMS" in error["message"]
    assert_consistent(run)


def test_more_steps_than_a_run_may_have_fail_the_map_and_name_the_setting(
    start_run: Start, worker: HandWorker, settings: LazySettings
) -> None:
    settings.HEDDLE_MAX_RUN_STEPS = 10
    run = start_run(mapped(20, concurrency=50))

    worker.go()

    assert "HEDDLE_MAX_RUN_STEPS" in error_of(run)["message"]
    assert_consistent(run)


@pytest.mark.parametrize("over", ["{{ None }}", "{{ 'text' }}", "{{ {'a': 1} }}", "{{ True }}"])
def test_what_cannot_be_gone_over_fails_the_map_and_says_what_to_give(
    start_run: Start, worker: HandWorker, over: str
) -> None:
    run = start_run(mapped(over))

    worker.go()

    error = error_of(run)
    assert (error["code"], error["node_id"]) == ("bad_config", "each")
    assert "list" in error["message"]


def test_cancelling_a_run_ends_what_is_inside_its_maps(
    start_run: Start, worker: HandWorker
) -> None:
    run = start_run(mapped(3))
    worker.go()

    cancel_run(run.id, reason="Enough.")

    assert set(statuses(run).values()) == {"cancelled"}
    assert_consistent(run)


def test_items_of_a_dead_worker_are_given_to_another(
    start_run: Start, worker: HandWorker, another_worker: HandWorker
) -> None:
    run = start_run(mapped(2))
    worker.go()
    expire(worker.session_id)

    assert sweep().recovered == 2
    another_worker.go()
    another_worker.complete_all(lambda _: 1)

    assert outputs(run) == {"end": [1, 1]}


def test_what_one_worker_left_undone_another_goes_on_with(
    start_run: Start, worker: HandWorker, another_worker: HandWorker
) -> None:
    run = start_run(document([*mapped(3)["nodes"], work("top")], ["each -> end"]))
    worker.go()
    # By a process that evaluates nothing: the item's result is left to others.
    worker.finish_without_evaluator([worker.completion("each[0]/call", 1)])
    # What happens elsewhere in the run does not make it forget that.
    worker.finish_without_evaluator([worker.completion("top", 1)])
    run.refresh_from_db()
    assert run.unfinished_at is not None

    another_worker.go()

    run.refresh_from_db()
    assert run.unfinished_at is None
    assert ItemScope.objects.get(run=run, index=0).status == "succeeded"
    assert_consistent(run)


def test_progress_is_told_once_a_commit(start_run: Start, worker: HandWorker) -> None:
    run = start_run(mapped(4))
    worker.go()
    worker.complete({"each[0]/call": 1, "each[1]/call": 1})

    told = RunEvent.objects.filter(run=run, type="step.progress").order_by("seq")

    assert [event.data["done"] for event in told] == [0, 2]
    assert told[0].data["total"] == 4


def test_a_large_list_and_large_results_are_kept_outside_of_their_rows(
    start_run: Start, worker: HandWorker
) -> None:
    run = start_run(mapped("{{ ['x' * 50_000, 'y' * 50_000] }}"))
    worker.go()
    assert Container.objects.get(step__run=run).items_digest

    worker.complete_all(lambda path: path[5] * 100_000)

    assert [value[0] for value in outputs(run)["end"]] == ["0", "1"]
    assert all(scope.result_digest for scope in ItemScope.objects.filter(run=run))


def test_maps_of_two_runs_go_on_beside_each_other(alice: Any, worker: HandWorker) -> None:
    one, other = (start(alice, mapped(over, give_item())) for over in (2, 3))

    worker.go()

    assert [len(outputs(run)["end"]) for run in (one, other)] == [2, 3]
