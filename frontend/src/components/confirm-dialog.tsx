/** Asks before something that cannot be undone; the button repeats the verb. */
import { Button, Modal } from "@mantine/core";
import type { ReactNode } from "react";
import { inWords } from "@/api/client";
import classes from "./dialog.module.css";

interface ConfirmDialogProps {
  opened: boolean;
  title: string;
  verb: string;
  busy?: boolean;
  error?: unknown;
  onConfirm: () => void;
  onClose: () => void;
  children: ReactNode;
}

export function ConfirmDialog(props: ConfirmDialogProps) {
  const { opened, title, verb, busy = false, error, onConfirm, onClose, children } = props;
  return (
    <Modal opened={opened} onClose={onClose} title={title} centered size={440}>
      <div className={classes["body"]}>{children}</div>
      {error !== undefined && error !== null && (
        <p role="alert" className={classes["problem"]}>
          {inWords(error)}
        </p>
      )}
      <div className={classes["actions"]}>
        <Button variant="default" onClick={onClose} data-autofocus>
          Keep
        </Button>
        <Button className={classes["danger"] ?? ""} variant="default" loading={busy} onClick={onConfirm}>
          {verb}
        </Button>
      </div>
    </Modal>
  );
}
