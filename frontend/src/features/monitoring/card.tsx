/** A card of the page, and the meter several of them use. */
import type { ReactNode } from "react";
import { formatNumber } from "@/lib/format";
import classes from "./cards.module.css";

interface CardProps {
  title: string;
  span: 4 | 5 | 6 | 7 | 8 | 12;
  beside?: ReactNode;
  children: ReactNode;
}

export function Card({ title, span, beside, children }: CardProps) {
  return (
    <section className={classes["card"]} data-span={span} aria-label={title}>
      <header className={classes["head"]}>
        <h2>{title}</h2>
        <span className="hd-grow" />
        <span className={classes["beside"]}>{beside}</span>
      </header>
      {children}
    </section>
  );
}

/** From here on a worker counts as full, which is worth a colour. */
const full = 1;

export function Meter({ used, of, label }: { used: number; of: number; label: string }) {
  const share = of === 0 ? 0 : Math.min(1, used / of);
  return (
    <span className={classes["meterRow"]}>
      <span
        className={classes["meter"]}
        role="meter"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={of}
        aria-valuenow={used}
        data-state={share >= full ? "waiting" : undefined}
      >
        <i style={{ width: `${share * 100}%` }} />
      </span>
      <span className="hd-micro hd-muted">
        {formatNumber(used)}/{formatNumber(of)}
      </span>
    </span>
  );
}
