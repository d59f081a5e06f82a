export function PasswordRoute() {
  return null;
}
