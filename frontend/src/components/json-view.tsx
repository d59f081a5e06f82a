/** A JSON value as a tree that opens where it is pressed; large values are shown in parts. */
import { useState } from "react";
import type { Json } from "@/graph/json";
import { formatCount } from "@/lib/format";
import { entriesOf, opensAtFirst, shortText, sizeInWords } from "./json-parts";
import classes from "./json-view.module.css";

const shownAtOnce = 100;
const longText = 1_500;

export function JsonView({ value, label = "Value" }: { value: Json; label?: string }) {
  return (
    <div className={classes["tree"]} role="group" aria-label={label}>
      <Entry name={null} value={value} depth={0} />
    </div>
  );
}

interface EntryProps {
  name: string | null;
  value: Json;
  depth: number;
}

function Entry({ name, value, depth }: EntryProps) {
  if (typeof value === "object" && value !== null) return <Branch name={name} value={value} depth={depth} />;
  return (
    <div className={classes["line"]}>
      <Name name={name} />
      {typeof value === "string" ? <Text text={value} /> : <span>{String(value)}</span>}
    </div>
  );
}

function Name({ name }: { name: string | null }) {
  return name === null ? null : <span className={classes["name"]}>{name}:</span>;
}

function Branch({ name, value, depth }: EntryProps & { value: NonNullable<Json> & object }) {
  const [open, setOpen] = useState(() => opensAtFirst(value, depth));
  const [shown, setShown] = useState(shownAtOnce);
  const entries = entriesOf(value);
  if (entries.length === 0) {
    return (
      <div className={classes["line"]}>
        <Name name={name} />
        <span className="hd-muted">{Array.isArray(value) ? "[ ]" : "{ }"}</span>
      </div>
    );
  }
  return (
    <div>
      <button type="button" className={classes["toggle"]} aria-expanded={open} onClick={() => setOpen(!open)}>
        <span className={classes["mark"]} aria-hidden />
        <Name name={name} />
        <span className="hd-muted">{open ? sizeInWords(value) : shortText(value)}</span>
      </button>
      {open && (
        <div className={classes["inside"]}>
          {entries.slice(0, shown).map(([key, child]) => (
            <Entry key={key} name={key} value={child} depth={depth + 1} />
          ))}
          {entries.length > shown && (
            <button type="button" className={classes["more"]} onClick={() => setShown(shown + shownAtOnce)}>
              Show {formatCount(Math.min(shownAtOnce, entries.length - shown), "more entry", "more entries")}{" "}
              of {entries.length}
            </button>
          )}
        </div>
      )}
    </div>
  );
}

function Text({ text }: { text: string }) {
  const [whole, setWhole] = useState(false);
  const cut = !whole && text.length > longText;
  return (
    <span className={classes["text"]}>
      {JSON.stringify(cut ? text.slice(0, longText) : text)}
      {cut && (
        <button type="button" className={classes["more"]} onClick={() => setWhole(true)}>
          Show all {formatCount(text.length, "character")}
        </button>
      )}
    </span>
  );
}
