/** Chooses the step a reader most likely wants: what failed, else the model that answers now, else the result. */
import { useEffect } from "react";
import type { RunView, StepView } from "@/run/view";
import { useOpenRun, useRunState } from "../stream/run-context";

export function useFirstChoice(): void {
  const { run, store } = useOpenRun();
  const loaded = useRunState((state) => state.loaded);
  useEffect(() => {
    if (!loaded || store.getState().selected !== null) return;
    const kinds = new Map(run.document.nodes.map((node) => [node.id, node.kind]));
    const step = firstChoice(store.getState().view, kinds);
    if (step) store.getState().set({ selected: step.id });
  }, [loaded, run.document, store]);
}

function firstChoice(view: RunView, kinds: ReadonlyMap<string, string>): StepView | undefined {
  const steps = [...view.steps.values()];
  const isKind = (step: StepView, prefix: string) => kinds.get(step.node)?.startsWith(prefix) === true;
  return (
    steps.find((step) => step.status === "failed") ??
    steps.find((step) => step.status === "running" && isKind(step, "llm.")) ??
    (view.finishedAt === null
      ? undefined
      : steps.find((step) => step.status === "succeeded" && isKind(step, "io.output"))) ??
    steps.find((step) => step.status === "running") ??
    steps.find((step) => isKind(step, "llm.") || isKind(step, "io.output")) ??
    steps[0]
  );
}
