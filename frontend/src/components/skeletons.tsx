/** Bars in the place of what is being loaded; nothing at all for the first moment. */
import classes from "./skeletons.module.css";

/** Rows of a table that is on its way. */
export function TableSkeleton({ rows = 8, label }: { rows?: number; label: string }) {
  return (
    <div className={classes["card"]} role="status" aria-label={label}>
      <div className={classes["head"]} />
      {Array.from({ length: rows }, (_, index) => (
        <div key={index} className={classes["row"]}>
          <i style={{ width: `${22 + ((index * 7) % 14)}%` }} />
          <i style={{ width: "12%" }} />
          <i style={{ width: "10%" }} />
        </div>
      ))}
    </div>
  );
}

/** Lines of text that are on their way. */
export function LinesSkeleton({ lines = 3, label }: { lines?: number; label: string }) {
  return (
    <div className={classes["lines"]} role="status" aria-label={label}>
      {Array.from({ length: lines }, (_, index) => (
        <i key={index} style={{ width: `${60 + ((index * 17) % 36)}%` }} />
      ))}
    </div>
  );
}
