"""A worker driven by hand: it pulls, runs inline kinds, and completes what it is told to."""

import asyncio
from collections import Counter
from collections.abc import Callable, Iterable
from functools import partial
from types import SimpleNamespace
from typing import Any, cast
from uuid import UUID

from django.db import connection

from backend.engine.events import RunView, fold
from backend.engine.outcomes import Called, Outcome, Succeeded
from backend.engine.state import FINAL_RUN
from backend.runs import log, results
from backend.runs.calls import check_call
from backend.runs.inline import compute
from backend.runs.live import Claimed
from backend.runs.models import ItemScope, Run, RunEvent, Step
from backend.runs.plans import plan_of
from backend.runs.prepare import Resolve
from backend.runs.read import outputs_of
from backend.runs.rows import database_now
from backend.runs.services.finish import Completion, Finished, Seat, finish
from backend.runs.services.follow_up import follow_up
from backend.runs.services.load import load
from backend.runs.services.pull import pull
from backend.runs.services.sessions import open_session
from backend.runs.services.start import RunRequest, start_run
from backend.workflows.models import Workflow
from tests.integration.people import Person, create_workflow
from workers.runner import Watched, attempt
from workers.sandbox.evaluator import Evaluator


class HandWorker:
    """One session; `held` are the steps that it has claimed and not completed, by node."""

    def __init__(self, evaluator: Evaluator, *, slots: int = 100) -> None:
        self.evaluator = evaluator
        self.slots = slots
        self.session_id = open_session(lane="io", slots=slots)
        self.held: dict[str, Claimed] = {}

    @property
    def seat(self) -> Seat:
        return Seat(session_id=self.session_id, lane="io", free=self.slots - len(self.held))

    def pull(self) -> list[str]:
        """Claim what is ready; gives the paths claimed."""
        pulled = pull(self.seat)
        return self.hold(pulled.claimed)

    def go(self) -> list[str]:
        """Pull as a worker does that evaluates: inline kinds are computed. Gives what is held."""
        pulled = pull(self.seat, resolve=self.resolve)
        follow_up(pulled.announcement, resolve=self.resolve)
        self.hold(pulled.claimed)
        return sorted(self.held)

    @property
    def resolve(self) -> Resolve:
        return self.evaluator.evaluate_batch

    def hold(self, claimed: list[Claimed]) -> list[str]:
        for item in claimed:
            # Two runs of one workflow have the same paths.
            name = f"{item.path} of {item.run.id}" if item.path in self.held else item.path
            self.held[name] = item
        return [item.path for item in claimed]

    def complete(self, outcomes: dict[str, Any], *, go_on: bool = True) -> Finished:
        """Complete held steps by path; what is no outcome is the output of a success."""
        completions = [self.completion(path, outcome) for path, outcome in outcomes.items()]
        return self.finish(completions, go_on=go_on)

    def complete_all(self, output: Callable[[str], Any]) -> None:
        """Complete what is held, and what that unlocks, until nothing is left to do here."""
        while self.held:
            self.complete({path: output(path) for path in self.held})

    def completion(self, node: str, outcome: Any) -> Completion:
        claimed = self.held.pop(node)
        if not isinstance(outcome, Outcome):
            outcome = Succeeded(outcome)
        encoded = results.encode(outcome.output) if isinstance(outcome, Succeeded) else None
        return Completion(
            run_id=claimed.run.id,
            key=claimed.key,
            lease_id=claimed.lease_id,
            outcome=outcome,
            encoded=encoded,
        )

    def finish(self, completions: list[Completion], *, go_on: bool = True) -> Finished:
        finished = finish(completions, resolve=self.resolve, seat=self.seat if go_on else None)
        follow_up(finished.announcement, resolve=self.resolve)
        self.hold(finished.claimed)
        return finished

    def run_node(self, *paths: str) -> None:
        """Let kinds run that need nothing from outside, and complete their steps."""
        self.complete({path: self.outcome_of(path) for path in paths})

    def outcome_of(self, path: str) -> Outcome:
        claimed = self.held[path]
        prepared = load([claimed], resolve=self.resolve)[claimed.lease_id]
        context = SimpleNamespace(
            now=database_now(),
            evaluate=partial(self.evaluator.run_code_aside, scope=prepared.scope),
        )
        outcome, _ = asyncio.run(attempt(prepared, cast("Watched", context)))
        if isinstance(outcome, Called):
            run = claimed.run
            return check_call(outcome, workspace_id=run.workspace_id, depth=run.depth)
        return outcome

    def finish_without_evaluator(self, completions: list[Completion]) -> Finished:
        """Complete as a process does that evaluates nothing and goes on with nothing."""
        finished = finish(completions)
        follow_up(finished.announcement)
        return finished

    def begin(self) -> list[str]:
        """Claim what is ready and complete inline kinds, until only real work is held."""
        self.pull()
        inline = {
            n: c for n, c in self.held.items() if Step.objects.get(id=c.step_id).kind in INLINE
        }
        if inline:
            prepared = load(list(inline.values()), resolve=self.resolve)
            self.complete({node: compute(prepared[c.lease_id]) for node, c in inline.items()})
        return sorted(self.held)


