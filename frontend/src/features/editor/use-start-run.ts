/** Running the draft: saved first, asked for inputs where there are any, then the run's page. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { startRun } from "@/api/runs";
import { failed } from "@/components/toasts";
import { isObject, type JsonObject } from "@/graph/json";
import { readFields } from "@/graph/schema";
import type { RunMore } from "./dialogs/more-fields";
import { useEditorStore } from "./store/editor-context";

interface Wish {
  inputs: JsonObject;
  more: RunMore;
}

const keyOf = (workflowId: string) => `heddle.inputs.${workflowId}`;

export function useStartRun(saveNow: () => Promise<boolean>) {
  const store = useEditorStore();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const [asking, setAsking] = useState(false);

  const start = useMutation({
    mutationFn: async ({ inputs, more }: Wish) => {
      if (!(await saveNow()))
        throw new Error("The draft could not be saved, so it was not run. See beside its name why.");
      return startRun(store.getState().workflowId, { ...more, inputs, version: "draft" });
    },
    onSuccess: (run, { inputs }) => {
      remember(run.workflow_id, inputs);
      void queryClient.invalidateQueries({ queryKey: ["runs", "list"] });
      void navigate({ to: "/runs/$id", params: { id: run.id } });
    },
    onError: (error) => {
      if (!asking) failed("The run did not start", error);
    },
  });

  /** Starts at once where nothing is asked, unless the form is wished for. */
  const begin = (ask = false) => {
    const { document } = store.getState();
    if (start.isPending || !document.nodes.length) return;
    const fields = readFields(document.inputs);
    if (fields?.length === 0 && !ask) start.mutate({ inputs: {}, more: {} });
    else setAsking(true);
  };

  const form = asking
    ? {
        schema: store.getState().document.inputs,
        remembered: recall(store.getState().workflowId),
        busy: start.isPending,
        error: start.error,
        onRun: (inputs: JsonObject, more: RunMore) => start.mutate({ inputs, more }),
        onClose: () => {
          setAsking(false);
          start.reset();
        },
      }
    : null;

  return { begin, starting: start.isPending && !asking, form };
}

function remember(workflowId: string, inputs: JsonObject): void {
  try {
    localStorage.setItem(keyOf(workflowId), JSON.stringify(inputs));
  } catch {
    // Without room on this device the form starts empty next time.
  }
}

function recall(workflowId: string): JsonObject {
  try {
    const held: unknown = JSON.parse(localStorage.getItem(keyOf(workflowId)) ?? "{}");
    return isObject(held) ? held : {};
  } catch {
    return {};
  }
}
