/** A workflow's graph, to be edited. */
import { useParams } from "@tanstack/react-router";
import { EditorPage } from "@/features/editor/editor-page";

export function EditorRoute() {
  const { id = "" } = useParams({ strict: false });
  return <EditorPage key={id} id={id} />;
}
