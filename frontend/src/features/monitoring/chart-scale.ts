/** The scale of a chart: round ticks from zero, and where each value lies. */

export interface Scale {
  top: number;
  ticks: number[];
}

const steps = [1, 2, 2.5, 5, 10];

/** Three to five ticks up to a round number that is no less than the largest value. */
export function scaleFor(largest: number): Scale {
  if (largest <= 0) return { top: 4, ticks: [0, 2, 4] };
  const rough = largest / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const factor = steps.find((step) => step * power >= rough) ?? 10;
  const step = Math.max(factor * power, 1);
  const count = Math.max(2, Math.ceil(largest / step));
  return { top: step * count, ticks: Array.from({ length: count + 1 }, (_, index) => index * step) };
}

export interface Frame {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** The line through all values, spread evenly over the frame. */
export function pathOf(values: readonly number[], { top: largest }: Scale, frame: Frame): string {
  if (values.length === 0) return "";
  const width = frame.right - frame.left;
  const height = frame.bottom - frame.top;
  const step = values.length === 1 ? 0 : width / (values.length - 1);
  const points = values.map((value, index) => {
    const x = frame.left + step * index;
    const y = frame.bottom - (value / largest) * height;
    return `${x.toFixed(1)} ${y.toFixed(1)}`;
  });
  return `M${points.join("L")}`;
}

/** The same line closed along the bottom, for the tint below it. */
export function areaOf(values: readonly number[], scale: Scale, frame: Frame): string {
  const line = pathOf(values, scale, frame);
  return line === "" ? "" : `${line}L${frame.right} ${frame.bottom}L${frame.left} ${frame.bottom}Z`;
}
