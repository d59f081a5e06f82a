export function RunRoute() {
  return <main />;
}
