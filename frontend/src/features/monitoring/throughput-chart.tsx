/** Steps and runs finished in each minute of the last hour. */
import { useElementSize } from "@mantine/hooks";
import type { Minute } from "@/api/types";
import { formatClock, formatCompact, formatNumber } from "@/lib/format";
import classes from "./chart.module.css";
import { areaOf, pathOf, scaleFor, type Frame } from "./chart-scale";
import { sum } from "./figures";

const height = 184;

export function ThroughputChart({ minutes }: { minutes: readonly Minute[] }) {
  const { ref, width } = useElementSize();
  const frame: Frame = { left: 44, right: Math.max(120, width - 16), top: 6, bottom: height - 24 };
  const steps = minutes.map((minute) => minute.steps);
  const runs = minutes.map((minute) => minute.runs);
  const scale = scaleFor(Math.max(...steps, ...runs, 0));
  const words = `${formatNumber(sum(steps))} steps and ${formatNumber(sum(runs))} runs finished in the last hour`;
  return (
    <div ref={ref} className={classes["place"]} style={{ height }}>
      {width > 0 && (
        <svg className={classes["chart"]} width={width} height={height} role="img" aria-label={words}>
          {scale.ticks.map((tick) => (
            <Tick key={tick} value={tick} top={scale.top} frame={frame} />
          ))}
          <TimeAxis minutes={minutes} frame={frame} />
          <path className={classes["area"]} d={areaOf(steps, scale, frame)} />
          <path className={classes["second"]} d={pathOf(runs, scale, frame)} />
          <path className={classes["first"]} d={pathOf(steps, scale, frame)} />
        </svg>
      )}
    </div>
  );
}

function Tick({ value, top, frame }: { value: number; top: number; frame: Frame }) {
  const y = frame.bottom - (value / top) * (frame.bottom - frame.top);
  return (
    <>
      <path className={classes["grid"]} d={`M${frame.left} ${y}H${frame.right}`} />
      <text x={frame.left - 8} y={y + 4} textAnchor="end">
        {formatCompact(value)}
      </text>
    </>
  );
}

const marks = 5;

function TimeAxis({ minutes, frame }: { minutes: readonly Minute[]; frame: Frame }) {
  const last = minutes.length - 1;
  const shown = frame.right - frame.left < 360 ? 3 : marks;
  const places = Array.from({ length: shown }, (_, index) => Math.round((last * index) / (shown - 1)));
  return places.map((place, index) => {
    const minute = minutes[place];
    if (!minute) return null;
    const x = frame.left + ((frame.right - frame.left) * index) / (shown - 1);
    const anchor = index === 0 ? "start" : index === shown - 1 ? "end" : "middle";
    return (
      <text key={minute.minute} x={x} y={frame.bottom + 18} textAnchor={anchor}>
        {index === shown - 1 ? "now" : formatClock(minute.minute)}
      </text>
    );
  });
}
