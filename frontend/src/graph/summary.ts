/** One line that says what a node does, from its settings: the card's second line. */

import { edgeTarget } from "./graph";
import type { GraphDocument, GraphNode } from "./graph";
import { isObject } from "./json";
import type { JsonObject } from "./json";
import type { NodeKind } from "./kinds";

type Summary = (config: JsonObject, node: GraphNode, document: GraphDocument) => string;

const SUMMARIES: Readonly<Record<string, Summary>> = {
  "io.input": (_config, _node, document) => keysOf(document.inputs?.["properties"]) || "no inputs",
  "io.output": (config, node) => text(config["name"]) || node.id,
  "data.set": (config) => keysOf(config["values"]) || "no values yet",
  "data.template": (config) => firstLine(config["text"]) || "no text yet",
  "data.transform": (config) => firstCodeLine(config["code"]) || "no code yet",
  "http.request": (config) =>
    text(config["url"])
      ? `${text(config["method"]) || "GET"} ${shortUrl(text(config["url"]))}`
      : "no address yet",
  "llm.chat": chatSummary,
  "flow.branch": (config) => firstCase(config["cases"]) || "no cases yet",
  "flow.join": joinSummary,
  "flow.wait": waitSummary,
  "flow.map": (config) => overSummary(config["over"]) || "no list yet",
  "flow.loop": loopSummary,
  "flow.workflow": (config) =>
    text(config["workflow"])
      ? typeof config["version"] === "number"
        ? `version ${scalar(config["version"])}`
        : "latest version"
      : "no workflow yet",
  "flow.stop": (config) =>
    config["fail"] === true ? `fails: ${firstLine(config["message"]) || "no message"}` : "ends the run",
};

export function summarise(node: GraphNode, kind: NodeKind, document: GraphDocument): string {
  return SUMMARIES[node.kind]?.(node.config ?? {}, node, document) ?? kind.title;
}

function chatSummary(config: JsonObject): string {
  const model = text(config["model"]) || "default";
  const shape = isObject(config["schema"])
    ? `to ${text(config["schema"]["title"]) || "JSON"}`
    : firstLine(config["prompt"]);
  return shape ? `${model} · ${shape}` : model;
}

function joinSummary(config: JsonObject, node: GraphNode, document: GraphDocument): string {
  const into = document.edges.filter((edge) => edgeTarget(edge).node === node.id).length;
  const mode = text(config["mode"]) || "all";
  if (mode === "all") return `waits for all ${String(into)}`;
  if (mode === "n") return `waits for ${scalar(config["n"]) || "?"} of ${String(into)}`;
  return mode === "first" ? "takes the first, stops the rest" : "fires at the first";
}

function waitSummary(config: JsonObject): string {
  if (config["seconds"] !== undefined && config["seconds"] !== null) return `${scalar(config["seconds"])} s`;
  if (text(config["until"])) return `until ${text(config["until"])}`;
  if (config["signal"] === true || isObject(config["signal"])) return "until its signal comes";
  return "no time yet";
}

function overSummary(over: unknown): string {
  if (over === undefined || over === null || over === "") return "";
  if (typeof over === "string") return `over ${shortUrl(firstLine(over))}`;
  return Array.isArray(over) ? `over ${over.length} items` : `over ${scalar(over) || "a range"}`;
}

function loopSummary(config: JsonObject): string {
  const ways = [
    text(config["while"]) && `while ${firstLine(config["while"])}`,
    scalar(config["times"]) && `${scalar(config["times"])} times`,
    overSummary(config["over"]),
  ];
  return ways.filter(Boolean).join(", ") || "no end yet";
}

const AT_ONCE = 100;
const MOST_ROUNDS = 100;

/** How a container goes about what it holds: the right of its head. */
export function containerAside(node: GraphNode, container: "map" | "loop"): string {
  const config = node.config ?? {};
  if (container === "loop") return `at most ${scalar(config["max_iterations"]) || MOST_ROUNDS} rounds`;
  return `${scalar(config["concurrency"]) || AT_ONCE} at once`;
}

/** Imports and comments come first in code and say the least about it. */
function firstCodeLine(code: unknown): string {
  const lines = text(code)
    .split("\n")
    .map((line) => line.trim());
  return lines.find((line) => line !== "" && !/^(#|import\s|from\s)/.test(line)) ?? firstLine(code);
}

function firstCase(cases: unknown): string {
  if (!Array.isArray(cases)) return "";
  const first: unknown = cases[0];
  return isObject(first) ? firstLine(first["when"]) : "";
}

function keysOf(value: unknown): string {
  return isObject(value) ? Object.keys(value).join(", ") : "";
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function scalar(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}

function firstLine(value: unknown): string {
  const line = text(value)
    .split("\n")
    .find((candidate) => candidate.trim());
  return line?.trim() ?? "";
}

function shortUrl(url: string): string {
  return url.replace(/^https?:\/\//, "").replace(/\{\{\s*|\s*\}\}/g, "");
}
