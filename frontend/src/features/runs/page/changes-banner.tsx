/** Says that the graph was changed while the run went on, and lists the changes. */
import { Popover } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Panel } from "@xyflow/react";
import { changesQuery } from "@/api/runs";
import type { GraphChange } from "@/api/types";
import { Ago } from "@/components/ago";
import { ErrorState } from "@/components/error-state";
import { Icon } from "@/components/icon";
import { LinesSkeleton } from "@/components/skeletons";
import { nameOf } from "@/graph/adjacency";
import { isObject } from "@/graph/json";
import { useOpenRun, useRunState } from "../stream/run-context";
import classes from "./changes-banner.module.css";

export function ChangesBanner() {
  const { run } = useOpenRun();
  const seen = useRunState((state) => state.view.changes);
  const count = Math.max(seen, run.plan_version);
  if (!count) return null;
  return (
    <Panel position="top-center">
      <Popover width={360} position="bottom" withinPortal>
        <Popover.Target>
          <button type="button" className={classes["banner"]}>
            <Icon name="edit" size={14} />
            The graph was changed {count === 1 ? "once" : `${count} times`}
            <Icon name="down" size={14} />
          </button>
        </Popover.Target>
        <Popover.Dropdown>
          <Changes count={count} />
        </Popover.Dropdown>
      </Popover>
    </Panel>
  );
}

function Changes({ count }: { count: number }) {
  const { run } = useOpenRun();
  const changes = useQuery(changesQuery(run.id, count));
  if (changes.isError)
    return (
      <ErrorState
        title="The changes could not be read"
        error={changes.error}
        retry={() => void changes.refetch()}
      />
    );
  if (!changes.data) return <LinesSkeleton label="Reading the changes" />;
  return (
    <ol className={classes["list"]} aria-label="Changes of the graph">
      {changes.data.map((change) => (
        <ChangeRow key={change.number} change={change} />
      ))}
    </ol>
  );
}

function ChangeRow({ change }: { change: GraphChange }) {
  const { run } = useOpenRun();
  const author = useRunState((state) =>
    change.step_id === null ? undefined : state.view.steps.get(change.step_id),
  );
  const by = change.created_by?.name ?? (author ? nameOf(run.document, author.node) : "A step");
  return (
    <li>
      <p>
        <b>{by}</b>{" "}
        <span className="hd-muted">
          <Ago at={change.created_at} />
        </span>
      </p>
      {change.note && <p>{change.note}</p>}
      <ul>
        {change.operations.map((operation, index) => (
          <li key={index}>{wordsOf(operation)}</li>
        ))}
      </ul>
    </li>
  );
}

const VERBS: Readonly<Record<string, string>> = {
  add_node: "added",
  replace_node: "replaced",
  remove_node: "removed",
  add_edge: "connected",
  remove_edge: "disconnected",
};

function wordsOf(operation: Readonly<Record<string, unknown>>): string {
  const { op, node, edge, id } = operation;
  const verb = VERBS[String(op)] ?? String(op);
  if (isObject(node)) return `${verb} ${textOf(node["label"]) || textOf(node["id"])}`;
  if (isObject(edge)) return `${verb} ${textOf(edge["from"])} → ${textOf(edge["to"])}`;
  return `${verb} ${textOf(id)}`;
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
