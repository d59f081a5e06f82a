"""Runs and steps as rows in whatever state a test needs, without a worker."""

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from uuid import UUID, uuid4

from django.db import connection, transaction

from backend.api.sql import execute, query
from backend.limits.seats import Admission, Candidate, admit
from backend.runs.models import Run, Step, WorkerSession
from backend.workflows.models import Workflow
from backend.workflows.services.graphs import runnable_graph
from tests.integration.people import Person, create_workflow, some_document


@dataclass
class Work:
    """A person's run, to which a test adds steps."""

    person: Person
    run: Run = field(init=False)
    session: UUID = field(init=False)
    made: int = 0

    def __post_init__(self) -> None:
        document = some_document()
        workflow = Workflow.objects.get(id=create_workflow(self.person, document)["id"])
        self.run = Run.objects.create(
            workspace=self.person.workspace,
            workflow=workflow,
            graph=runnable_graph(workspace_id=self.person.workspace.id, document=document),
            trigger=Run.Trigger.API,
            status="running",
        )
        now = self.run.created_at
        self.session = WorkerSession.objects.create(
            host="here",
            pid=1,
            lane="io",
            slots=10,
            started_at=now,
            heartbeat_at=now,
            expires_at=now,
        ).id

    @property
    def workspace_id(self) -> UUID:
        return self.person.workspace.id

    def add(self, count: int, *keys: str, status: str = "ready", held: bool = True) -> list[UUID]:
        """Add steps; `held` says whether a worker's session has those that run."""
        session = self.session if status == "running" and held else None
        steps = Step.objects.bulk_create(
            Step(
                run=self.run,
                no=number,
                node="a",
                path=f"a{number}",
                kind="llm.chat",
                lane="io",
                workspace_id=self.workspace_id,
                status=status,
                attempt=1,
                lease_id=uuid4(),
                session_id=session,
                limits=list(keys),
            )
            for number in range(self.made, self.made + count)
        )
        self.made += count
        return [step.id for step in steps]

    def candidates(self, ids: Sequence[UUID], *keys: str) -> list[Candidate]:
        return [Candidate(step_id, self.workspace_id, keys) for step_id in ids]

    def claim(self, ids: Sequence[UUID], *keys: str) -> Admission:
        """Start what is admitted, as a worker does: in one transaction."""
        with transaction.atomic():
            admission = admit(self.candidates(ids, *keys))
            self.set_status(admission.granted, "running")
        return admission

    def set_status(self, ids: Sequence[UUID], status: str) -> None:
        statement = "UPDATE runs_step SET status = %s, session_id = %s WHERE id = ANY(%s)"
        execute(statement, [status, self.session if status == "running" else None, list(ids)])

    def running(self, key: str) -> int:
        statement = "SELECT count(*) FROM runs_step WHERE status = 'running' AND limits @> %s"
        return int(query(f"{statement}::varchar[]", [[key]])[0][0])


def on_threads(acts: Sequence[Callable[[], None]]) -> None:
    """Let all of them act at the same time, each on a connection of its own; raises what failed."""
    errors: list[BaseException] = []

    def run(act: Callable[[], None]) -> None:
        try:
            act()
        except BaseException as error:  # noqa: BLE001 - raised below, in the test's own thread
            errors.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=(act,)) for act in acts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert not any(thread.is_alive() for thread in threads)
    if errors:
        raise errors[0]
