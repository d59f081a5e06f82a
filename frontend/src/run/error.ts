/** Errors of steps and runs, read from an event's data. */

import { isObject } from "@/graph/json";
import type { Json } from "@/graph/json";
import type { RunError } from "./view";

export function readError(value: Json | undefined): RunError | null {
  if (!isObject(value) || typeof value["message"] !== "string") return null;
  return {
    code: typeof value["code"] === "string" ? value["code"] : "unknown",
    message: value["message"],
    retryable: value["retryable"] === true,
    node_id: typeof value["node_id"] === "string" ? value["node_id"] : null,
  };
}
