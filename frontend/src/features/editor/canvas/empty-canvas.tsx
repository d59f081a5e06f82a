/** An empty graph says how to begin. */
import { Button } from "@mantine/core";
import { EmptyState } from "@/components/empty-state";
import { Icon } from "@/components/icon";
import { useEditor } from "../store/editor-context";
import classes from "./editor-canvas.module.css";
import type { Commands } from "./use-commands";

export function EmptyCanvas({ commands }: { commands: Commands }) {
  const input = useEditor((state) => state.kinds.get("io.input"));
  return (
    <div className={classes["empty"]}>
      <EmptyState
        title="Nothing here yet"
        text="Begin with the input, then add what follows: drag from the palette, or press Tab for the search."
      >
        {input && (
          <Button
            leftSection={<Icon name="plus" />}
            onClick={() => commands.add(input, { at: { x: 0, y: 0 } })}
          >
            Add the input
          </Button>
        )}
      </EmptyState>
    </div>
  );
}
