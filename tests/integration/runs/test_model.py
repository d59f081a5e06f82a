"""A random program of workers, people and the sweeper, against a model that only reckons."""

from typing import Any

import pytest
from django.db import transaction
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from backend.engine.outcomes import Failed, Succeeded
from backend.engine.state import FINAL_RUN
from backend.runs.models import Container, Step
from backend.runs.patching import Author
from backend.runs.services.cancel import cancel_run
from backend.runs.services.change import ChangeRefused, change_graph
from backend.runs.services.finish import Completion, Finished
from backend.runs.services.steer import pause_run, resume_run
from backend.runs.services.sweep import sweep
from tests.integration.people import Person
from tests.integration.runs.ahead_worker import AheadWorker, assert_same
from tests.integration.runs.hand_worker import (
    HandWorker,
    assert_consistent,
    each,
    expire,
    start,
    work,
)
from tests.integration.runs.model import ITEMS, End, Model, Node, Told
from workers.sandbox.evaluator import Evaluator

MOST_DEATHS = 2


def written(name: str, node: Node) -> dict[str, Any]:
    """A node of the model as a document writes it."""
    retry = {"max_attempts": node.retries + 1, "initial_s": 0}
    policy = {"on_error": node.on_error, "retry": retry}
    match node.kind:
        case "map":
            return dict(each(name, ITEMS, on_item_error="drop"))
        case "join":
            return {"id": name, "kind": "flow.join", "config": {"mode": node.mode}}
        case _:
            return work(name, policy=policy, parent=node.parent)


def written_edge(edge: tuple[str, str, str]) -> dict[str, str]:
    source, port, target = edge
    return {"from": f"{source}:{port}", "to": target}


@st.composite
def graphs(draw: st.DrawFn) -> Model:
    """Small graphs with branches, error ports, joins and, sometimes, a map."""
    nodes: dict[str, Node] = {}
    edges: set[tuple[str, str, str]] = set()
    for number in range(draw(st.integers(2, 5))):
        name = f"n{number}"
        top = sorted(n for n, node in nodes.items() if node.parent is None)
        before = draw(st.lists(st.sampled_from(top), unique=True, max_size=3)) if top else []
        kinds = ["work", "work", "map"] + ["join", "join"] * (len(before) > 1)
        nodes[name] = node = Node(draw(st.sampled_from(kinds)))
        if node.kind == "join":
            node.mode = draw(st.sampled_from(["all", "any", "first"]))
        if node.kind == "work":
            node.on_error = draw(st.sampled_from(["fail", "continue", "route"]))
            node.retries = draw(st.integers(0, 1))
        if node.kind == "map":
            nodes[f"{name}x"] = Node(parent=name, retries=1)
            nodes[f"{name}y"] = Node(parent=name, on_error="continue")
            edges.add((f"{name}x", "out", f"{name}y"))
        for source in before:
            ports = ["out", "error"] if nodes[source].on_error == "route" else ["out"]
            edges.add((source, draw(st.sampled_from(ports)), name))
    return Model(nodes, edges)


