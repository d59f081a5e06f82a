"""Make the first administrator, workspace, samples and API key; repeat it as often as you like."""

import json
import os
from dataclasses import asdict
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from backend.workflows.services.first_setup import Made, SetupRefused, Wishes, set_up

SAMPLES = settings.BASE_DIR / "gallery" / "samples"


class Command(BaseCommand):
    help = "Make the first administrator, workspace, samples and API key, as far as they miss."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--json", action="store_true", help="print what was made as JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        wishes = Wishes(
            email=os.environ.get("HEDDLE_ADMIN_EMAIL", "").strip(),
            password=os.environ.get("HEDDLE_ADMIN_PASSWORD", ""),
            api_key=os.environ.get("HEDDLE_BOOTSTRAP_API_KEY", "").strip(),
        )
        try:
            made = set_up(wishes=wishes, samples=SAMPLES.glob("*.yaml"))
        except SetupRefused as error:
            raise CommandError(str(error)) from error
        self.stdout.write(json.dumps(asdict(made)) if options["json"] else _told(made))


def _told(made: Made) -> str:
    lines = []
    if made.email:
        lines.append(f"Made the first administrator: {made.email}")
    if made.password:
        lines.append(f"Password, shown once: {made.password}")
    if made.api_key:
        lines.append(f"API key, shown once:  {made.api_key}")
    if made.workspace:
        lines.append(f"Made the workspace {made.workspace!r} with {made.samples} samples.")
    return "\n".join(lines) or "Nothing was missing."
