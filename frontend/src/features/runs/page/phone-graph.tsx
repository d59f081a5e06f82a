/** The graph of a run on a phone, to be looked at. */
import { ActionIcon } from "@mantine/core";
import { ReactFlowProvider } from "@xyflow/react";
import { Icon } from "@/components/icon";
import classes from "./phone-run.module.css";
import { RunCanvas } from "./run-canvas";

export function PhoneGraph({ onClose }: { onClose: () => void }) {
  return (
    <div className={classes["graph"]} role="dialog" aria-label="Graph of the run">
      <ReactFlowProvider>
        <RunCanvas />
      </ReactFlowProvider>
      <ActionIcon
        className={classes["close"] ?? ""}
        size="md"
        variant="default"
        aria-label="Close the graph"
        onClick={onClose}
      >
        <Icon name="x" />
      </ActionIcon>
    </div>
  );
}
