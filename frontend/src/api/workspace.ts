/** The workspace this tab works in; the server takes the person's first one until one was chosen. */
let chosen: string | null = null;

export function currentWorkspace(): string | null {
  return chosen;
}

export function chooseWorkspace(id: string | null): void {
  chosen = id;
}
