/** What the engine does around a node's own work: time limit, retries, and what an error means for the run. */
import { Select, TagsInput } from "@mantine/core";
import { setPolicy } from "@/graph/commands";
import type { GraphNode, Policy, Retry } from "@/graph/graph";
import { useEditorStore } from "../store/editor-context";
import { FieldFrame } from "./fields/field-frame";
import { NumberRow } from "./fields/number-row";
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
const ON_LOST = [
  { value: "decide", label: "As its effects allow" },
  { value: "rerun", label: "Run it again elsewhere" },
  { value: "hold", label: "Hold it for a person" },
  { value: "fail", label: "Fail" },
];
const ON_LOST_HINTS = {
  decide: "What only reads or computes runs again; what may have changed something outside is held.",
  rerun: "Another worker runs it again: what it had done outside may happen twice.",
  hold: "It waits until somebody lets it run again, skips it or lets it fail.",
  fail: "It fails with the code worker_lost.",
};
const BACKOFF = [
  { value: "exponential", label: "Twice as long each time" },
  { value: "fixed", label: "Always as long" },
];

type SetPolicy = (part: { [K in keyof Policy]?: Policy[K] | undefined }) => void;

export function PolicyTab({ node }: { node: GraphNode }) {
  const store = useEditorStore();
  const policy = node.policy ?? {};
  const retry = policy.retry ?? {};
  const onError = policy.on_error ?? "fail";
  const set: SetPolicy = (part) => {
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
      <div className={classes["twin"]}>
        <NumberRow
          label="Queue limit"
          hint="Seconds ready before it starts"
          placeholder="none"
          value={policy.queue_timeout_s}
          onChange={(queue_timeout_s) => set({ queue_timeout_s })}
        />
        <NumberRow
          label="Idle limit"
          hint="Seconds without a sign of life"
          placeholder="none"
          value={policy.idle_timeout_s}
          onChange={(idle_timeout_s) => set({ idle_timeout_s })}
        />
      </div>
      <NumberRow
        label="Tries"
        hint="How often it is tried in all. Without codes below, only errors that may pass are tried again."
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
      <WhenLost policy={policy} set={set} />
    </>
  );
}

function WhenLost({ policy, set }: { policy: Policy; set: SetPolicy }) {
  const onLost = policy.on_lost ?? "decide";
  return (
    <FieldFrame label="When its worker is lost" hint={ON_LOST_HINTS[onLost]}>
      {({ labelId, hintId }) => (
        <Select
          aria-labelledby={labelId}
          aria-describedby={hintId}
          data={ON_LOST}
          value={onLost}
          allowDeselect={false}
          onChange={(chosen) =>
            set({ on_lost: chosen === "decide" ? undefined : (chosen as Policy["on_lost"]) })
          }
        />
      )}
    </FieldFrame>
  );
}

interface PausesProps {
  retry: Retry;
  onChange: (part: { [K in keyof Retry]?: Retry[K] | undefined }) => void;
}

function Pauses({ retry, onChange }: PausesProps) {
  return (
    <>
      <FieldFrame
        label="Only for these errors"
        hint="Codes such as http_status or timeout; without any, those that may pass."
      >
        {({ labelId, hintId }) => (
          <TagsInput
            aria-labelledby={labelId}
            aria-describedby={hintId}
            placeholder={retry.on?.length ? "" : "every error that may pass"}
            splitChars={[",", " "]}
            value={retry.on ?? []}
            onChange={(on) => onChange({ on: on.length ? on : undefined })}
          />
        )}
      </FieldFrame>
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
