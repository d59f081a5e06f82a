/** The product's mark: three threads in their heddles. */
export function Logo({ size = 28 }: { size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 28 28"
      aria-hidden
      style={{ color: "var(--hd-accent-fg)", flex: "none" }}
    >
      <use href="#i-logo" />
    </svg>
  );
}
