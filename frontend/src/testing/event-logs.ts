/** The event logs that both reducers, this one and the engine's, are tested on. */

import { readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";

import { EMPTY_VIEW } from "@/run/view";
import { reduceAll } from "@/run/reduce";
import type { RunEvent, RunView } from "@/run/view";

export interface EventLog {
  name: string;
  events: RunEvent[];
  view: { status: string; steps: Record<string, string> };
}

const FOLDER = resolve(import.meta.dirname, "../../../tests/fixtures/events");

export function eventLogs(): EventLog[] {
  return readdirSync(FOLDER)
    .filter((file) => file.endsWith(".json"))
    .map((file) => readLog(file.replace(/\.json$/, "")));
}

export function readLog(name: string): EventLog {
  const content = JSON.parse(readFileSync(resolve(FOLDER, `${name}.json`), "utf8")) as Omit<EventLog, "name">;
  return { name, ...content };
}

export function foldLog(name: string, upTo = Infinity): RunView {
  return reduceAll(
    EMPTY_VIEW,
    readLog(name).events.filter((event) => event.seq <= upTo),
  );
}
