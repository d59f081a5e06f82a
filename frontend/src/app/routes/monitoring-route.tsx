/** The page of monitoring, for administrators of the installation. */
import { MonitoringPage } from "@/features/monitoring/monitoring-page";

export function MonitoringRoute() {
  return <MonitoringPage />;
}
