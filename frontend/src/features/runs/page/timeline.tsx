/** The timeline: one row a step, bars where it worked, hatching where it waited, words where neither says enough. */
import { useVirtualizer } from "@tanstack/react-virtual";
import { memo, useMemo, useRef } from "react";
import { StateIcon } from "@/components/state-icon";
import { formatDuration } from "@/lib/format";
import { axisMarks, timeline, type Bar, type Row, type Timeline as Drawn } from "@/run/timeline";
import { useOpenRun, useRunState } from "../stream/run-context";
import { useCriticalPath, useIsLive } from "../stream/use-figures";
import { useTick } from "../stream/use-tick";
import classes from "./timeline.module.css";

const ROW = 24;
const AXIS = 20;

export function Timeline() {
  const { run } = useOpenRun();
  const view = useRunState((state) => state.view);
  const critical = useCriticalPath();
  const now = useTick(useIsLive());
  const drawn = useMemo(
    () => timeline(run.document, view, critical, now),
    [run.document, view, critical, now],
  );
  const scroll = useRef<HTMLDivElement>(null);
  // The rows are fixed in height: the library's reuse of positions is what the page needs.
  // eslint-disable-next-line react-hooks/incompatible-library
  const window = useVirtualizer({
    count: drawn.rows.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => ROW,
    overscan: 12,
  });
  const scale = drawn.span * 1.02;
  return (
    <div ref={scroll} className={classes["scroll"]}>
      <div className={classes["chart"]} style={{ height: AXIS + window.getTotalSize() + 12 }}>
        <Axis drawn={drawn} scale={scale} />
        <ul aria-label="Steps over time">
          {window.getVirtualItems().map((item) => {
            const row = drawn.rows[item.index];
            return row ? (
              <TimelineRow key={row.stepId} row={row} top={AXIS + item.start} scale={scale} />
            ) : null;
          })}
        </ul>
      </div>
    </div>
  );
}

function Axis({ drawn, scale }: { drawn: Drawn; scale: number }) {
  const marks = axisMarks(drawn.span, 6);
  const nowAt = drawn.now === null ? null : drawn.now / scale;
  return (
    <div className={classes["axis"]} aria-hidden>
      {marks.map((mark) => (
        <span key={mark} className={classes["mark"]} style={{ left: percent(mark / scale) }}>
          <i />
          {nowAt !== null && nowAt - mark / scale < 0.06 ? "" : markWords(mark)}
        </span>
      ))}
      {nowAt !== null && (
        <span className={classes["now"]} style={{ left: percent(nowAt) }}>
          <i />
          now {formatDuration((drawn.now ?? 0) / 1000)}
        </span>
      )}
    </div>
  );
}

function markWords(milliseconds: number): string {
  if (milliseconds === 0) return "0 s";
  return milliseconds < 1000
    ? `${milliseconds} ms`
    : formatDuration(milliseconds / 1000).replace(/\.0 s$/u, " s");
}

interface TimelineRowProps {
  row: Row;
  top: number;
  scale: number;
}

const TimelineRow = memo(function TimelineRow({ row, top, scale }: TimelineRowProps) {
  const { store } = useOpenRun();
  const selected = useRunState((state) => state.selected === row.stepId);
  const end = Math.max(0, ...row.bars.map((bar) => bar.to));
  return (
    <li
      style={{ transform: `translateY(${top}px)` }}
      className={classes["row"]}
      data-selected={selected || undefined}
    >
      <button
        type="button"
        className={classes["line"]}
        title={titleOf(row)}
        onClick={() => store.getState().set({ selected: row.stepId })}
      >
        <span className={classes["name"]} data-idle={row.bars.length === 0 || undefined}>
          <StateIcon state={row.status} />
          <span className="hd-cut">{row.name}</span>
        </span>
        <span className={classes["track"]}>
          {row.bars.map((bar, index) => (
            <BarMark key={index} bar={bar} critical={row.critical} scale={scale} />
          ))}
          {row.note && <Note row={row} at={end / scale} />}
        </span>
      </button>
    </li>
  );
});

/** Words stand behind the bar where there is room, else before it. */
function Note({ row, at }: { row: Row; at: number }) {
  const behind = at < 0.6;
  const begin = Math.min(1, ...row.bars.map((bar) => bar.from));
  if (behind || !row.bars.length) {
    return (
      <span className={classes["note"]} style={{ left: `calc(${percent(at)} + 8px)` }}>
        {row.note}
      </span>
    );
  }
  return begin > 0.2 ? null : <span className="hd-sr">{row.note}</span>;
}

function BarMark({ bar, critical, scale }: { bar: Bar; critical: boolean; scale: number }) {
  return (
    <i
      className={classes["bar"]}
      data-kind={bar.kind}
      data-state={bar.state}
      data-critical={(critical && bar.kind === "work") || undefined}
      style={{ left: percent(bar.from / scale), width: `max(2px, ${percent((bar.to - bar.from) / scale)})` }}
    />
  );
}

function titleOf(row: Row): string {
  const spent = (kind: Bar["kind"]) =>
    row.bars.filter((bar) => bar.kind === kind).reduce((sum, bar) => sum + bar.to - bar.from, 0);
  const words = [
    spent("work") > 0 && `worked ${formatDuration(spent("work") / 1000)}`,
    spent("wait") > 0 && `waited ${formatDuration(spent("wait") / 1000)} for a place`,
    spent("pause") > 0 && `paused ${formatDuration(spent("pause") / 1000)}`,
    row.note,
  ];
  return [row.name, ...words.filter(Boolean)].join(" · ");
}

function percent(share: number): string {
  return `${(share * 100).toFixed(3)}%`;
}
