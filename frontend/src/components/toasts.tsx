/** Short news at the bottom right: what happened and at most one thing to do about it. */
import { Anchor } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import type { ReactNode } from "react";
import { inWords } from "@/api/client";
import { Icon } from "./icon";
import { StateIcon } from "./state-icon";
import classes from "./toasts.module.css";

export interface ToastAction {
  label: string;
  run: () => void;
}

interface Toast {
  icon: ReactNode;
  title: string;
  text?: string | undefined;
  action?: ToastAction | undefined;
  stays?: boolean;
}

const shownFor = 5_000;
let shown = 0;

function show({ icon, title, text, action, stays = false }: Toast): void {
  shown += 1;
  const id = `toast-${shown}`;
  notifications.show({
    id,
    icon,
    withBorder: true,
    withCloseButton: stays,
    closeButtonProps: { "aria-label": "Dismiss" },
    autoClose: stays ? false : shownFor,
    message: <ToastBody title={title} text={text} action={action} close={() => notifications.hide(id)} />,
    classNames: {
      root: classes["toast"] ?? "",
      icon: classes["icon"] ?? "",
      description: classes["body"] ?? "",
    },
  });
}

function ToastBody({ title, text, action, close }: Omit<Toast, "icon" | "stays"> & { close: () => void }) {
  return (
    <>
      <span className="hd-grow">
        <b className={classes["title"]}>{title}</b>
        {text !== undefined && <span className={classes["text"]}>{text}</span>}
      </span>
      {action && (
        <Anchor
          component="button"
          type="button"
          className={classes["action"] ?? ""}
          onClick={() => {
            action.run();
            close();
          }}
        >
          {action.label}
        </Anchor>
      )}
    </>
  );
}

/** Something was done. */
export function done(title: string, text?: string, action?: ToastAction): void {
  show({ icon: <StateIcon state="succeeded" decorative />, title, text, action });
}

/** Something was taken away, and can be brought back. */
export function undoable(title: string, undo: () => void): void {
  show({ icon: <Icon name="undo" />, title, action: { label: "Undo", run: undo } });
}

/** Something did not work; it stays until it is dismissed. */
export function failed(title: string, error: unknown, action?: ToastAction): void {
  show({ icon: <StateIcon state="failed" decorative />, title, text: inWords(error), action, stays: true });
}
