/** Runs have no numbers: the end of the id tells them apart. */
export function shortId(id: string): string {
  return id.slice(-6);
}
