/** The page of limits. */
import { LimitsPage } from "@/features/limits/limits-page";

export function LimitsRoute() {
  return <LimitsPage />;
}
