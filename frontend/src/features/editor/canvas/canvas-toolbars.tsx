/** Undo and redo at the top left of the canvas, tidy at the top right. */
import { ActionIcon, Button, Tooltip } from "@mantine/core";
import { Panel } from "@xyflow/react";
import { Icon } from "@/components/icon";
import { modKey } from "@/lib/keys";
import { useEditor } from "../store/editor-context";
import classes from "./editor-canvas.module.css";
import type { Commands } from "./use-commands";

export function UndoBar() {
  const undo = useEditor((state) => state.undo);
  const redo = useEditor((state) => state.redo);
  const last = useEditor((state) => state.history.past.at(-1)?.label);
  const next = useEditor((state) => state.history.future[0]?.label);
  return (
    <Panel position="top-left" className={classes["float"] ?? ""} role="toolbar" aria-label="History">
      <Step icon="undo" word="Undo" what={last} keys={`${modKey} Z`} onClick={undo} />
      <Step icon="redo" word="Redo" what={next} keys={`${modKey} Shift Z`} onClick={redo} />
    </Panel>
  );
}

interface StepProps {
  icon: "undo" | "redo";
  word: string;
  what: string | undefined;
  keys: string;
  onClick: () => void;
}

function Step({ icon, word, what, keys, onClick }: StepProps) {
  const name = what === undefined ? `Nothing to ${word.toLowerCase()}` : `${word}: ${what}`;
  return (
    <Tooltip label={`${name} (${keys})`} openDelay={400}>
      <ActionIcon
        size="xs"
        aria-label={name}
        aria-disabled={what === undefined}
        className={classes["step"] ?? ""}
        onClick={onClick}
      >
        <Icon name={icon} />
      </ActionIcon>
    </Tooltip>
  );
}

export function ViewBar({ commands }: { commands: Commands }) {
  const empty = useEditor((state) => !state.document.nodes.length);
  if (empty) return null;
  return (
    <Panel position="top-right" className={classes["float"] ?? ""} role="toolbar" aria-label="Arrange">
      <Tooltip label="Lay the graph out (Shift L)" openDelay={400}>
        <Button
          size="xs"
          variant="subtle"
          color="gray"
          leftSection={<Icon name="tidy" size={14} />}
          onClick={() => void commands.tidy()}
        >
          Tidy
        </Button>
      </Tooltip>
    </Panel>
  );
}