INLINE = {"io.input", "io.output", "data.set", "data.template", "flow.branch", "flow.join"}


def start(person: Person, document: dict[str, Any], **options: Any) -> Run:
    workflow = Workflow.objects.get(id=create_workflow(person, document)["id"])
    started = start_run(
        principal=person.principal,
        workflow=workflow,
        request=RunRequest(**options),
        trigger="api",
    )
    return started.run


def work(name: str, *, code: str = "1", **fields: Any) -> dict[str, Any]:
    """A node that is no inline kind; the tests complete it by hand."""
    return {"id": name, "kind": "data.transform", "config": {"code": code}, **fields}


def each(name: str = "each", over: Any = 3, *, parent: str | None = None, **config: Any) -> Any:
    """A map; what stands in it names it as its parent."""
    return {"id": name, "kind": "flow.map", "parent": parent, "config": {"over": over, **config}}


def loop(name: str = "loop", *, parent: str | None = None, **config: Any) -> Any:
    """A loop; as `while` is a keyword, a test writes `while_`."""
    named = {key.rstrip("_"): value for key, value in config.items()}
    return {"id": name, "kind": "flow.loop", "parent": parent, "config": named}


def give(name: str, value: Any, **fields: Any) -> dict[str, Any]:
    """A node that gives a value among the run's outputs."""
    return {"id": name, "kind": "io.output", "config": {"value": value}, **fields}


def outputs(run: Run) -> dict[str, Any]:
    run.refresh_from_db()
    assert run.status == "succeeded", run.error
    return dict(outputs_of(run) or {})


def error_of(run: Run) -> dict[str, Any]:
    run.refresh_from_db()
    assert run.status == "failed"
    return dict(run.error or {})


def document(nodes: list[dict[str, Any]], edges: list[str]) -> dict[str, Any]:
    """A document; edges are written `a -> b`."""
    pairs = [edge.split(" -> ") for edge in edges]
    return {
        "schema": "heddle/1",
        "name": "A test",
        "nodes": nodes,
        "edges": [{"from": source, "to": target} for source, target in pairs],
    }


def statuses(run: Run) -> dict[str, str]:
    return dict(Step.objects.filter(run=run).values_list("path", "status"))


def log_of(run: Run) -> list[str]:
    """The run's log as `type node`."""
    rows = RunEvent.objects.filter(run=run).order_by("seq").values_list("type", "path")
    return [f"{type_} {path}".strip() for type_, path in rows]


def assert_consistent(run: Run) -> None:
    """What must hold of every run at any time, read from its rows."""
    run.refresh_from_db()
    numbers = list(RunEvent.objects.filter(run=run).order_by("seq").values_list("seq", flat=True))
    assert numbers == list(range(1, run.event_seq + 1))
    rows = Step.objects.filter(run=run).order_by("scope", "no")
    open_steps = Counter(step.scope for step in rows if not step.is_final)
    assert (run.open_steps, run.made_steps) == (open_steps.total(), len(rows))
    assert run.status not in FINAL_RUN or run.open_steps == 0
    scopes = ItemScope.objects.filter(run=run)
    assert {scope.no: scope.open for scope in scopes} == {s.no: open_steps[s.no] for s in scopes}
    assert run.scope_count >= len(scopes)
    seen = {UUID(view.id): view.status for view in told(run).steps.values()}
    assert seen.items() <= {step.id: step.status for step in rows}.items()
    success = RunEvent.objects.filter(run=run, type="step.succeeded").values_list("path", flat=True)
    assert sorted(success) == sorted(step.path for step in rows if step.status == "succeeded")
    if run.status not in FINAL_RUN:
        assert_counted(run, rows)


def assert_counted(run: Run, rows: Iterable[Step]) -> None:
    """Every step that waits knows how many of its inputs are open and were taken."""
    plan = plan_of(run.graph_id)
    steps = {(step.scope, step.no): step for step in rows}
    for step in steps.values():
        if step.status == "pending":
            edges = plan.incoming[step.no]
            sources = [(steps[step.scope, edge.source], edge.source_port) for edge in edges]
            assert step.pending == sum(not source.is_final for source, _ in sources)
            assert step.taken == sum(port in source.ports for source, port in sources)


def told(run: Run) -> RunView:
    """The run as its log tells it."""
    return fold(log.read(run.id, after=0, limit=100_000))


def expire(session_id: UUID) -> None:
    """Let a session's time run out, as if its process had stopped an hour ago."""
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE runs_workersession SET expires_at = now() - interval '1 hour' WHERE id = %s",
            [session_id],
        )
