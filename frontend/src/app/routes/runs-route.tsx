export function RunsRoute() {
  return <main />;
}

export function WorkflowRunsRoute() {
  return <main />;
}
