"""The limits of the installation: settings that bound what any workspace may do."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.conf import settings

MEANINGS: Mapping[str, str] = {
    "HEDDLE_MAX_DOCUMENT_BYTES": "bytes of a workflow's document",
    "HEDDLE_MAX_NODES": "nodes of a document; edges are four times as many",
    "HEDDLE_MAX_NESTING": "maps and loops inside each other",
    "HEDDLE_MAX_CALL_DEPTH": "workflows that call each other, one inside the other",
    "HEDDLE_MAX_MAP_ITEMS": "items that one map goes over",
    "HEDDLE_MAX_LOOP_ROUNDS": "rounds of one loop",
    "HEDDLE_MAX_RUN_STEPS": "steps of one run, those of items and rounds included",
    "HEDDLE_MAX_RESULT_BYTES": "bytes of one step's result",
    "HEDDLE_MAX_OPEN_STEPS": "open steps of a workspace, from which on new runs are refused",
    "HEDDLE_MAX_OPEN_RUNS": "unfinished runs of a workspace, from which on new runs are refused",
}


@dataclass(frozen=True)
class InstallationLimit:
    """A setting, with what it is set to."""

    name: str
    value: int
    meaning: str


def installation_limits() -> list[InstallationLimit]:
    """Tell what holds here."""
    return [
        InstallationLimit(name, getattr(settings, name), meaning)
        for name, meaning in MEANINGS.items()
    ]
