/** What the engine does around a node's own work: time limit, retries, and what an error means for the run. */
import { Select, TextInput } from "@mantine/core";
import { useState } from "react";
import { setPolicy } from "@/graph/commands";
import type { GraphNode, Policy, Retry } from "@/graph/graph";
import { useEditorStore } from "../store/editor-context";
import { FieldFrame } from "./fields/field-frame";
import classes from "./inspector.module.css";

const ON_ERROR = [
  { value: "fail", label: "Fail the run" },
  { value: "continue", label: "Go on without its output" },
  { value: "route", label: "Take the error port" },
];
const ON_ERROR_HINTS = {
  fail: "What still runs is cancelled, and the run fails.",
  continue: "What follows gets None in place of the output.",
  route: "The node gets a port “error”; what follows it reads the error as output.",
};
const BACKOFF = [
  { value: "exponential", label: "Twice as long each time" },
  { value: "fixed", label: "Always as long" },
];

export function PolicyTab({ node }: { node: GraphNode }) {
  const store = useEditorStore();
  const policy = node.policy ?? {};
  const retry = policy.retry ?? {};
  const onError = policy.on_error ?? "fail";
  const set = (part: { [K in keyof Policy]?: Policy[K] | undefined }) => {
    const next = Object.fromEntries(
      Object.entries({ ...policy, ...part }).filter(([, value]) => value !== undefined),
    );
    store
      .getState()
      .edit(setPolicy(node.id, next), { label: "Change the policy", mergeKey: `${node.id} policy` });
  };
  const setRetry = (part: { [K in keyof Retry]?: Retry[K] | undefined }) => {
    const next = Object.fromEntries(
      Object.entries({ ...retry, ...part }).filter(([, value]) => value !== undefined),
    );
    set({ retry: Object.keys(next).length ? next : undefined });
  };
  const repeats = (retry.max_attempts ?? 1) > 1;
  return (
    <>
      <NumberRow
        label="Time limit"
        hint="Seconds for one try; without one the installation's limit holds."
        value={policy.timeout_s}
        onChange={(timeout_s) => set({ timeout_s })}
      />
      <NumberRow
        label="Tries"
        hint="How often it is tried in all. Only errors that may pass are tried again."
        placeholder="1"
        whole
        value={retry.max_attempts}
        onChange={(max_attempts) => setRetry({ max_attempts })}
      />
      {repeats && <Pauses retry={retry} onChange={setRetry} />}
      <FieldFrame label="When it fails" hint={ON_ERROR_HINTS[onError]}>
        {({ labelId, hintId }) => (
          <Select
            aria-labelledby={labelId}
            aria-describedby={hintId}
            data={ON_ERROR}
            value={onError}
            allowDeselect={false}
            onChange={(chosen) =>
              set({ on_error: chosen === "fail" ? undefined : (chosen as Policy["on_error"]) })
            }
          />
        )}
      </FieldFrame>
    </>
  );
}

interface PausesProps {
  retry: Retry;
  onChange: (part: { [K in keyof Retry]?: Retry[K] | undefined }) => void;
}

function Pauses({ retry, onChange }: PausesProps) {
  return (
    <>
      <FieldFrame label="Pause between tries">
        {({ labelId }) => (
          <Select
            aria-labelledby={labelId}
            data={BACKOFF}
            value={retry.backoff ?? "exponential"}
            allowDeselect={false}
            onChange={(chosen) => onChange({ backoff: chosen as Retry["backoff"] })}
          />
        )}
      </FieldFrame>
      <div className={classes["twin"]}>
        <NumberRow
          label="First pause"
          hint="Seconds"
          placeholder="1"
          value={retry.initial_s}
          onChange={(initial_s) => onChange({ initial_s })}
        />
        <NumberRow
          label="Longest pause"
          hint="Seconds"
          placeholder="30"
          value={retry.max_s}
          onChange={(max_s) => onChange({ max_s })}
        />
      </div>
    </>
  );
}

interface NumberRowProps {
  label: string;
  hint: string;
  placeholder?: string;
  whole?: boolean;
  value: number | undefined;
  onChange: (value: number | undefined) => void;
}

function NumberRow({ label, hint, placeholder, whole = false, value, onChange }: NumberRowProps) {
  const [text, setText] = useState(written(value));
  const read = readNumber(text, whole);
  const shown = read === "wrong" || read === value ? text : written(value);
  const problem =
    read === "wrong" ? (whole ? "Give a whole number of at least 1." : "Give a number of at least 0.") : null;
  return (
    <FieldFrame label={label} hint={hint} problem={problem}>
      {({ labelId, hintId }) => (
        <TextInput
          aria-labelledby={labelId}
          aria-describedby={hintId}
          inputMode="decimal"
          placeholder={placeholder}
          value={shown}
          error={problem !== null}
          onChange={(event) => {
            const next = event.currentTarget.value;
            setText(next);
            const number = readNumber(next, whole);
            if (number !== "wrong") onChange(number);
          }}
        />
      )}
    </FieldFrame>
  );
}

function written(value: number | undefined): string {
  return value === undefined ? "" : String(value);
}

function readNumber(text: string, whole: boolean): number | undefined | "wrong" {
  if (text.trim() === "") return undefined;
  const number = Number(text);
  const fits = whole ? Number.isInteger(number) && number >= 1 : number >= 0 && Number.isFinite(number);
  return fits ? number : "wrong";
}
