/** ELK in a worker of its own, started when the first graph has to be laid out. */
import Elk from "elkjs/lib/elk-api.js";
import type { LayoutEngine } from "@/graph/layout";

let engine: LayoutEngine | null = null;

export function elkEngine(): LayoutEngine {
  engine ??= new Elk({
    workerFactory: () => new Worker(new URL("elkjs/lib/elk-worker.min.js", import.meta.url)),
  }) as unknown as LayoutEngine;
  return engine;
}
