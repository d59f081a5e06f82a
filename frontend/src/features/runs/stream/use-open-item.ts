/** Opening one item of a container: its steps are read, then followed with the run. */
import { useMutation } from "@tanstack/react-query";
import { fetchSteps } from "@/api/runs";
import type { Item } from "@/api/types";
import { failed } from "@/components/toasts";
import { itemOf, type StepView } from "@/run/view";
import { useOpenRun } from "./run-context";

export function useOpenItem(container: StepView) {
  const { run, store } = useOpenRun();
  const reading = useMutation({
    mutationFn: (scope: number) => fetchSteps(run.id, scope),
    onSuccess: (rows) => store.getState().addRows(rows),
    onError: (error) => failed("The steps of the item could not be read", error),
  });
  return (item: Item) => {
    const around = itemOf(container.path);
    const outer = store.getState().items.filter((open) => around.startsWith(open.prefix));
    store.getState().open([
      ...outer,
      {
        node: container.node,
        stepId: container.id,
        index: item.index,
        scope: item.scope,
        prefix: item.path.endsWith("/") ? item.path : `${item.path}/`,
      },
    ]);
    reading.mutate(item.scope);
  };
}
