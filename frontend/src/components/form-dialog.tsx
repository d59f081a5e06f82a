/** A dialog around a form: fields, what the server refused, and one button that says what it does. */
import { Button, Modal } from "@mantine/core";
import type { ReactNode, SyntheticEvent } from "react";
import { inWords } from "@/api/client";
import classes from "./dialog.module.css";

interface FormDialogProps {
  opened: boolean;
  title: string;
  verb: string;
  busy?: boolean;
  error?: unknown;
  size?: number;
  beside?: ReactNode;
  onSubmit: (event?: SyntheticEvent<HTMLFormElement>) => void;
  onClose: () => void;
  children: ReactNode;
}

export function FormDialog(props: FormDialogProps) {
  const { opened, title, verb, busy = false, error, size = 480, beside, onSubmit, onClose, children } = props;
  return (
    <Modal opened={opened} onClose={onClose} title={title} centered size={size}>
      <form onSubmit={onSubmit} noValidate>
        <div className={classes["fields"]}>{children}</div>
        {error !== undefined && error !== null && (
          <p role="alert" className={classes["problem"]}>
            {inWords(error)}
          </p>
        )}
        <div className={classes["actions"]}>
          {beside}
          <span className="hd-grow" />
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={busy}>
            {verb}
          </Button>
        </div>
      </form>
    </Modal>
  );
}
