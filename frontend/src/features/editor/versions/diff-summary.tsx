/** A difference in words: which nodes came, went and changed. */
import type { WorkflowDiff } from "@/api/workflow-diff";
import { formatCount } from "@/lib/format";
import classes from "./versions.module.css";

export function DiffSummary({ diff, title }: { diff: WorkflowDiff; title: string }) {
  const { nodes, edges } = diff;
  const rows: [string, string[]][] = [
    ["Added", nodes.added],
    ["Removed", nodes.removed],
    ["Changed", nodes.changed.map((change) => `${change.id} (${change.paths.join(", ")})`)],
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
