/** The nonce under which this page may add style elements; empty where the server asks for none. */
export function cspNonce(): string {
  return document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? "";
}
