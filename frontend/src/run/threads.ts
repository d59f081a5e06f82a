/** How each edge looks in a run: what flowed, what was not taken, what lies on the critical path. */

import { edgeKey, edgeSource, edgeTarget } from "@/graph/graph";
import type { GraphDocument, GraphEdge } from "@/graph/graph";
import { ERROR_PORT } from "@/graph/ports";
import type { RunView, StepView } from "./view";
import { isFinalStep, stepOfNode } from "./view";

export type ThreadState = "idle" | "flow" | "done" | "skipped" | "critical" | "ahead" | "error";

export function threadStates(
  document: GraphDocument,
  view: RunView,
  critical: readonly string[],
): ReadonlyMap<string, ThreadState> {
  const onPath = new Set(critical.slice(1).map((id, index) => `${critical[index] ?? ""}->${id}`));
  return new Map(document.edges.map((edge) => [edgeKey(edge), threadState(edge, view, onPath)]));
}

function threadState(edge: GraphEdge, view: RunView, onPath: ReadonlySet<string>): ThreadState {
  const from = edgeSource(edge);
  const to = edgeTarget(edge);
  const source = stepOfNode(view, from.node);
  const target = stepOfNode(view, to.node);
  if (!source || !target || !isFinalStep(source.status)) return "idle";
  if (!wasTaken(source, from.port)) return "skipped";
  if (from.port === ERROR_PORT) return "error";
  if (target.status === "running") return "flow";
  return onPath.has(`${from.node}->${to.node}`) && isFinalStep(target.status)
    ? "critical"
    : takenState(target);
}

function wasTaken(source: StepView, port: string): boolean {
  if (source.status === "skipped" || source.status === "cancelled") return false;
  return source.ports.includes(port);
}

function takenState(target: StepView): ThreadState {
  return target.status === "skipped" ? "skipped" : "done";
}
