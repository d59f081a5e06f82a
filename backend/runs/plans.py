"""Compiled plans by graph; immutable, so a process keeps the last ones it used."""

import logging
from functools import lru_cache
from uuid import UUID

from backend.engine.compile import compile_plan
from backend.engine.document import Document
from backend.engine.plan import PLAN_FORMAT, Plan
from backend.nodes.registry import SPECS
from backend.workflows.models import Graph

logger = logging.getLogger(__name__)

UNREADABLE = (KeyError, TypeError, ValueError, IndexError)


@lru_cache(maxsize=256)
def plan_of(graph_id: UUID) -> Plan:
    """The plan of a graph. One that an earlier release stored is compiled anew.

    Raises:
        ValueError: A later release stored it.
    """
    plan = Graph.objects.only("plan").get(id=graph_id).plan
    stored = plan.get("format")
    if stored == PLAN_FORMAT:
        return Plan.from_json(plan)
    if not isinstance(stored, int) or stored > PLAN_FORMAT:
        raise ValueError(f"the plan has the format {stored}, and this release reads {PLAN_FORMAT}")
    document = Graph.objects.only("document").get(id=graph_id).document
    return compile_plan(Document.model_validate(document), SPECS)


def plan_to_end_by(graph_id: UUID) -> Plan:
    """The plan of a graph; an empty one where it cannot be read, for a run can always be ended."""
    try:
        return plan_of(graph_id)
    except UNREADABLE:
        logger.exception("plan_unreadable", extra={"graph": str(graph_id)})
        return Plan((), ())
