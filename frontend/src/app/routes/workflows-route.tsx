/** The page of all workflows. */
import { WorkflowsPage } from "@/features/workflows/workflows-page";

export function WorkflowsRoute() {
  return <WorkflowsPage />;
}
