"""Graphs that change while their run goes on."""

from collections.abc import Callable, Mapping
from types import SimpleNamespace
from typing import Any

import pytest

from backend.engine.outcomes import Succeeded
from backend.nodes.base import Outcome
from backend.runs.models import GraphChange, Run, RunEvent, Step
from backend.runs.patching import Author
from backend.runs.services.cancel import cancel_run
from backend.runs.services.change import ChangeRefused, PlanMoved, RunOver, change_graph
from backend.runs.services.load import load
from backend.runs.services.steer import pause_run, resume_run
from tests.integration.runs.hand_worker import (
    HandWorker,
    assert_consistent,
    document,
    each,
    error_of,
    give,
    log_of,
    outputs,
    statuses,
    work,
)
from workers import runner

Start = Callable[..., Run]
CHAIN = document([work("a"), work("b")], ["a -> b"])


def add(node: Mapping[str, Any]) -> dict[str, Any]:
    return {"op": "add_node", "node": node}


def replace(node: Mapping[str, Any]) -> dict[str, Any]:
    return {"op": "replace_node", "node": node}


def remove(name: str) -> dict[str, Any]:
    return {"op": "remove_node", "id": name}


def connect(edge: str) -> dict[str, Any]:
    source, target = edge.split(" -> ")
    return {"op": "add_edge", "edge": {"from": source, "to": target}}


def disconnect(edge: str) -> dict[str, Any]:
    return {**connect(edge), "op": "remove_edge"}


def patched(output: Any, *operations: Mapping[str, Any]) -> Succeeded:
    return Succeeded(output, patch=operations)


def text(name: str, template: str) -> dict[str, Any]:
    return {"id": name, "kind": "data.template", "config": {"text": template}}


def change(run: Run, *operations: Mapping[str, Any], base: int = 0) -> int:
    return change_graph(run.id, operations, base=base, author=Author(note="by hand"))


def test_steps_that_a_step_adds_behind_itself_start_at_once_with_its_result(
    start_run: Start, worker: HandWorker
) -> None:
    run = start_run(document([work("plan")], []))
    worker.go()

    code = "nodes.plan.output + run['started_at'][:2]"
    finished = worker.complete(
        {
            "plan": patched(
                "made ",
                add(work("one", code=code)),
                add(work("two")),
                connect("plan -> one"),
                connect("plan -> two"),
            )
        }
    )

    assert sorted(worker.held) == ["one", "two"]
    prepared = load(finished.claimed, resolve=worker.resolve)
    assert all(item.failure is None for item in prepared.values())
    worker.run_node("one")
    worker.complete({"two": 2})
    assert Step.objects.get(run=run, path="one").output.value == "made 20"
    assert_consistent(run)


def test_a_kind_may_return_a_change_with_its_outcome(
    start_run: Start, worker: HandWorker, monkeypatch: pytest.MonkeyPatch
) -> None:
    operations = [add(give("end", "{{ nodes.a.output }}")), connect("a -> end")]

    async def run_node(*_: Any) -> Outcome:
        return Outcome(output="planned", patch=operations)

    monkeypatch.setattr(runner, "KINDS", {"data.transform": SimpleNamespace(run=run_node)})
    run = start_run(document([work("a")], []))
    worker.go()

    worker.run_node("a")

    assert outputs(run) == {"end": "planned"}


def test_a_change_is_numbered_told_and_kept_with_who_made_it(
    start_run: Start, worker: HandWorker
) -> None:
    run = start_run(CHAIN)
    before = run.graph_id
    worker.go()
    author = Step.objects.get(run=run, path="a")

    worker.complete({"a": patched(1, add(work("c")), connect("a -> c"), remove("b"))})

    run.refresh_from_db()
    kept = GraphChange.objects.get(run=run)
    assert (run.plan_version, kept.number, kept.step_id) == (1, 1, author.id)
    assert run.graph_id == kept.graph_id != before
    told = RunEvent.objects.get(run=run, type="plan.patched").data
    made = Step.objects.get(run=run, path="c")
    assert (told["number"], told["added"], told["removed"]) == (1, {"c": str(made.id)}, ["b"])
    assert [op["op"] for op in told["operations"]] == ["add_node", "add_edge", "remove_node"]
    assert statuses(run)["b"] == "cancelled"
    assert_consistent(run)


