from collections.abc import Callable
from typing import Any

import pytest

from backend.engine.outcomes import Failed
from backend.runs.models import Container, ItemScope, Run
from tests.integration.runs.hand_worker import (
    HandWorker,
    assert_consistent,
    document,
    each,
    error_of,
    give,
    loop,
    outputs,
    statuses,
    work,
)

Start = Callable[..., Run]


def looped(*inside: dict[str, Any], **config: Any) -> dict[str, Any]:
    """A loop, and what it gives as the run's output."""
    nodes = inside or (work("call", parent="loop"),)
    return document(
        [loop(**config), *nodes, give("end", "{{ nodes.loop.output }}")], ["loop -> end"]
    )


def add(text: str) -> dict[str, Any]:
    """Computes the next state without a worker."""
    return {"id": "add", "kind": "data.set", "parent": "loop", "config": {"values": {"it": text}}}


def test_a_loop_goes_on_while_its_condition_holds_and_carries_what_its_last_node_gave(
    start_run: Start, worker: HandWorker
) -> None:
    run = start_run(looped(state=1, while_="state < 5"))
    assert worker.go() == ["loop[0]/call"]

    worker.complete({"loop[0]/call": 3})
    assert sorted(worker.held) == ["loop[1]/call"]
    assert_consistent(run)
    worker.complete({"loop[1]/call": 7})

    assert outputs(run) == {"end": 7}
    assert [scope.state for scope in ItemScope.objects.filter(run=run)] == [1, 3]
    assert_consistent(run)


def test_a_condition_that_does_not_hold_at_first_gives_the_first_state(
    start_run: Start, worker: HandWorker
) -> None:
    run = start_run(looped(state="as it was", while_="False"))

    worker.go()

    assert outputs(run) == {"end": "as it was"}


def test_the_next_state_and_the_result_are_computed_from_what_is_inside(
    start_run: Start, worker: HandWorker
) -> None:
    run = start_run(
        looped(
            add("{{ state + 10 }}"),
            state=0,
            times=3,
            next="{{ nodes.add.output.it + round }}",
            result="{{ [state, round, nodes.add.output.it] }}",
        )
    )

    worker.go()

    assert outputs(run) == {"end": [33, 3, 31]}


@pytest.mark.parametrize(
    ("config", "seen"),
    [
        ({"over": ["a", "b"]}, [["a", 0], ["b", 1]]),
        ({"over": "{{ list('xy') }}"}, [["x", 0], ["y", 1]]),
        ({"over": {"range": [5, 3, -1]}}, [[5, 0], [4, 1]]),
        ({"over": 3, "times": 1}, [[0, 0]]),
        ({"over": ["a", "b", "c"], "while_": "len(state) < 2"}, [["a", 0], ["b", 1]]),
        ({"over": []}, []),
    ],
)
def test_a_loop_goes_over_items_one_after_the_other(
    start_run: Start, worker: HandWorker, config: dict[str, Any], seen: list[Any]
) -> None:
    run = start_run(
        looped(
            add("{{ [item, index] }}"),
            state=[],
            next="{{ state + [nodes.add.output.it] }}",
            **config,
        )
    )

    worker.go()

    assert outputs(run) == {"end": seen}


def test_a_loop_that_would_go_on_for_ever_fails_and_names_the_setting(
    start_run: Start, worker: HandWorker
) -> None:
    run = start_run(looped(add("{{ round }}"), while_="True", max_iterations=4))

    worker.go()

    error = error_of(run)
    assert (error["code"], error["node_id"]) == ("too_many_rounds", "loop")
    assert "max_iterations" in error["message"]
    assert ItemScope.objects.filter(run=run).count() == 4
    assert_consistent(run)


def test_a_round_that_fails_fails_the_loop(start_run: Start, worker: HandWorker) -> None:
    run = start_run(looped(times=3))
    worker.go()
    worker.complete({"loop[0]/call": 1})

    worker.complete({"loop[1]/call": Failed("http_status", "The server answered 500.")})

    assert error_of(run)["node_id"] == "call"
    assert statuses(run)["loop"] == "failed"
    assert Container.objects.get(step__run=run).failed == 1


@pytest.mark.parametrize("config", [{"while_": "state.x"}, {"times": 1, "next": "{{ 1 // 0 }}"}])
def test_a_condition_or_state_that_cannot_be_computed_fails_the_loop(
    start_run: Start, worker: HandWorker, config: dict[str, Any]
) -> None:
    run = start_run(looped(add("x"), state=1, **config))

    worker.go()

    assert (error_of(run)["code"], error_of(run)["node_id"]) == ("expression_failed", "loop")
    assert_consistent(run)


def test_loops_stand_in_maps_and_maps_in_loops(start_run: Start, worker: HandWorker) -> None:
    grow = {
        "id": "grow",
        "kind": "data.template",
        "parent": "more",
        "config": {"text": "{{ state }}{{ item }}{{ nodes.each.index }}"},
    }
    run = start_run(
        document(
            [
                loop("outer", times=2, state=0, next="{{ nodes.each.output }}"),
                each("each", ["a", "b"], parent="outer"),
                loop("more", parent="each", over=[1, 2], state="{{ nodes.each.item }}"),
                grow,
                give("end", "{{ nodes.outer.output }}"),
            ],
            ["outer -> end"],
        )
    )

    worker.go()

    assert outputs(run) == {"end": ["a1020", "b1121"]}
    assert_consistent(run)


def test_a_loop_of_a_thousand_rounds_is_gone_through_pass_by_pass(
    start_run: Start, worker: HandWorker
) -> None:
    run = start_run(looped(add("{{ round }}"), times=1000, max_iterations=1000, next="{{ round }}"))

    while run.status != "succeeded":
        worker.go()
        run.refresh_from_db()

    assert outputs(run) == {"end": 999}


def test_an_end_inside_a_loop_ends_the_run_with_its_value(
    start_run: Start, worker: HandWorker
) -> None:
    stop = {"id": "stop", "kind": "flow.stop", "parent": "loop", "config": {"value": "{{ round }}"}}
    graph = document([loop(times=5), stop, work("beside")], [])
    run = start_run(graph)

    worker.go()

    assert outputs(run) == {"stop": 0}
    assert statuses(run)["beside"] == "cancelled"
    assert_consistent(run)


def test_an_end_with_an_error_fails_the_run_with_the_authors_words(
    start_run: Start, worker: HandWorker
) -> None:
    config = {"fail": True, "message": "{{ nodes.a.output }} is not enough."}
    stop = {"id": "stop", "kind": "flow.stop", "config": config}
    run = start_run(document([work("a"), stop, work("b")], ["a -> stop"]))
    worker.go()

    finished = worker.complete({"a": "This"})

    assert (error_of(run)["code"], error_of(run)["message"]) == ("stopped", "This is not enough.")
    assert statuses(run) == {"a": "succeeded", "stop": "failed", "b": "cancelled"}
    assert len(finished.announcement.stopped) == 1
