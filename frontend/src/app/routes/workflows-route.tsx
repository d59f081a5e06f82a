export function WorkflowsRoute() {
  return null;
}
