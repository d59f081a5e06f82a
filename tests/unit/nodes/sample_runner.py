"""Runs a document node after node: enough of an engine to try the samples' settings."""

from collections.abc import Mapping
from typing import Any

from backend.engine.document import Document, Node, endpoint
from backend.engine.evaluation import EvalRequest, Failure
from backend.engine.graph import Graph
from backend.nodes.base import NodeError, Outcome
from backend.nodes.registry import KINDS
from tests.unit.nodes.context import StepContext
from workers.sandbox.evaluator import Evaluator


class SampleRunner:
    """Keeps the outputs of the nodes that ran and the ports that they took."""

    def __init__(self, document: Document, context: StepContext, evaluator: Evaluator) -> None:
        self._document = document
        self._context = context
        self._evaluator = evaluator
        self._outputs: dict[str, Any] = {}
        self._taken: set[tuple[str, str]] = set()

    async def run(self, inputs: Mapping[str, Any]) -> dict[str, Any]:
        """Run every node that is reached and give the outputs by their names."""
        nodes = {node.id: node for node in self._document.nodes}
        results: dict[str, Any] = {}
        for node_id in Graph.of(self._document).order:
            node = nodes[node_id]
            arrived = self._arrived(node_id)
            if arrived or node.kind == "io.input":
                outcome = await self._step(node, inputs, arrived)
                self._outputs[node_id] = outcome.output
                self._taken |= {(node_id, port) for port in outcome.ports}
                if node.kind == "io.output":
                    results[node.config.get("name") or node_id] = outcome.output
        return results

    def _arrived(self, node_id: str) -> dict[str, Any]:
        sources = [
            endpoint(edge.from_, default_port="out")
            for edge in self._document.edges
            if endpoint(edge.to, default_port="in").node == node_id
        ]
        return {
            source.node: self._outputs[source.node]
            for source in sources
            if (source.node, source.port) in self._taken
        }

    async def _step(
        self, node: Node, inputs: Mapping[str, Any], arrived: Mapping[str, Any]
    ) -> Outcome:
        kind = KINDS[node.kind]
        nodes = {n.id: {"output": self._outputs.get(n.id)} for n in self._document.nodes}
        scope = {"inputs": inputs, "nodes": nodes, "run": {"id": "run"}}
        self._context.scope = scope
        request = EvalRequest(config=node.config, scope=scope, bare=kind.spec.bare)
        [resolved] = self._evaluator.evaluate_batch([request])
        assert not isinstance(resolved, Failure), resolved.sentence
        config = kind.spec.load_config(resolved)
        if kind.evaluate is not None:
            evaluated = kind.evaluate(config, inputs if node.kind == "io.input" else arrived)
            assert isinstance(evaluated, Outcome)
            return evaluated
        assert kind.run is not None
        try:
            outcome = await kind.run(self._context, config, arrived)
        except NodeError as error:
            assert node.policy is not None
            assert node.policy.on_error == "route"
            return Outcome(output={"code": error.code, "message": error.message}, ports=("error",))
        assert isinstance(outcome, Outcome)
        return outcome
