"""The rules a document must keep before it can run; every rule lists all it finds."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from backend.engine.compile import INPUT_KIND, JOIN_KIND, output_name
from backend.engine.document import Document, Facts, Issue, Node
from backend.engine.graph import Graph, Wire, group_by_target
from backend.engine.retry import DEFAULT_PORT, ERROR_PORT
from backend.engine.schemas import SchemaInvalid, compile_schema
from backend.engine.spec import KindSpec


@dataclass(frozen=True)
class _Case:
    """What a rule looks at."""

    document: Document
    graph: Graph
    specs: Mapping[str, KindSpec]
    facts: Facts

    def known(self) -> Iterator[tuple[int, Node, KindSpec]]:
        """Nodes of known kinds, with their place in the document."""
        for index, node in enumerate(self.document.nodes):
            if (spec := self.specs.get(node.kind)) is not None:
                yield index, node, spec


def validate(
    document: Document, specs: Mapping[str, KindSpec], facts: Facts | None = None
) -> list[Issue]:
    """List everything that is wrong with the document, errors first, in document order.

    `facts` tells what the workspace has, so that a missing credential is found before a run.
    """
    case = _Case(document, Graph.of(document), specs, facts or Facts())
    issues = [issue for rule in RULES for issue in rule(case)]
    return sorted(issues, key=lambda issue: issue.severity != "error")


def is_runnable(issues: Iterable[Issue]) -> bool:
    """Whether none of the issues is an error."""
    return all(issue.severity != "error" for issue in issues)


def _has_nodes(case: _Case) -> Iterator[Issue]:
    if not case.document.nodes:
        yield Issue("no_nodes", "The workflow has no nodes yet; add one.", None, "nodes")


def _ids_are_unique(case: _Case) -> Iterator[Issue]:
    count = Counter(node.id for node in case.document.nodes)
    seen: set[str] = set()
    for index, node in enumerate(case.document.nodes):
        if node.id in seen:
            yield Issue(
                "duplicate_id",
                f"{count[node.id]} nodes have the id {node.id}; give each its own.",
                node.id,
                f"nodes[{index}].id",
            )
        seen.add(node.id)


def _kinds_are_known(case: _Case) -> Iterator[Issue]:
    for index, node in enumerate(case.document.nodes):
        spec = case.specs.get(node.kind)
        if spec is None:
            yield Issue(
                "unknown_kind",
                f"The kind {node.kind} is not known here; its data is kept. "
                "Install what provides it, or replace the node.",
                node.id,
                f"nodes[{index}].kind",
            )
        elif node.kind_version is not None and node.kind_version > spec.version:
            yield Issue(
                "newer_kind_version",
                f"The node was made with version {node.kind_version} of {node.kind}; this "
                f"installation has version {spec.version}. Update Heddle.",
                node.id,
                f"nodes[{index}].kind_version",
            )


def _configs_fit(case: _Case) -> Iterator[Issue]:
    for index, node, spec in case.known():
        for problem in spec.check_config(node.config):
            yield Issue(problem.code, problem.message, node.id, _setting_path(index, problem.path))


def _setting_path(index: int, path: str) -> str:
    """Place a path within the settings of a node in the document."""
    if not path:
        return f"nodes[{index}].config"
    return f"nodes[{index}].config{'' if path.startswith('[') else '.'}{path}"


def _parents_are_containers(case: _Case) -> Iterator[Issue]:
    for index, node in enumerate(case.document.nodes):
        parent = case.graph.nodes.get(node.parent or "")
        spec = case.specs.get(parent.kind) if parent else None
        if node.parent is not None and (spec is None or spec.container is None):
            yield Issue(
                "bad_parent",
                f"{node.parent} is no container that could hold a node; remove parent.",
                node.id,
                f"nodes[{index}].parent",
            )


def _edges_connect_ports(case: _Case) -> Iterator[Issue]:
    seen: set[Any] = set()
    for wire in case.graph.wires:
        path = f"edges[{wire.index}]"
        yield from _end_exists(case, wire.source.node, f"{path}.from")
        yield from _end_exists(case, wire.target.node, f"{path}.to")
        yield from _source_port_exists(case, wire, f"{path}.from")
        yield from _target_port_exists(case, wire, f"{path}.to")
        if (wire.source, wire.target) in seen:
            yield Issue(
                "duplicate_edge",
                f"{wire.source.node} and {wire.target.node} are connected twice by the same ports; "
                "remove one edge.",
                wire.target.node,
                path,
            )
        seen.add((wire.source, wire.target))


def _end_exists(case: _Case, node_id: str, path: str) -> Iterator[Issue]:
    if node_id not in case.graph.nodes:
        yield Issue(
            "unknown_node", f"The edge names {node_id}, and no node has that id.", None, path
        )


def _source_port_exists(case: _Case, wire: Wire, path: str) -> Iterator[Issue]:
    node = case.graph.nodes.get(wire.source.node)
    spec = case.specs.get(node.kind) if node else None
    if node is None or spec is None:
        return
    ports = list(spec.out_ports_of(node.config))
    if wire.source.port == ERROR_PORT and ERROR_PORT not in ports:
        if node.policy.on_error != "route":
            yield Issue(
                "error_port_unused",
                f"Nothing leaves {node.id} by its error port: set its policy on_error to route, or "
                "remove the edge.",
                node.id,
                path,
            )
    elif wire.source.port not in ports:
        yield Issue(
            "unknown_port",
            f"{node.id} has no out port {wire.source.port}; it has {_listed(ports)}.",
            node.id,
            path,
        )


def _target_port_exists(case: _Case, wire: Wire, path: str) -> Iterator[Issue]:
    node = case.graph.nodes.get(wire.target.node)
    spec = case.specs.get(node.kind) if node else None
    if node is None or spec is None:
        return
    ports = [port.name for port in spec.in_ports]
    # A join tells its inputs apart by their source; any name may stand on its side of an edge.
    if wire.target.port not in ports and node.kind != JOIN_KIND:
        yield Issue(
            "unknown_port",
            f"{node.id} has no in port {wire.target.port}; it has {_listed(ports)}.",
            node.id,
            path,
        )


def _there_is_no_cycle(case: _Case) -> Iterator[Issue]:
    looping = case.graph.on_cycles
    if looping:
        names = _listed(list(looping[:10])) + (" and others" if len(looping) > 10 else "")
        for node_id in looping:
            yield Issue(
                "cycle",
                f"These nodes wait for each other: {names}. Remove an edge between them.",
                node_id,
                f"nodes[{_index_of(case, node_id)}]",
            )


def _references_are_upstream(case: _Case) -> Iterator[Issue]:
    for index, node, spec in case.known():
        read = {
            (expression.path, name)
            for expression in spec.expressions(node.config)
            for name in expression.python.names.nodes
        }
        for path, name in sorted(read):
            issue = _reference_problem(case, node, name)
            if issue is not None:
                code, message = issue
                yield Issue(code, message, node.id, _setting_path(index, path))


def _reference_problem(case: _Case, node: Node, name: str) -> tuple[str, str] | None:
    if name not in case.graph.nodes:
        return "unknown_reference", f"It reads nodes.{name}, and no node has the id {name}."
    if case.graph.nodes[name].parent == node.id:
        return None
    if name == node.id:
        return "reference_not_upstream", "It reads its own output, which does not exist yet."
    if node.id in case.graph.order and not case.graph.runs_before(name, of=node.id):
        return (
            "reference_not_upstream",
            f"It reads nodes.{name}, which does not run before it; connect {name} to a node before "
            f"it, or read another node.",
        )
    return None


def _inputs_are_a_schema(case: _Case) -> Iterator[Issue]:
    schema = case.document.inputs
    if not schema:
        return
    try:
        compile_schema(schema)
    except SchemaInvalid as error:
        yield Issue("bad_inputs", f"The inputs are no valid JSON Schema: {error}", None, "inputs")
        return
    if schema.get("type", "object") != "object":
        yield Issue(
            "bad_inputs", 'The inputs\' schema must have the type "object".', None, "inputs.type"
        )


def _what_goes_on_has_a_port(case: _Case) -> Iterator[Issue]:
    for index, node, spec in case.known():
        ports = spec.out_ports_of(node.config)
        if node.policy.on_error == "continue" and ports and DEFAULT_PORT not in ports:
            yield Issue(
                "nothing_to_continue_by",
                f"After an error it would go on by the port {DEFAULT_PORT}, which it does not have "
                f"(it has {_listed(list(ports))}). Set its policy on_error to route or fail.",
                node.id,
                f"nodes[{index}].policy.on_error",
            )


def _every_node_is_reachable(case: _Case) -> Iterator[Issue]:
    starts = [node.id for node in case.document.nodes if node.kind == INPUT_KIND]
    if not starts:
        return
    reached = case.graph.reachable_from(starts)
    for index, node in enumerate(case.document.nodes):
        if node.id not in reached and node.id not in case.graph.on_cycles:
            yield Issue(
                "unreachable",
                f"No path leads from {_listed(starts)} to it: it starts at once with every run. "
                "Connect it if it should wait.",
                node.id,
                f"nodes[{index}]",
                "warning",
            )


def _joins_can_fire(case: _Case) -> Iterator[Issue]:
    incoming = group_by_target(case.graph.wires)
    for index, node in enumerate(case.document.nodes):
        if node.kind != JOIN_KIND:
            continue
        branches = len(incoming.get(node.id, ()))
        needed = node.config.get("n") if node.config.get("mode") == "n" else 1
        if isinstance(needed, int) and branches < needed:
            yield Issue(
                "join_never_fires",
                f"It waits for {needed} of its branches and has {branches}; connect more, or "
                "lower n.",
                node.id,
                f"nodes[{index}].config.n" if needed > 1 else f"nodes[{index}]",
            )


def _outputs_have_names_of_their_own(case: _Case) -> Iterator[Issue]:
    seen: dict[str, str] = {}
    for index, node in enumerate(case.document.nodes):
        name = output_name(node)
        if not isinstance(name, str):
            continue
        if name in seen:
            yield Issue(
                "duplicate_output",
                f"{seen[name]} already gives the run's output {name}; choose another name.",
                node.id,
                f"nodes[{index}].config.name",
            )
        seen.setdefault(name, node.id)


def _credentials_exist(case: _Case) -> Iterator[Issue]:
    known = case.facts.credential_ids
    for index, node, spec in case.known():
        if "credential" not in spec.config_model.model_fields:
            continue
        path = f"nodes[{index}].config.credential"
        named = node.config.get("credential")
        if isinstance(named, str) and named not in ("", "default") and "{{" not in named:
            if known is not None and named not in known:
                yield Issue(
                    "missing_credential",
                    "Its credential does not exist in this workspace; choose another.",
                    node.id,
                    path,
                )
        elif spec.family == "calls" and node.kind.startswith("llm."):
            yield from _default_model_exists(case, node, path)


def _default_model_exists(case: _Case, node: Node, path: str) -> Iterator[Issue]:
    kinds = case.facts.default_credential_kinds
    if kinds is not None and "openai" not in kinds:
        yield Issue(
            "missing_credential",
            "The workspace has no model endpoint yet; add one under Credentials.",
            node.id,
            path,
            "warning",
        )


def _index_of(case: _Case, node_id: str) -> int:
    return next(i for i, node in enumerate(case.document.nodes) if node.id == node_id)


def _listed(names: list[str]) -> str:
    return ", ".join(names) if names else "none"


RULES: tuple[Callable[[_Case], Iterator[Issue]], ...] = (
    _has_nodes,
    _ids_are_unique,
    _kinds_are_known,
    _configs_fit,
    _parents_are_containers,
    _edges_connect_ports,
    _there_is_no_cycle,
    _references_are_upstream,
    _inputs_are_a_schema,
    _every_node_is_reachable,
    _what_goes_on_has_a_port,
    _joins_can_fire,
    _outputs_have_names_of_their_own,
    _credentials_exist,
)
