/** What happened, where, and what to do, in that order; the details are one click away. */
import { Button } from "@mantine/core";
import type { ReactNode } from "react";
import { ApiError, inWords } from "@/api/client";
import { CopyButton } from "./copy-button";
import classes from "./error-state.module.css";
import { StateIcon } from "./state-icon";

interface ErrorStateProps {
  title: string;
  error: unknown;
  retry?: (() => void) | undefined;
  children?: ReactNode;
}

export function ErrorState({ title, error, retry, children }: ErrorStateProps) {
  return (
    <section className={classes["card"]} data-state="failed" role="alert">
      <p className={classes["title"]}>
        <StateIcon state="failed" decorative /> {title}
      </p>
      <p className={classes["text"]}>{inWords(error)}</p>
      <div className={classes["actions"]}>
        {retry && (
          <Button variant="default" size="xs" onClick={retry}>
            Try again
          </Button>
        )}
        {children}
        <span className="hd-grow" />
        <CopyButton text={details(title, error)} label="Copy details" />
      </div>
    </section>
  );
}

function details(title: string, error: unknown): string {
  const facts = error instanceof ApiError ? { status: error.status, code: error.code, ...error.extra } : {};
  return [title, inWords(error), JSON.stringify(facts), window.location.href, new Date().toISOString()].join(
    "\n",
  );
}
