"""Rules on nodes taken by themselves: their ids, kinds, settings and policies."""

from collections import Counter
from collections.abc import Iterator

from backend.engine.document import Issue
from backend.engine.retry import DEFAULT_PORT
from backend.engine.rules.case import Case, listed, setting_path


def has_nodes(case: Case) -> Iterator[Issue]:
    """Refuse an empty workflow."""
    if not case.document.nodes:
        yield Issue("no_nodes", "The workflow has no nodes yet; add one.", None, "nodes")


def ids_are_unique(case: Case) -> Iterator[Issue]:
    """Find ids that several nodes have."""
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


def kinds_are_known(case: Case) -> Iterator[Issue]:
    """Find nodes of kinds, or versions of kinds, that this installation does not have."""
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


def configs_fit(case: Case) -> Iterator[Issue]:
    """List what is wrong with the settings."""
    for index, node, spec in case.known():
        for problem in spec.check_config(node.config):
            yield Issue(problem.code, problem.message, node.id, setting_path(index, problem.path))


def what_goes_on_has_a_port(case: Case) -> Iterator[Issue]:
    """Find nodes that would go on after an error by a port they do not have."""
    for index, node, spec in case.known():
        ports = spec.out_ports_of(node.config)
        if node.policy.on_error == "continue" and ports and DEFAULT_PORT not in ports:
            yield Issue(
                "nothing_to_continue_by",
                f"After an error it would go on by the port {DEFAULT_PORT}, which it does not have "
                f"(it has {listed(ports)}). Set its policy on_error to route or fail.",
                node.id,
                f"nodes[{index}].policy.on_error",
            )
