/** A place with nothing in it yet: what will be here, and the one thing to do. */
import type { ReactNode } from "react";
import classes from "./empty-state.module.css";
import { HeddleDrawing } from "./heddle-drawing";

interface EmptyStateProps {
  title: string;
  text: string;
  picture?: boolean;
  children?: ReactNode;
}

export function EmptyState({ title, text, picture = false, children }: EmptyStateProps) {
  const Heading = picture ? "h1" : "h3";
  return (
    <div className={classes["empty"]} data-page={picture || undefined}>
      {picture && <HeddleDrawing />}
      <Heading>{title}</Heading>
      <p className={classes["text"]}>{text}</p>
      {children !== undefined && <div className={classes["actions"]}>{children}</div>}
    </div>
  );
}
