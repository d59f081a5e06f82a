/** The items of a map, or the rounds of a loop: a page at a time, those of one state, and what each came to. */
import { Button, Select } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { itemsQuery } from "@/api/runs";
import type { Item } from "@/api/types";
import { DataTable, rowLink, type Column } from "@/components/data-table";
import { ErrorState } from "@/components/error-state";
import { LinesSkeleton } from "@/components/skeletons";
import { StateIcon } from "@/components/state-icon";
import { findNode } from "@/graph/graph";
import { stateWord, stepStates, type StepStatus } from "@/lib/states";
import { progressWords } from "@/run/progress";
import { isFinalStep, type StepView } from "@/run/view";
import { useOpenRun, useRunState } from "../stream/run-context";
import { useOpenItem } from "../stream/use-open-item";
import classes from "./items-tab.module.css";

const STATES = stepStates.filter((state) => ["running", "succeeded", "failed", "cancelled"].includes(state));
const FRESH_MS = 2_000;
/** Later pages are read again by hand: all of them at once would be many requests. */
const MOST_PAGES_KEPT_FRESH = 2;

export function ItemsTab({ step }: { step: StepView }) {
  const { run } = useOpenRun();
  const [status, setStatus] = useState<StepStatus | null>(null);
  const live = !isFinalStep(step.status);
  const items = useInfiniteQuery({
    ...itemsQuery(run.id, step.id, status),
    refetchInterval: ({ state }) =>
      live && (state.data?.pages.length ?? 0) <= MOST_PAGES_KEPT_FRESH ? FRESH_MS : false,
  });
  const rows = items.data?.pages.flatMap((page) => page.results);
  return (
    <>
      <div className={classes["head"]}>
        <span className="hd-grow">{step.progress && progressWords(step.progress)}</span>
        <Select
          size="xs"
          w={136}
          aria-label="State of the items"
          data={[
            { value: "", label: "All states" },
            ...STATES.map((state) => ({ value: state, label: stateWord(state) })),
          ]}
          value={status ?? ""}
          allowDeselect={false}
          onChange={(chosen) => setStatus(STATES.find((state) => state === chosen) ?? null)}
        />
      </div>
      {items.isError && (
        <ErrorState
          title="The items could not be read"
          error={items.error}
          retry={() => void items.refetch()}
        />
      )}
      {!rows && !items.isError && <LinesSkeleton label="Reading the items" />}
      {rows && (
        <ItemTable
          step={step}
          rows={rows}
          filtered={status !== null}
          more={items.hasNextPage ? () => void items.fetchNextPage() : null}
        />
      )}
    </>
  );
}

function NoItems({ filtered, live }: { filtered: boolean; live: boolean }) {
  if (filtered) return <p className="hd-muted">No item is in this state.</p>;
  return <p className="hd-muted">{live ? "No item has begun yet." : "There were no items."}</p>;
}

interface ItemTableProps {
  step: StepView;
  rows: readonly Item[];
  filtered: boolean;
  more: (() => void) | null;
}

function ItemTable({ step, rows, filtered, more }: ItemTableProps) {
  const { run } = useOpenRun();
  const open = useOpenItem(step);
  const opened = useRunState((state) => state.items);
  const scopes = new Set(opened.map((item) => item.scope));
  const isLoop = findNode(run.document, step.node)?.kind === "flow.loop";
  const columns: Column<Item>[] = [
    {
      id: "index",
      title: isLoop ? "Round" : "Item",
      width: 64,
      cell: (item) => (
        <button
          type="button"
          className={`${rowLink} ${classes["open"] ?? ""}`}
          aria-pressed={scopes.has(item.scope)}
          aria-label={`Open ${isLoop ? "round" : "item"} ${item.index}`}
          onClick={() => open(item)}
        >
          {item.index}
        </button>
      ),
    },
    {
      id: "state",
      title: "State",
      width: 104,
      cell: (item) => (
        <span className="hd-row" data-state={item.status}>
          <StateIcon state={item.status} decorative />
          {stateWord(item.status)}
        </span>
      ),
    },
    {
      id: "result",
      title: "Result",
      cell: (item) => <span className={classes["result"]}>{resultWords(item)}</span>,
    },
  ];
  if (!rows.length) return <NoItems filtered={filtered} live={!isFinalStep(step.status)} />;
  return (
    <div className={classes["table"]}>
      <DataTable
        label={isLoop ? "Rounds" : "Items"}
        tight
        columns={columns}
        rows={rows}
        rowKey={(item) => String(item.scope)}
        foot={
          more ? (
            <Button size="xs" variant="default" onClick={more}>
              Show more
            </Button>
          ) : undefined
        }
      />
    </div>
  );
}

const SHOWN_CHARACTERS = 80;

function resultWords(item: Item): string {
  if (item.has_large_result) return "a large result";
  if (item.status === "running") return item.open === 1 ? "1 step open" : `${item.open} steps open`;
  if (item.result === null) return item.status === "succeeded" ? "nothing" : "";
  const text = typeof item.result === "string" ? item.result : JSON.stringify(item.result);
  return text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text;
}
