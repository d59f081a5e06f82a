export function MonitoringRoute() {
  return null;
}
