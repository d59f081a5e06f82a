/** The top bar of everything that belongs to one workflow: the way here, its tabs, and what can be done. */
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { Icon } from "./icon";
import { Logo } from "./logo";
import classes from "./workflow-bar.module.css";

interface WorkflowBarProps {
  /** The last part of the way: the workflow's name, or a run of it. */
  crumbs: ReactNode;
  status?: ReactNode;
  tabs?: ReactNode;
  children?: ReactNode;
}

export function WorkflowBar({ crumbs, status, tabs, children }: WorkflowBarProps) {
  return (
    <header className={classes["bar"]}>
      <Link to="/workflows" aria-label="All workflows" className={classes["logo"]}>
        <Logo />
      </Link>
      <div className={classes["crumbs"]}>{crumbs}</div>
      {status}
      {tabs}
      <span className="hd-grow" />
      {children}
    </header>
  );
}

export function CrumbSeparator() {
  return (
    <span className={classes["separator"]}>
      <Icon name="right" size={14} />
    </span>
  );
}

export function WorkflowTabs({ id }: { id: string }) {
  const active = { className: classes["on"] ?? "", "aria-current": "page" as const };
  const exact = { exact: true };
  return (
    <nav className={classes["tabs"]} aria-label="Workflow">
      <Link to="/workflows/$id" params={{ id }} activeProps={active} activeOptions={exact}>
        Editor
      </Link>
      <Link to="/workflows/$id/runs" params={{ id }} activeProps={active} activeOptions={exact}>
        Runs
      </Link>
      <Link to="/workflows/$id/versions" params={{ id }} activeProps={active} activeOptions={exact}>
        Versions
      </Link>
    </nav>
  );
}
