"""Rules on what a document names outside itself, and on what it takes in and gives."""

from collections.abc import Iterator

from backend.engine.compile import OUTPUT_KIND, output_name
from backend.engine.document import Issue, Node
from backend.engine.rules.case import Case
from backend.engine.schemas import SchemaInvalid, compile_schema
from backend.engine.templates import holds_template

WORKFLOW_KIND = "flow.workflow"


def inputs_are_a_schema(case: Case) -> Iterator[Issue]:
    """Refuse inputs that are no JSON Schema of an object."""
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


def outputs_have_names_of_their_own(case: Case) -> Iterator[Issue]:
    """Find outputs of one name. A node that stops the run may share it: only one of them counts."""
    seen: dict[str, str] = {}
    for index, node in enumerate(case.document.nodes):
        name = output_name(node)
        if node.kind != OUTPUT_KIND or not isinstance(name, str):
            continue
        if name in seen:
            yield Issue(
                "duplicate_output",
                f"{seen[name]} already gives the run's output {name}; choose another name.",
                node.id,
                f"nodes[{index}].config.name",
            )
        seen.setdefault(name, node.id)


def workflows_exist(case: Case) -> Iterator[Issue]:
    """Find nodes that run a workflow which the workspace does not have."""
    known = case.facts.workflow_ids
    for index, node in enumerate(case.document.nodes):
        named = node.config.get("workflow")
        if node.kind != WORKFLOW_KIND or known is None or not isinstance(named, str):
            continue
        if not holds_template(named) and named not in known:
            yield Issue(
                "unknown_workflow",
                "The workflow that it runs does not exist in this workspace; choose another.",
                node.id,
                f"nodes[{index}].config.workflow",
            )


def credentials_exist(case: Case) -> Iterator[Issue]:
    """Find nodes whose credentials the workspace does not have."""
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


def _default_model_exists(case: Case, node: Node, path: str) -> Iterator[Issue]:
    kinds = case.facts.default_credential_kinds
    if kinds is not None and "openai" not in kinds:
        yield Issue(
            "missing_credential",
            "The workspace has no model endpoint yet; add one under Credentials.",
            node.id,
            path,
            "warning",
        )
