/** The present moment four times a second while something runs, for bars that grow. */
import { useEffect, useState } from "react";

const EVERY_MS = 250;

export function useTick(active: boolean): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (!active) return undefined;
    const timer = setInterval(() => setNow(Date.now()), EVERY_MS);
    return () => clearInterval(timer);
  }, [active]);
  return now;
}
