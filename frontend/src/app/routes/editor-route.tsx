export function EditorRoute() {
  return <main />;
}