def test_what_is_added_may_hold_items_and_lead_to_what_was_there(
    start_run: Start, worker: HandWorker
) -> None:
    join = {"id": "join", "kind": "flow.join"}
    run = start_run(document([work("a"), work("b"), join], ["a -> join", "b -> join"]))
    worker.go()

    worker.complete(
        {
            "a": patched(
                [10, 20],
                add(each(over="{{ nodes.a.output }}")),
                add({**text("double", "{{ item * 2 }}"), "parent": "each"}),
                connect("a -> each"),
                connect("each -> join"),
            )
        }
    )
    worker.complete({"b": 1})

    assert Step.objects.get(run=run, path="join").output.value == {
        "a": [10, 20],
        "b": 1,
        "each": ["20", "40"],
    }
    assert_consistent(run)


def test_a_node_that_waits_is_replaced_by_one_of_another_kind(
    start_run: Start, worker: HandWorker
) -> None:
    run = start_run(CHAIN)
    worker.go()

    worker.complete({"a": patched(1, replace(text("b", "{{ nodes.a.output + 1 }}")))})

    step = Step.objects.get(run=run, path="b")
    assert (step.kind, step.output.value) == ("data.template", "2")
    assert_consistent(run)


@pytest.mark.parametrize(
    ("operations", "says"),
    [
        ([replace(work("a"))], "a has started"),
        ([remove("beside")], "beside has started"),
        ([add(work("c")), connect("c -> beside")], "beside has started"),
        ([add(work("b"))], "b"),
        ([add({"id": "c", "kind": "no.such.kind"})], "no.such.kind"),
        ([add(work("c")), connect("b -> c"), connect("c -> b")], "wait for each other"),
        ([{"op": "explode"}], "op"),
        ([connect("a -> nowhere")], "nowhere"),
        ([add(text("c", "{{ nodes.nothing.output }}"))], "nothing"),
    ],
)
def test_a_change_that_is_not_valid_fails_its_step_and_changes_nothing(
    start_run: Start, worker: HandWorker, operations: list[Any], says: str
) -> None:
    run = start_run(document([work("a"), work("b"), work("beside")], ["a -> b"]))
    worker.go()

    worker.complete({"a": patched(1, *operations)})

    assert (error_of(run)["code"], error_of(run)["node_id"]) == ("bad_patch", "a")
    assert says in error_of(run)["message"]
    assert run.plan_version == 0
    assert not GraphChange.objects.filter(run=run).exists()
    assert_consistent(run)


def test_changes_of_one_transaction_build_on_each_other(
    start_run: Start, worker: HandWorker
) -> None:
    run = start_run(document([work("a"), work("b"), work("c")], ["b -> c"]))
    worker.go()

    worker.complete(
        {
            "a": patched(1, add(work("x")), connect("a -> x")),
            "b": patched(2, add(text("y", "{{ nodes.x.output }}")), connect("x -> y")),
        }
    )
    worker.complete({"x": "from x", "c": 1})

    run.refresh_from_db()
    assert (run.status, run.plan_version) == ("succeeded", 2)
    assert Step.objects.get(run=run, path="y").output.value == "from x"
    assert_consistent(run)


def test_an_edge_from_a_step_that_ended_in_the_same_transaction_is_counted_once(
    start_run: Start, worker: HandWorker
) -> None:
    run = start_run(document([work("a"), work("b"), work("c")], ["b -> c"]))
    worker.go()

    worker.complete({"a": 1, "b": patched(2, connect("a -> c"))})

    assert list(worker.held) == ["c"]
    assert_consistent(run)


def test_an_item_of_a_map_changes_the_graph_around_it(start_run: Start, worker: HandWorker) -> None:
    run = start_run(document([each(over=2), work("call", parent="each")], []))
    worker.go()

    worker.complete(
        {
            "each[1]/call": patched(
                "x", add(give("end", "{{ nodes.each.output }}")), connect("each -> end")
            )
        }
    )
    worker.complete({"each[0]/call": "y"})

    assert outputs(run) == {"end": ["y", "x"]}
    assert_consistent(run)


