"""A worker driven by hand: it pulls, runs inline kinds, and completes what it is told to."""

from typing import Any
from uuid import UUID

from django.db import connection

from backend.engine.outcomes import Outcome, Succeeded
from backend.runs import results
from backend.runs.inline import compute
from backend.runs.live import Claimed
from backend.runs.models import Run, RunEvent, Step
from backend.runs.services.finish import Completion, Finished, Seat, finish
from backend.runs.services.load import load
from backend.runs.services.pull import pull
from backend.runs.services.sessions import open_session
from backend.runs.services.start import RunRequest, start_run
from backend.workflows.models import Workflow
from tests.integration.people import Person, create_workflow
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
        """Claim what is ready; gives the nodes claimed."""
        pulled = pull(self.seat)
        return self.hold(pulled.claimed)

    def hold(self, claimed: list[Claimed]) -> list[str]:
        for item in claimed:
            self.held[item.path] = item
        return [item.path for item in claimed]

    def complete(self, outcomes: dict[str, Any], *, go_on: bool = True) -> Finished:
        """Complete held steps by node; what is no outcome is the output of a success."""
        completions = [self.completion(node, outcome) for node, outcome in outcomes.items()]
        return self.finish(completions, go_on=go_on)

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
        finished = finish(
            completions,
            resolve=self.evaluator.evaluate_batch,
            seat=self.seat if go_on else None,
        )
        self.hold(finished.claimed)
        return finished

    def begin(self) -> list[str]:
        """Claim what is ready and complete inline kinds, until only real work is held."""
        self.pull()
        inline = {
            n: c for n, c in self.held.items() if Step.objects.get(id=c.step_id).kind in INLINE
        }
        if inline:
            prepared = load(list(inline.values()), resolve=self.evaluator.evaluate_batch)
            self.complete(
                {node: compute(prepared[c.lease_id]) for node, c in inline.items()}
            )
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


def work(name: str, **fields: Any) -> dict[str, Any]:
    """A node that is no inline kind; the tests complete it by hand."""
    return {"id": name, "kind": "data.transform", "config": {"code": "1"}, **fields}


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
    open_steps = Step.objects.filter(run=run).exclude(
        status__in=["succeeded", "failed", "skipped", "cancelled"]
    )
    assert run.open_steps == open_steps.count()
    if run.status in ("succeeded", "failed", "cancelled"):
        assert run.open_steps == 0
    success = RunEvent.objects.filter(run=run, type="step.succeeded").values_list("path", flat=True)
    succeeded = Step.objects.filter(run=run, status="succeeded").values_list("path", flat=True)
    assert sorted(success) == sorted(succeeded)


def expire(session_id: UUID) -> None:
    """Let a session's time run out, as if its process had stopped an hour ago."""
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE runs_workersession SET expires_at = now() - interval '1 hour' WHERE id = %s",
            [session_id],
        )
