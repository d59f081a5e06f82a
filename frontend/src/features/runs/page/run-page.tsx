/** The page of one run, live or past: headline, graph, step, timeline and events. */
import { useQuery } from "@tanstack/react-query";
import { ReactFlowProvider } from "@xyflow/react";
import { useMemo } from "react";
import { nodeKindsQuery } from "@/api/node-kinds";
import { runQuery } from "@/api/runs";
import type { RunDetail } from "@/api/types";
import { ErrorState } from "@/components/error-state";
import { indexKinds, type Kinds } from "@/graph/kinds";
import { usePhone } from "@/lib/use-narrow";
import { OpenRunContext } from "../stream/run-context";
import { useRunDetail } from "../stream/use-run-detail";
import { useRunStream } from "../stream/use-run-stream";
import { PhoneRun } from "./phone-run";
import classes from "./run-page.module.css";
import { RunScreen } from "./run-screen";

export function RunPage({ id }: { id: string }) {
  const run = useQuery(runQuery(id));
  const kinds = useQuery(nodeKindsQuery);
  const known = useMemo(() => (kinds.data ? indexKinds(kinds.data) : null), [kinds.data]);
  const error = run.error ?? kinds.error;
  if (error && !run.data) {
    return (
      <div className={classes["loading"]}>
        <ErrorState
          title="The run could not be opened"
          error={error}
          retry={() => void Promise.all([run.refetch(), kinds.refetch()])}
        />
      </div>
    );
  }
  if (!run.data || !known)
    return <div className={classes["loading"]} role="status" aria-label="Opening the run" />;
  return <FollowedRun key={run.data.id} run={run.data} kinds={known} />;
}

function FollowedRun({ run, kinds }: { run: RunDetail; kinds: Kinds }) {
  const store = useRunStream(run.id);
  const current = useRunDetail(run, store);
  const phone = usePhone();
  const open = useMemo(() => ({ run: current, kinds, store }), [current, kinds, store]);
  return (
    <OpenRunContext value={open}>
      <title>{`Run of ${run.workflow_name} · Heddle`}</title>
      {phone ? (
        <PhoneRun />
      ) : (
        <ReactFlowProvider>
          <RunScreen />
        </ReactFlowProvider>
      )}
    </OpenRunContext>
  );
}