def test_new_steps_are_run_by_another_process_too(
    start_run: Start, worker: HandWorker, another_worker: HandWorker
) -> None:
    run = start_run(document([work("a")], []))
    worker.go()
    worker.complete({"a": patched(1, add(work("b")), connect("a -> b"))}, go_on=False)

    assert another_worker.go() == ["b"]
    another_worker.run_node("b")

    run.refresh_from_db()
    assert run.status == "succeeded"


def test_a_person_changes_a_run_under_way(start_run: Start, worker: HandWorker) -> None:
    run = start_run(CHAIN)
    worker.go()

    number = change(run, replace(give("b", "{{ nodes.a.output }}!")))
    worker.complete({"a": "changed"})

    assert number == 1
    assert outputs(run) == {"b": "changed!"}
    assert GraphChange.objects.get(run=run).note == "by hand"


def test_a_step_that_is_ready_waits_for_the_input_that_it_is_given(
    start_run: Start, worker: HandWorker
) -> None:
    run = start_run(document([work("slow"), work("a"), work("b")], ["a -> b"]))
    worker.go()
    worker.complete({"a": 1}, go_on=False)
    assert statuses(run)["b"] == "ready"

    change(run, connect("slow -> b"))

    assert statuses(run)["b"] == "pending"
    assert worker.go() == ["slow"]
    worker.complete({"slow": 1})
    assert list(worker.held) == ["b"]
    assert log_of(run).count("step.started b") == 1
    assert_consistent(run)


def test_a_step_goes_on_at_once_whose_missing_input_is_taken_away(
    start_run: Start, worker: HandWorker
) -> None:
    run = start_run(document([work("slow"), work("a"), work("b")], ["a -> b", "slow -> b"]))
    worker.go()
    worker.complete({"a": 1})

    change(run, disconnect("slow -> b"))

    assert worker.go() == ["b", "slow"]
    assert_consistent(run)


def test_a_change_upon_an_older_graph_is_refused(start_run: Start, worker: HandWorker) -> None:
    run = start_run(CHAIN)
    worker.go()
    change(run, add(work("c")))

    with pytest.raises(PlanMoved) as refused:
        change(run, add(work("d")))

    assert refused.value.extra["plan_version"] == 1
    assert "d" not in statuses(run)


def test_a_change_of_what_has_started_is_refused_to_people_too(
    start_run: Start, worker: HandWorker
) -> None:
    run = start_run(CHAIN)
    worker.go()

    with pytest.raises(ChangeRefused, match="a has started"):
        change(run, remove("a"))

    assert_consistent(run)


def test_the_graph_of_a_run_that_has_ended_stays(start_run: Start, worker: HandWorker) -> None:
    run = start_run(CHAIN)
    cancel_run(run.id, reason="Enough.")

    with pytest.raises(RunOver):
        change(run, add(work("c")))


def test_what_a_pause_holds_may_still_be_changed(start_run: Start, worker: HandWorker) -> None:
    run = start_run(CHAIN)
    worker.go()
    pause_run(run.id, reason="Paused by Alice.")
    worker.complete({"a": 1})
    assert statuses(run)["b"] == "held"

    change(run, replace(work("b", label="Another")))
    assert statuses(run)["b"] == "held"
    resume_run(run.id)

    assert worker.go() == ["b"]
    assert_consistent(run)


def test_removing_all_that_is_left_ends_the_run(start_run: Start, worker: HandWorker) -> None:
    run = start_run(CHAIN)
    worker.go()

    worker.complete({"a": patched(1, remove("b"))})

    run.refresh_from_db()
    assert run.status == "succeeded"
    assert_consistent(run)


def test_an_id_that_was_removed_may_be_used_again(start_run: Start, worker: HandWorker) -> None:
    run = start_run(CHAIN)
    worker.go()
    change(run, remove("b"))

    change(run, add(give("b", "{{ nodes.a.output }}")), connect("a -> b"), base=1)
    worker.complete({"a": "anew"})

    assert outputs(run) == {"b": "anew"}
    assert [step.status for step in Step.objects.filter(run=run, path="b").order_by("no")] == [
        "cancelled",
        "succeeded",
    ]
    assert_consistent(run)
