/** A small neutral mark beside a name. */
import type { ReactNode } from "react";
import classes from "./chip.module.css";

export function Chip({ children, mono = false }: { children: ReactNode; mono?: boolean }) {
  return <span className={`${classes["chip"] ?? ""} ${mono ? "hd-mono" : ""}`}>{children}</span>;
}
