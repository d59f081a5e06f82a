/** The title of a page and what can be done on it; names the browser's tab as well. */
import type { ReactNode } from "react";
import classes from "./page-header.module.css";

interface PageHeaderProps {
  title: string;
  text?: string;
  beside?: ReactNode;
  children?: ReactNode;
}

export function PageHeader({ title, text, beside, children }: PageHeaderProps) {
  return (
    <header className={classes["header"]}>
      <title>{`${title} · Heddle`}</title>
      <div className={classes["row"]}>
        <h1>{title}</h1>
        {beside}
        <span className="hd-grow" />
        {children}
      </div>
      {text !== undefined && <p className={classes["text"]}>{text}</p>}
    </header>
  );
}
