export function MoreRoute() {
  return null;
}
