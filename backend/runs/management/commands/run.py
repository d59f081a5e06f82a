"""Runs a document on this installation and shows its progress in the terminal."""

import json
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from backend.engine.errors import DomainError
from backend.engine.events import Event
from backend.engine.state import FINAL_RUN, RunStatus
from backend.runs import log
from backend.runs.management.progress import describe
from backend.runs.models import Run
from backend.runs.read import outputs_of
from backend.runs.services.cancel import RunNotCancellable, cancel_run
from backend.runs.services.start import RunRequest, start_run
from backend.workflows.models import Workflow
from backend.workflows.services.drafts import create_workflow
from backend.workflows.services.exchange import read_text
from backend.workspaces.models import Member
from backend.workspaces.principal import Principal

POLL_S = 0.1


class Command(BaseCommand):
    help = "Run a workflow document (JSON or YAML) on this installation, with live progress."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, help="the document, .json or .yaml")
        parser.add_argument(
            "--input",
            action="append",
            default=[],
            metavar="KEY=VALUE",
            help="an input; a value that is JSON is read as such (repeatable)",
        )
        parser.add_argument("--inputs-file", type=Path, help="a JSON object with all inputs")
        parser.add_argument("--deadline", type=float, metavar="SECONDS", help="the run's deadline")
        parser.add_argument(
            "--workspace", metavar="ID", help="the workspace; the installation's first otherwise"
        )
        parser.add_argument("--quiet", action="store_true", help="print the outputs alone")

    def handle(self, *args: Any, **options: Any) -> None:
        document = _read_document(options["file"])
        inputs = _read_inputs(options["inputs_file"], options["input"])
        principal = _principal(options["workspace"])
        try:
            run = _start(principal, document, inputs, options["deadline"])
            self._follow(run, document, quiet=options["quiet"])
        except DomainError as refused:
            raise CommandError(_in_words(refused)) from refused
        self._show_end(run)

    def _follow(self, run: Run, document: Mapping[str, Any], *, quiet: bool) -> None:
        names = {node["id"]: node.get("label") or node["id"] for node in document["nodes"]}
        seen = 0
        started: dict[str, Event] = {}
        try:
            while True:
                events = log.read(run.id, after=seen)
                for event in events:
                    seen = event.seq
                    self._tell(event, names, started, quiet=quiet)
                if events and events[-1].type.startswith("run.") and _has_ended(run):
                    return
                time.sleep(POLL_S)
        except KeyboardInterrupt:
            _cancel(run)
            self._follow(run, document, quiet=quiet)

    def _tell(
        self, event: Event, names: Mapping[str, str], started: dict[str, Event], *, quiet: bool
    ) -> None:
        if event.type == "step.started" and event.step_id:
            started[event.step_id] = event
        line = describe(event, names, started.get(event.step_id or ""))
        if line and not quiet:
            self.stderr.write(line, self.style.NOTICE if "fail" in event.type else None)

    def _show_end(self, run: Run) -> None:
        run.refresh_from_db()
        if run.status == RunStatus.SUCCEEDED:
            outputs = outputs_of(run)
            self.stdout.write(json.dumps(outputs, ensure_ascii=False, indent=2))
            return
        message = run.error["message"] if run.error else "It was cancelled."
        node = f" ({run.error['node_id']})" if run.error and run.error["node_id"] else ""
        raise CommandError(f"The run {run.status}{node}: {message}")


def _read_document(path: Path) -> dict[str, Any]:
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise CommandError(f"{path} cannot be read: {error}") from error
    try:
        document = read_text(text, format="json" if path.suffix == ".json" else "yaml")
    except DomainError as refused:
        raise CommandError(f"{path}: {refused.detail}") from refused
    if not isinstance(document, dict) or not isinstance(document.get("nodes"), list):
        raise CommandError(f"{path} holds no workflow document.")
    return document


def _read_inputs(file: Path | None, pairs: list[str]) -> dict[str, Any]:
    inputs: Any = {}
    if file is not None:
        try:
            inputs = json.loads(file.read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise CommandError(f"{file} holds no JSON: {error}") from error
        if not isinstance(inputs, dict):
            raise CommandError(f"{file} holds no JSON object.")
    for pair in pairs:
        key, equals, text = pair.partition("=")
        if not equals:
            raise CommandError(f"--input {pair}: write it as key=value.")
        inputs[key] = _value(text)
    return dict(inputs)


def _value(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


def _principal(workspace_id: str | None) -> Principal:
    members = Member.objects.filter(role=Member.Role.OWNER).order_by("created_at")
    if workspace_id:
        members = members.filter(workspace_id=workspace_id)
    member = members.first()
    if member is None:
        raise CommandError("There is no such workspace; start Heddle once with bin/up.")
    return Principal(workspace_id=member.workspace_id, user_id=member.user_id)


def _start(
    principal: Principal, document: Mapping[str, Any], inputs: Mapping[str, Any], deadline: float
) -> Run:
    # Runs of a file belong to the workflow of its name; that workflow's own draft stays as it is.
    name = str(document.get("name"))
    workflow = Workflow.objects.visible_to(principal).filter(name=name).first()
    if workflow is None:
        workflow = create_workflow(principal=principal, document=document)
    request = RunRequest(inputs=inputs, document=document, deadline_s=deadline)
    return start_run(principal=principal, workflow=workflow, request=request, trigger="cli").run


def _has_ended(run: Run) -> bool:
    return Run.objects.filter(id=run.id, status__in=FINAL_RUN).exists()


def _cancel(run: Run) -> None:
    try:
        cancel_run(run.id, reason="Cancelled at the terminal.")
    except RunNotCancellable:
        return


def _in_words(refused: DomainError) -> str:
    lines = [f"  {i['path']}: {i['message']}" for i in refused.issues or () if isinstance(i, dict)]
    return "\n".join([refused.detail, *lines])
