/** The settings the step ran with, as the document of the run holds them. */
import { JsonView } from "@/components/json-view";
import { findNode } from "@/graph/graph";
import type { Json } from "@/graph/json";
import type { StepView } from "@/run/view";
import { useOpenRun } from "../stream/run-context";

export function StepSettings({ step }: { step: StepView }) {
  const { run } = useOpenRun();
  const node = findNode(run.document, step.node);
  if (!node) return <p className="hd-muted">The document of this run does not hold this node.</p>;
  return (
    <>
      <h3>Settings</h3>
      {Object.keys(node.config ?? {}).length ? (
        <JsonView value={node.config ?? {}} label="Settings" />
      ) : (
        <p className="hd-muted">No settings.</p>
      )}
      {node.policy && (
        <>
          <h3>Policy</h3>
          <JsonView value={node.policy as Json} label="Policy" />
        </>
      )}
    </>
  );
}
