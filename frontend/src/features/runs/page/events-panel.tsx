/** What happened, newest on top, each in one sentence. */
import { ActionIcon, Menu } from "@mantine/core";
import { useVirtualizer } from "@tanstack/react-virtual";
import { useMemo, useRef, useState } from "react";
import { Icon } from "@/components/icon";
import { StateIcon } from "@/components/state-icon";
import { nameOf } from "@/graph/adjacency";
import { formatDuration, formatNumber } from "@/lib/format";
import { sentence, type Sentence } from "@/run/sentences";
import { useOpenRun, useRunState } from "../stream/run-context";
import classes from "./events-panel.module.css";

type Show = "all" | "ends" | "failures";
const WORDS: Record<Show, string> = { all: "All kinds", ends: "Results only", failures: "Failures only" };
const ROW = 24;

export function EventsPanel() {
  const [show, setShow] = useState<Show>("all");
  const sentences = useSentences(show);
  return (
    <section className={classes["panel"]} aria-label="Events">
      <header className={classes["head"]}>
        <h3>Events</h3>
        <span className={classes["count"]}>{formatNumber(sentences.length)}</span>
        <span className="hd-grow" />
        <Menu position="bottom-end">
          <Menu.Target>
            <ActionIcon size="xs" w="auto" px={8} aria-label={`Shown: ${WORDS[show]}`}>
              <span className={classes["filter"]}>
                <Icon name="filter" size={14} />
                {WORDS[show]}
              </span>
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            {(["all", "ends", "failures"] as const).map((each) => (
              <Menu.Item key={each} onClick={() => setShow(each)}>
                {WORDS[each]}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      </header>
      <EventList sentences={sentences} />
      <Announcer newest={sentences[0]} />
    </section>
  );
}

function useSentences(show: Show): Sentence[] {
  const { run } = useOpenRun();
  const events = useRunState((state) => state.events);
  return useMemo(() => {
    return events
      .filter((event) => passes(event.type, show))
      .map((event) => sentence(event, (id) => nameOf(run.document, id)))
      .filter((each) => each !== null)
      .reverse();
  }, [events, run.document, show]);
}

function passes(type: string, show: Show): boolean {
  if (show === "failures") return /failed|retrying|lost/.test(type);
  return show === "all" || !/ready|started|created/.test(type);
}

function EventList({ sentences }: { sentences: readonly Sentence[] }) {
  const scroll = useRef<HTMLDivElement>(null);
  // eslint-disable-next-line react-hooks/incompatible-library
  const window = useVirtualizer({
    count: sentences.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => ROW,
    overscan: 12,
  });
  return (
    <div ref={scroll} className={classes["scroll"]}>
      <ol style={{ height: window.getTotalSize() }} className={classes["list"]}>
        {window.getVirtualItems().map((item) => {
          const said = sentences[item.index];
          return said ? <EventRow key={said.seq} said={said} top={item.start} /> : null;
        })}
      </ol>
    </div>
  );
}

function EventRow({ said, top }: { said: Sentence; top: number }) {
  const { run, store } = useOpenRun();
  const started = useRunState((state) => state.view.startedAt);
  const selected = useRunState((state) => said.stepId !== null && state.selected === said.stepId);
  const origin = started ?? Date.parse(run.created_at);
  return (
    <li className={classes["row"]} style={{ transform: `translateY(${top}px)` }}>
      <button
        type="button"
        data-selected={selected || undefined}
        title={said.text}
        onClick={() => said.stepId !== null && store.getState().set({ selected: said.stepId })}
      >
        <time>{formatDuration(Math.max(0, said.at - origin) / 1000)}</time>
        <StateIcon state={said.state} decorative />
        <span className="hd-cut">{said.text}</span>
      </button>
    </li>
  );
}

/** Reads the newest sentence to screen readers; the browser drops what follows too fast. */
function Announcer({ newest }: { newest: Sentence | undefined }) {
  return (
    <p className="hd-sr" aria-live="polite">
      {newest?.text}
    </p>
  );
}
