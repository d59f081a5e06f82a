/** Why a step does not run yet. */
import { useQuery } from "@tanstack/react-query";
import { stepQuery } from "@/api/runs";
import { StateIcon } from "@/components/state-icon";
import { edgeSource, edgeTarget, findNode, nodeName } from "@/graph/graph";
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
      {step.status !== "running" && step.status !== "pending" && <ServerReason step={step} />}
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
  const why = detail.data?.why_waiting?.text;
  return why ? <p className="hd-muted">{why}</p> : null;
}
