"""The rules a document must keep before it can run; every rule lists all it finds."""

from collections.abc import Callable, Iterable, Iterator, Mapping

from backend.engine.document import Document, Facts, Issue
from backend.engine.graph import Graph
from backend.engine.limits import DEFAULT_LIMITS, Limits
from backend.engine.rules import containers, nodes, references, resources, wiring
from backend.engine.rules.case import Case
from backend.engine.spec import KindSpec


def validate(
    document: Document,
    specs: Mapping[str, KindSpec],
    facts: Facts | None = None,
    limits: Limits = DEFAULT_LIMITS,
) -> list[Issue]:
    """List everything that is wrong with the document, errors first, in document order.

    `facts` tells what the workspace has, so that a missing credential is found before a run.
    """
    case = Case(document, Graph.of(document), specs, facts or Facts(), limits)
    issues = [issue for rule in RULES for issue in rule(case)]
    return sorted(issues, key=lambda issue: issue.severity != "error")


def is_runnable(issues: Iterable[Issue]) -> bool:
    """Whether none of the issues is an error."""
    return all(issue.severity != "error" for issue in issues)


RULES: tuple[Callable[[Case], Iterator[Issue]], ...] = (
    nodes.has_nodes,
    nodes.ids_are_unique,
    nodes.kinds_are_known,
    nodes.configs_fit,
    containers.parents_are_containers,
    containers.containers_hold_something,
    containers.ends_of_the_run_stand_at_the_top,
    containers.nesting_is_bounded,
    containers.rounds_are_bounded,
    containers.items_are_bounded,
    wiring.edges_connect_ports,
    wiring.edges_stay_inside_borders,
    wiring.there_is_no_cycle,
    references.expressions_read_what_is_there,
    references.signals_are_waited_for,
    resources.inputs_are_a_schema,
    wiring.every_node_is_reachable,
    nodes.what_goes_on_has_a_port,
    wiring.joins_can_fire,
    resources.outputs_have_names_of_their_own,
    resources.credentials_exist,
    resources.workflows_exist,
)
