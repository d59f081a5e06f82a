export function ApiKeysRoute() {
  return null;
}
