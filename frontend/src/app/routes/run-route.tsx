/** One run, live or past. */
import { useParams } from "@tanstack/react-router";
import { RunPage } from "@/features/runs/page/run-page";

export function RunRoute() {
  const { id = "" } = useParams({ strict: false });
  return <RunPage key={id} id={id} />;
}