class RunMachine(RuleBasedStateMachine):
    """One run, two workers that store at once, and one that runs ahead."""

    person: Person
    evaluator: Evaluator

    def __init__(self) -> None:
        super().__init__()
        self.atomic = transaction.atomic()
        self.atomic.__enter__()
        self.workers = [HandWorker(self.evaluator), HandWorker(self.evaluator)]
        self.ahead = AheadWorker(self.evaluator)
        self.used: list[Completion] = []
        self.ends: dict[str, End] = {}
        self.deaths = 0
        self.added = 0

    @initialize(model=graphs())
    def begin(self, model: Model) -> None:
        self.model = model
        nodes = [written(name, node) for name, node in model.nodes.items()]
        graph = {"schema": "heddle/1", "name": "A model", "nodes": nodes}
        graph["edges"] = [written_edge(edge) for edge in sorted(model.edges)]
        self.run = start(self.person, graph)

    @invariant()
    def the_rows_are_what_the_model_expects(self) -> None:
        statuses = self._learn()
        expected = self.model.expected()
        assert statuses.keys() == expected.keys()
        assert not {p: (s, expected[p]) for p, s in statuses.items() if s not in expected[p]}
        assert_consistent(self.run)
        is_over = self.model.end is not None or self.model.is_over()
        assert (self.run.status in FINAL_RUN) == is_over
        assert not is_over or self.run.status == (self.model.end or "succeeded")

    def _learn(self) -> dict[str, str]:
        """Read the rows; what was evaluated along the way must have had its time."""
        rows = Step.objects.filter(run=self.run).order_by("no")
        statuses = dict(rows.values_list("path", "status"))
        begun = Container.objects.filter(step__run=self.run, begun__gt=0)
        opened = set(begun.values_list("step__path", flat=True))
        self.model.opened |= opened - self.model.removed
        inline = [name for name, node in self.model.nodes.items() if node.kind != "work"]
        for _ in inline:
            for name in inline:
                is_new = statuses[name] == "succeeded" and name not in self.model.told
                if is_new and self.model.is_explained(name):
                    self.model.told[name] = Told("succeeded")
        return statuses

    # -- workers ----------------------------------------------------------------------------------

    @rule(which=st.integers(0, 1), evaluates=st.booleans())
    def pull(self, which: int, evaluates: bool) -> None:
        worker = self.workers[which]
        if worker.seat.free > 0 and evaluates:
            worker.go()
        elif worker.seat.free > 0:
            worker.pull()

    @precondition(lambda self: any(worker.held for worker in self.workers))
    @rule(data=st.data(), which=st.integers(0, 1), goes_on=st.booleans())
    def complete(self, data: st.DataObject, which: int, goes_on: bool) -> None:
        worker = self.workers[which] if self.workers[which].held else self.workers[1 - which]
        paths = data.draw(st.lists(st.sampled_from(sorted(worker.held)), min_size=1, unique=True))
        completions = [self._end(data, worker, path) for path in paths]
        finished = worker.finish(completions, go_on=goes_on)
        self._accept(completions, finished)

    @precondition(lambda self: self.used)
    @rule(data=st.data())
    def complete_again_or_too_late(self, data: st.DataObject) -> None:
        again = data.draw(st.sampled_from(self.used))
        assert self.workers[1].finish([again]).fenced == [again]

    @precondition(lambda self: self.deaths < MOST_DEATHS)
    @rule(which=st.integers(0, 2))
    def die(self, which: int) -> None:
        self.deaths += 1
        worker = [*self.workers, self.ahead][which]
        expire(worker.session_id)
        sweep()
        if which == 2:
            self.ahead.forget()
        self.used += [worker.completion(path, "from the dead") for path in list(worker.held)]
        if which == 2:
            self.ahead = AheadWorker(self.evaluator)
        else:
            self.workers[which] = HandWorker(self.evaluator)

    # -- the worker that runs ahead ---------------------------------------------------------------

    @precondition(lambda self: self.ahead.live is None and self.ahead.seat.free > 0)
    @rule()
    def keep(self) -> None:
        self.ahead.keep()
        if self.ahead.live is not None and self.ahead.live.end is not None:
            self.ahead.forget()

    @precondition(lambda self: self.ahead.live is not None and self.ahead.live.end is None)
    @rule(data=st.data())
    def go_ahead(self, data: st.DataObject) -> None:
        if paths := sorted(p for p in self.ahead.held if self._is_work(p)):
            path = data.draw(st.sampled_from(paths))
            outcome = data.draw(self._outcomes(path))
            lease = self.ahead.held[path].lease_id
            self.ends[lease] = self._end_of(path, outcome)
            self.ahead.go_ahead({path: outcome})

    @precondition(lambda self: self.ahead.live is not None)
    @rule()
    def commit(self) -> None:
        completions = [*self.ahead.being_stored, *self.ahead.applied]
        takes_all = self.ahead.taken is None
        has_some = not takes_all or not self.ahead.run.draft.is_empty
        if self.ahead.commit():
            count = len(completions) - (0 if takes_all else len(self.ahead.applied))
            self._learn()
            for completion in completions[:count]:
                self.used.append(completion)
                self.model.complete([self.ends[completion.lease_id]])
            if has_some and self.ahead.run.draft.is_empty:
                assert_same(self.ahead.run)
            if self.ahead.run.end is not None and self.ahead.run.draft.is_empty:
                self.ahead.forget()
        else:
            finished = self.ahead.let_go()
            self._accept(self.ahead.redone, finished)

    # -- people and the sweeper -------------------------------------------------------------------

    @rule()
    def sweep(self) -> None:
        sweep(resolve=self.evaluator.evaluate_batch)

    @precondition(lambda self: self._goes_on())
    @rule(sure=st.integers(0, 9))
    def cancel(self, sure: int) -> None:
        if sure == 0:
            cancel_run(self.run.id, reason="Enough.")
            self.model.end = "cancelled"

    @precondition(lambda self: self._goes_on())
    @rule()
    def pause_or_resume(self) -> None:
        self.run.refresh_from_db()
        if self.run.status == "paused":
            resume_run(self.run.id)
        else:
            pause_run(self.run.id, reason="Wait.")

    @precondition(lambda self: self._goes_on())
    @rule(data=st.data())
    def add_a_node(self, data: st.DataObject) -> None:
        name = self._fresh_name()
        top = sorted(n for n, node in self.model.nodes.items() if node.parent is None)
        sources = data.draw(st.lists(st.sampled_from(top), max_size=2, unique=True))
        waiting = self.model.not_started()
        targets = data.draw(st.lists(st.sampled_from(waiting), max_size=1)) if waiting else []
        edges = [(s, "out", name) for s in sources] + [(name, "out", t) for t in targets]
        operations = [{"op": "add_edge", "edge": written_edge(edge)} for edge in edges]
        operations.insert(0, {"op": "add_node", "node": work(name)})
        if any(self.model.leads(target, source) for target in targets for source in sources):
            with pytest.raises(ChangeRefused, match="wait for each other"):
                self._change(*operations)
            return
        self._change(*operations)
        self.model.nodes[name] = Node()
        self.model.edges |= set(edges)

    @precondition(lambda self: self._goes_on() and self.model.removable())
    @rule(data=st.data())
    def remove_a_node(self, data: st.DataObject) -> None:
        name = data.draw(st.sampled_from(self.model.removable()))
        self._change({"op": "remove_node", "id": name})
        self.model.remove(name)

    @precondition(lambda self: self._goes_on())
    @rule(data=st.data())
    def try_to_remove_what_has_started(self, data: st.DataObject) -> None:
        begun = sorted({path for path in self.model.told if "/" not in path})
        if begun:
            with pytest.raises(ChangeRefused):
                self._change({"op": "remove_node", "id": data.draw(st.sampled_from(begun))})

    # -- to the end -------------------------------------------------------------------------------

    def teardown(self) -> None:
        try:
            if hasattr(self, "run"):
                self._go_to_the_end()
        finally:
            # The next program finds nothing of this one.
            transaction.set_rollback(True)
            self.atomic.__exit__(None, None, None)

    def _go_to_the_end(self) -> None:
        for _ in range(200):
            if not self._goes_on():
                break
            self._go_on()
        self.the_rows_are_what_the_model_expects()
        assert not self._goes_on()

    def _go_on(self) -> None:
        self.run.refresh_from_db()
        if self.run.status == "paused":
            self.pause_or_resume()
        while self.ahead.live is not None:
            self.commit()
            if self.ahead.live is not None and self.ahead.run.draft.is_empty:
                self.ahead.forget()
        for worker in (*self.workers, self.ahead):
            worker.go()
            paths = [path for path in worker.held if self._is_work(path)]
            others = {p: worker.outcome_of(p) for p in worker.held if p not in paths}
            completions = [worker.completion(path, path) for path in paths]
            completions += [worker.completion(path, outcome) for path, outcome in others.items()]
            for completion, path in zip(completions, paths, strict=False):
                self.ends[completion.lease_id] = End(path, succeeded=True)
            self._accept(completions, worker.finish(completions))
            self._learn()

    # -- what they have in common -----------------------------------------------------------------

    def _goes_on(self) -> bool:
        return self.model.end is None and not self.model.is_over()

    def _is_work(self, path: str) -> bool:
        return self.model.nodes.get(path.rpartition("/")[2], Node()).kind == "work"

    def _fresh_name(self) -> str:
        self.added += 1
        return f"new{self.added}"

    def _outcomes(self, path: str) -> st.SearchStrategy[Any]:
        ways = [
            st.just(Succeeded(path)),
            st.just(Failed("broken", "It broke.")),
            st.just(Failed("broken", "It broke.", retryable=True)),
        ]
        if "/" not in path and self.model.nodes.get(path) is not None:
            name = self._fresh_name()
            edge = {"op": "add_edge", "edge": written_edge((path, "out", name))}
            patch = [{"op": "add_node", "node": work(name)}, edge]
            ways.append(st.just(Succeeded(path, patch=patch)))
        return st.one_of(ways[0], *ways)

    def _end_of(self, path: str, outcome: Any) -> End:
        if isinstance(outcome, Failed):
            return End(path, succeeded=False, retryable=outcome.retryable)
        added = [op["node"]["id"] for op in outcome.patch if op["op"] == "add_node"]
        return End(path, succeeded=True, adds={name: (path, "out", name) for name in added})

    def _end(self, data: st.DataObject, worker: HandWorker, path: str) -> Completion:
        if not self._is_work(path):
            return worker.completion(path, worker.outcome_of(path))
        outcome = data.draw(self._outcomes(path))
        completion = worker.completion(path, outcome)
        self.ends[completion.lease_id] = self._end_of(path, outcome)
        return completion

    def _accept(self, completions: list[Completion], finished: Finished) -> None:
        fenced = {completion.lease_id for completion in finished.fenced}
        self.used += completions
        self._learn()
        taken = [c.lease_id for c in completions if c.lease_id not in fenced]
        self.model.complete([self.ends[lease] for lease in taken if lease in self.ends])

    def _change(self, *operations: dict[str, Any]) -> None:
        self.run.refresh_from_db()
        change_graph(self.run.id, operations, base=self.run.plan_version, author=Author())


def test_a_run_is_what_the_model_reckons_whatever_happens(
    alice: Person, evaluator: Evaluator
) -> None:
    class Machine(RunMachine):
        pass

    Machine.person, Machine.evaluator = alice, evaluator
    run_state_machine_as_test(
        Machine,
        settings=settings(
            max_examples=25,
            stateful_step_count=25,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
