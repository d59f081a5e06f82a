"""Rules on what expressions read: outputs that are there, and names that are set."""

import re
from collections.abc import Iterator

from backend.engine.document import Issue, Node
from backend.engine.names import ROUND, SURROUNDINGS, Names
from backend.engine.rules.case import Case, listed, setting_path
from backend.engine.surroundings import View, view

WAIT_KIND = "flow.wait"

_TOP = re.compile(r"[.\[]")


def expressions_read_what_is_there(case: Case) -> Iterator[Issue]:
    """Find expressions that read what does not exist where, or when, they are evaluated."""
    for index, node, spec in case.known():
        found: set[tuple[str, str, str]] = set()
        for expression in spec.expressions(node.config):
            setting = _TOP.split(expression.path, maxsplit=1)[0]
            seen = view(case.graph, case.specs, node, setting=setting)
            names = expression.python.names
            problems = (
                *_output_problems(case, node, setting, names, seen),
                *_surrounding_problems(case, names, seen),
            )
            found |= {(expression.path, code, message) for code, message in problems}
        for path, code, message in sorted(found):
            yield Issue(code, message, node.id, setting_path(index, path))


def signals_are_waited_for(case: Case) -> Iterator[Issue]:
    """Warn of addresses of signals that no node waits for."""
    for index, node, spec in case.known():
        for expression in spec.expressions(node.config):
            for name in sorted(expression.python.names.signals):
                if not _waits_for_a_signal(case, name):
                    yield Issue(
                        "unknown_signal",
                        f"It reads run.signals.{name}, and {name} is no {WAIT_KIND} that waits for "
                        "a signal.",
                        node.id,
                        setting_path(index, expression.path),
                        "warning",
                    )


def _output_problems(
    case: Case, node: Node, setting: str, names: Names, seen: View
) -> Iterator[tuple[str, str]]:
    for name in names.nodes:
        if problem := _output_problem(case, node, setting, name, seen):
            yield problem


def _surrounding_problems(case: Case, names: Names, seen: View) -> Iterator[tuple[str, str]]:
    for name, field in names.around:
        if problem := _around_problem(case, name, field, seen):
            yield problem
    for name in names.scope & SURROUNDINGS - seen.names:
        # Elsewhere it is Python's function.
        if name != ROUND:
            yield "expression_name", _where_it_is_known(name)


def _output_problem(
    case: Case, node: Node, setting: str, name: str, seen: View
) -> tuple[str, str] | None:
    graph = case.graph
    if name not in graph.nodes:
        return "unknown_reference", f"It reads nodes.{name}, and no node has the id {name}."
    if name == node.id:
        return "reference_not_upstream", "It reads its own output, which does not exist yet."
    around = graph.containers_around(node.id)
    if name in around:
        return (
            "reference_not_upstream",
            f"It reads nodes.{name}.output, and stands inside {name}, which ends after it.",
        )
    chain = graph.containers_around(name)
    if seen.inside and chain[:1] == (node.id,):
        return None
    closed = [one for one in chain if one not in around and (one != node.id or not seen.inside)]
    if closed:
        return "reference_inside", _why_closed(node, setting, name, closed[-1])
    if node.id in graph.order and not graph.runs_before(name, of=node.id):
        return (
            "reference_not_upstream",
            f"It reads nodes.{name}, which does not run before it; connect {name} to a node before "
            f"it, or read another node.",
        )
    return None


def _why_closed(node: Node, setting: str, name: str, container: str) -> str:
    if container == node.id:
        return (
            f"It reads nodes.{name}, which is inside: it has not run when {setting} is evaluated."
        )
    return (
        f"It reads nodes.{name}, which runs inside {container}, once for each item or round; read "
        f"nodes.{container}.output instead."
    )


def _around_problem(case: Case, name: str, field: str, seen: View) -> tuple[str, str] | None:
    if name not in case.graph.nodes:
        return "unknown_reference", f"It reads nodes.{name}, and no node has the id {name}."
    given = seen.by_id.get(name)
    if given is None:
        return (
            "reference_not_around",
            f"It reads nodes.{name}.{field}, which is only known inside {name}. Read "
            f"nodes.{name}.output, or stand inside it.",
        )
    if field not in given:
        return (
            "reference_not_around",
            f"It reads nodes.{name}.{field}; {name} gives {listed(sorted(given))} here.",
        )
    return None


def _where_it_is_known(name: str) -> str:
    where = {
        "item": "inside a flow.map, or a flow.loop with over",
        "index": "inside a flow.map, or a flow.loop with over",
        "state": "inside a flow.loop",
    }
    return f"It reads {name}, which is only known {where[name]}."


def _waits_for_a_signal(case: Case, name: str) -> bool:
    node = case.graph.nodes.get(name)
    if node is None or node.kind != WAIT_KIND:
        return False
    return node.config.get("signal") not in (None, False)
