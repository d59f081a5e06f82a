/** A difference in words: which nodes came, went and changed. */
import type { WorkflowDiff } from "@/api/workflow-diff";
import { nameOf } from "@/graph/adjacency";
import type { GraphDocument } from "@/graph/graph";
import { formatCount } from "@/lib/format";
import classes from "./versions.module.css";

interface DiffSummaryProps {
  diff: WorkflowDiff;
  title: string;
  /** Either side's document, to call nodes by their names. */
  document: GraphDocument;
}

export function DiffSummary({ diff, title, document }: DiffSummaryProps) {
  const { nodes, edges } = diff;
  const rows: [string, string[]][] = [
    ["Added", nodes.added.map((id) => nameOf(document, id))],
    ["Removed", nodes.removed.map((id) => nameOf(document, id))],
    ["Changed", nodes.changed.map((change) => `${nameOf(document, change.id)} (${change.paths.join(", ")})`)],
  ];
  const shown = rows.filter(([, names]) => names.length);
  const edgeCount = edges.added.length + edges.removed.length;
  return (
    <section className={classes["diff"]}>
      <h3>{title}</h3>
      {shown.map(([word, names]) => (
        <p key={word}>
          <b>{word}</b> {names.join(", ")}
        </p>
      ))}
      {edgeCount > 0 && (
        <p>
          <b>Edges</b> {formatCount(edges.added.length, "new edge")},{" "}
          {formatCount(edges.removed.length, "edge")} less
        </p>
      )}
      {!shown.length && !edgeCount && <p className="hd-muted">No node and no edge differs.</p>}
    </section>
  );
}
