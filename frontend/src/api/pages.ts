/** Lists come in pages; the address of the next one carries its cursor. */
export function cursorOf(address: string | null): string | null {
  if (address === null) return null;
  return new URL(address, "http://heddle.invalid").searchParams.get("cursor");
}
