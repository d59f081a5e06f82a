/** The versions of a workflow. */
import { useParams } from "@tanstack/react-router";
import { VersionsPage } from "@/features/editor/versions/versions-page";

export function VersionsRoute() {
  const { id = "" } = useParams({ strict: false });
  return <VersionsPage key={id} id={id} />;
}
