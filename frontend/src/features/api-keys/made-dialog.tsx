/** The key itself, shown this once. */
import { Button, Modal } from "@mantine/core";
import type { NewApiKey } from "@/api/types";
import { CopyButton } from "@/components/copy-button";
import classes from "./key-dialog.module.css";

export function MadeDialog({ apiKey, onClose }: { apiKey: NewApiKey; onClose: () => void }) {
  const example = `curl ${window.location.origin}/api/v1/workflows/ \\\n  -H "Authorization: Bearer $HEDDLE_KEY"`;
  return (
    <Modal
      opened
      onClose={onClose}
      title={`Key for ${apiKey.name}`}
      centered
      size={560}
      closeOnClickOutside={false}
      closeOnEscape={false}
    >
      <p>Copy it now: only its fingerprint is kept, so it cannot be shown again.</p>
      <div className={classes["key"]}>
        <code>{apiKey.key}</code>
        <CopyButton text={apiKey.key} label="Copy key" />
      </div>
      <p className="hd-small hd-muted">A program sends it with every request:</p>
      <pre className={classes["example"]}>{example}</pre>
      <div className={classes["actions"]}>
        <Button onClick={onClose}>I have copied it</Button>
      </div>
    </Modal>
  );
}
