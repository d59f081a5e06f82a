/** Where a person goes after signing in: only ever a place of this application. */
const start = "/workflows";

export function placeAfterSignIn(wanted: string | undefined): string {
  if (wanted === undefined) return start;
  const here = "http://heddle.invalid";
  const address = URL.canParse(wanted, here) ? new URL(wanted, here) : null;
  if (address?.origin !== here || address.pathname === "/sign-in") return start;
  return address.pathname + address.search + address.hash;
}
