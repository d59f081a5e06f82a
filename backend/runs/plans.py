"""Compiled plans by graph; immutable, so a process keeps the last ones it used."""

from functools import lru_cache
from uuid import UUID

from backend.engine.plan import Plan
from backend.workflows.models import Graph


@lru_cache(maxsize=256)
def plan_of(graph_id: UUID) -> Plan:
    """The plan of a graph."""
    return Plan.from_json(Graph.objects.only("plan").get(id=graph_id).plan)
