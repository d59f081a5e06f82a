/** The runs of the workspace, and those of one workflow. */
import { useParams } from "@tanstack/react-router";
import { RunsPage, WorkflowRunsPage } from "@/features/runs/list/runs-page";

export function RunsRoute() {
  return <RunsPage />;
}

export function WorkflowRunsRoute() {
  const { id = "" } = useParams({ strict: false });
  return <WorkflowRunsPage key={id} id={id} />;
}
