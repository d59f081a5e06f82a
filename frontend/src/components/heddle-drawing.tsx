/** Five threads held by their heddles, and one woven through: the picture of empty places. */
const threads = [20, 40, 60, 80, 100];

export function HeddleDrawing() {
  return (
    <svg
      width="120"
      height="72"
      viewBox="0 0 120 72"
      aria-hidden
      style={{ display: "block", margin: "0 auto 20px" }}
      fill="none"
      stroke="var(--hd-line-3)"
      strokeWidth="1.5"
    >
      {threads.map((x) => (
        <g key={x}>
          <path d={`M${x} 4v24M${x} 44v24`} />
          <ellipse cx={x} cy="36" rx="5" ry="8" fill="var(--hd-surface)" />
        </g>
      ))}
      <path d="M0 36h120" stroke="var(--hd-accent-fg)" strokeWidth="2" />
    </svg>
  );
}
