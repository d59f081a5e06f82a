/** A result as it is best read: Markdown where it is text, a tree where it is JSON, and either as plain text. */
import { SegmentedControl } from "@mantine/core";
import { useState } from "react";
import type { Json } from "@/graph/json";
import { isObject } from "@/graph/json";
import { CopyButton } from "./copy-button";
import { JsonView } from "./json-view";
import { Markdown } from "./markdown";
import classes from "./value-view.module.css";

type Look = "Read" | "JSON" | "Text";

export function ValueView({ value }: { value: Json }) {
  const [chosen, setChosen] = useState<Look | null>(null);
  if (value === null) return <p className="hd-muted">Nothing: the output is None.</p>;
  const prose = proseOf(value);
  const looks: Look[] = prose === null ? ["JSON", "Text"] : ["Read", "JSON", "Text"];
  const look = chosen && looks.includes(chosen) ? chosen : prose === null ? "JSON" : "Read";
  const text = typeof value === "string" ? value : JSON.stringify(value, null, 2);
  return (
    <div className={classes["view"]}>
      <div className={classes["bar"]}>
        <SegmentedControl
          size="xs"
          data={looks}
          value={look}
          onChange={(next) => setChosen(next)}
          aria-label="How the value is shown"
        />
        <span className="hd-grow" />
        <CopyButton text={text} label="Copy" />
      </div>
      <Shown look={look} value={value} text={look === "Read" ? (prose ?? text) : text} />
    </div>
  );
}

function Shown({ look, value, text }: { look: Look; value: Json; text: string }) {
  if (look === "Read") return <Markdown text={text} />;
  return look === "JSON" ? <JsonView value={value} /> : <pre className={classes["text"]}>{text}</pre>;
}

/** The text to read: the value itself, or what a model answered where it answered no data. */
function proseOf(value: Json): string | null {
  if (typeof value === "string") return value;
  if (isObject(value) && typeof value["text"] === "string" && value["data"] == null) return value["text"];
  return null;
}
