"""A stubborn worker that also takes every completion, whoever's lease it carries."""

from tests.faults.stubborn_app import app  # isort: skip - Django first

from backend.runs.services import finish

if not hasattr(finish, "_holds"):
    raise SystemExit("the check of leases has moved: this control must follow it")
finish._holds = lambda *_: True

__all__ = ["app"]
