/** Outputs of the last run before a node, from which its expressions' keys are completed. */
import { useQueries } from "@tanstack/react-query";
import { useMemo } from "react";
import { stepQuery } from "@/api/runs";
import type { Step } from "@/api/types";
import { readableNodes, type SampleOutputs } from "@/graph/references";
import { useEditor } from "../store/editor-context";
import { useLastRun, useLastSteps } from "./use-last-run";

const MOST_NODES = 24;
const MOST_BYTES = 64 * 1024;

export function useSampleOutputs(nodeId: string): SampleOutputs {
  const run = useLastRun();
  const steps = useLastSteps();
  const document = useEditor((state) => state.document);
  const wanted = useMemo(() => {
    const before = readableNodes(document, nodeId);
    return (steps ?? []).filter((step) => before.has(step.node) && isSample(step)).slice(0, MOST_NODES);
  }, [document, nodeId, steps]);
  return useQueries({
    queries: wanted.map((step) => ({ ...stepQuery(run?.id ?? "", step.id), staleTime: Infinity })),
    combine: asSamples,
  });
}

function isSample(step: Step): boolean {
  return step.status === "succeeded" && step.path === step.node && (step.output_size ?? 0) <= MOST_BYTES;
}

function asSamples(
  results: readonly { data?: { node: string; output: unknown } | undefined }[],
): SampleOutputs {
  return Object.fromEntries(results.flatMap(({ data }) => (data ? [[data.node, data.output]] : [])));
}
