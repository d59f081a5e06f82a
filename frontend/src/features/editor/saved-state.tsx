/** How the draft stands: saved when, being saved, kept on this device, or refused with the reason. */
import { Anchor } from "@mantine/core";
import type { ReactNode } from "react";
import { Icon } from "@/components/icon";
import { formatAgo, formatExact } from "@/lib/format";
import { useNow } from "@/lib/use-now";
import { useEditor } from "./store/editor-context";
import type { SaveState } from "./store/editor-store";
import classes from "./editor.module.css";

export function SavedState({ onRetry }: { onRetry: () => void }) {
  const save = useEditor((state) => state.save);
  return (
    <span
      className={classes["saved"]}
      role="status"
      data-status={save.status}
      title={save.detail || undefined}
    >
      {WORDS[save.status](save, onRetry)}
    </span>
  );
}

const WORDS: Record<SaveState["status"], (save: SaveState, onRetry: () => void) => ReactNode> = {
  saved: ({ at }) => (
    <>
      <Icon name="check" size={14} />
      {at === null ? "Draft saved" : <SavedAgo at={at} />}
    </>
  ),
  dirty: () => "Saving…",
  saving: () => "Saving…",
  offline: (_save, onRetry) => (
    <>
      <Icon name="offline" size={14} />
      Offline: kept on this device <Retry onRetry={onRetry} />
    </>
  ),
  conflict: () => (
    <>
      <Icon name="alert" size={14} />
      Changed elsewhere
    </>
  ),
  refused: ({ detail }, onRetry) => (
    <>
      <Icon name="alert" size={14} />
      <span className={classes["refused"]}>Not saved: {detail}</span> <Retry onRetry={onRetry} />
    </>
  ),
};

function SavedAgo({ at }: { at: number }) {
  const now = useNow();
  const iso = new Date(at).toISOString();
  return <span title={formatExact(iso)}>Draft saved {formatAgo(iso, now)}</span>;
}

function Retry({ onRetry }: { onRetry: () => void }) {
  return (
    <Anchor component="button" type="button" inherit onClick={onRetry}>
      Try now
    </Anchor>
  );
}
