export function CredentialsRoute() {
  return null;
}
