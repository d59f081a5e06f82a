/** What the validation found, each with its place. */
import type { Issue } from "@/graph/graph";
import { Icon } from "./icon";
import classes from "./issue-list.module.css";

export function IssueList({ title, issues }: { title: string; issues: readonly Issue[] }) {
  return (
    <section className={classes["card"]} role="alert">
      <h3>{title}</h3>
      <ul>
        {issues.map((issue) => (
          <li
            key={`${issue.path} ${issue.code} ${issue.message}`}
            data-state={issue.severity === "error" ? "failed" : "waiting"}
          >
            <Icon name="alert" size={14} label={issue.severity} />
            <span>
              {issue.message} {issue.path !== "" && <code className="hd-muted">{issue.path}</code>}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
