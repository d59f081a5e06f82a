/** Why a step does not run yet, and what a person can do about it. */
import { Button, Tooltip } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { decideStep, stepQuery } from "@/api/runs";
import type { Decision } from "@/api/types";
import { CopyButton } from "@/components/copy-button";
import { StateIcon } from "@/components/state-icon";
import { failed } from "@/components/toasts";
import { edgeSource, edgeTarget, findNode, nodeName } from "@/graph/graph";
import { PAUSED } from "@/run/card";
import { isFinalStep, stepOfNode, type StepView } from "@/run/view";
import { useOpenRun, useRunState } from "../stream/run-context";
import classes from "./step-panel.module.css";

const WORDS: Partial<Record<StepView["status"], string>> = {
  pending: "Not started: it needs its inputs first",
  ready: "Ready, not started",
  running: "Running: it gives its output when it is done",
  waiting: "Waiting",
  held: "Held: it needs a decision",
};

export function WhyWaiting({ step }: { step: StepView }) {
  return (
    <section className={classes["why"]}>
      <h3>{WORDS[step.status]}</h3>
      {step.status === "pending" && <MissingInputs step={step} />}
      {(step.status !== "running" || step.progress) && step.status !== "pending" && (
        <ServerReason step={step} />
      )}
    </section>
  );
}

function MissingInputs({ step }: { step: StepView }) {
  const { run, store } = useOpenRun();
  const view = useRunState((state) => state.view);
  const before = run.document.edges
    .filter((edge) => edgeTarget(edge).node === step.node)
    .map((edge) => edgeSource(edge).node);
  return (
    <ul>
      {[...new Set(before)].map((id) => {
        const source = stepOfNode(view, id);
        const node = findNode(run.document, id);
        return (
          <li key={id}>
            <StateIcon state={source?.status ?? "pending"} />
            <button
              type="button"
              className={classes["link"]}
              onClick={() => source && store.getState().set({ selected: source.id })}
            >
              {node ? nodeName(node) : id}
            </button>
            <span className="hd-muted">
              {source && isFinalStep(source.status) ? "is there" : "is missing"}
            </span>
          </li>
        );
      })}
    </ul>
  );
}

/** Queues and limits are known to the server alone. */
function ServerReason({ step }: { step: StepView }) {
  const { run } = useOpenRun();
  const detail = useQuery({
    ...stepQuery(run.id, step.id),
    queryKey: ["runs", "one", run.id, "steps", step.id, "why", step.status],
    refetchInterval: 2_000,
  });
  const why = detail.data?.why_waiting;
  const signal = detail.data?.signal_url;
  return (
    <>
      {why && <p className="hd-muted">{why.text}</p>}
      {step.status === "waiting" && signal && <SignalAddress address={signal} />}
      {step.status === "held" && step.reason !== PAUSED && <Decisions step={step} />}
    </>
  );
}

function SignalAddress({ address }: { address: string }) {
  return (
    <>
      <p className={classes["address"]}>
        <code>{address}</code>
        <CopyButton text={address} label="Copy the address" iconOnly />
      </p>
      <p className="hd-muted hd-small">
        Send it with POST: what it carries as JSON is the output. Whoever knows the address may send it.
      </p>
    </>
  );
}

const DECISIONS: readonly { decision: Decision; verb: string; says: string }[] = [
  { decision: "rerun", verb: "Run again", says: "What it had done outside may happen twice." },
  { decision: "skip", verb: "Skip", says: "It counts as done, without an output." },
  { decision: "fail", verb: "Fail", says: "It counts as failed, as its policy says." },
];

function Decisions({ step }: { step: StepView }) {
  const { run } = useOpenRun();
  const deciding = useMutation({
    mutationFn: (decision: Decision) => decideStep(run.id, step.id, decision),
    onError: (error) => failed("The step could not be decided about", error),
  });
  return (
    <div className={classes["decisions"]} role="group" aria-label="Decide about the step">
      {DECISIONS.map(({ decision, verb, says }) => (
        <Tooltip key={decision} label={says}>
          <Button
            size="xs"
            variant="default"
            loading={deciding.isPending && deciding.variables === decision}
            disabled={deciding.isPending}
            onClick={() => deciding.mutate(decision)}
          >
            {verb}
          </Button>
        </Tooltip>
      ))}
    </div>
  );
}
