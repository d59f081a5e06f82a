/** The critical path of a run: the chain of steps, each started by the last of its inputs, that decided when it ended. */

import { predecessors } from "@/graph/adjacency";
import type { GraphDocument } from "@/graph/graph";
import type { RunView } from "./view";
import { stepOfNode } from "./view";

const WORKED = new Set(["running", "waiting", "succeeded", "failed"]);

/** Walk back from the step that finished last to the input that came last, and so on; node ids, first to last. */
export function criticalPath(document: GraphDocument, view: RunView, now: number): string[] {
  const ends = new Map<string, number>();
  for (const node of document.nodes) {
    const step = stepOfNode(view, node.id);
    if (step?.startedAt != null && WORKED.has(step.status)) ends.set(node.id, step.finishedAt ?? now);
  }
  const path: string[] = [];
  for (let id = latest([...ends.keys()], ends); id !== null;) {
    path.unshift(id);
    const seen = new Set(path);
    id = latest(
      predecessors(document, id).filter((other) => !seen.has(other)),
      ends,
    );
  }
  return path;
}

function latest(ids: readonly string[], ends: ReadonlyMap<string, number>): string | null {
  let best: string | null = null;
  for (const id of ids) {
    const end = ends.get(id);
    // On equal ends the later node in the graph wins: results stand behind what made them.
    if (end !== undefined && (best === null || end >= (ends.get(best) ?? -Infinity))) best = id;
  }
  return best;
}
