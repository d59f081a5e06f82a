/** The places of the navigation, in the order they are shown. */
import type { IconName } from "@/components/icon-names";

export interface Place {
  to: "/workflows" | "/runs" | "/credentials" | "/api-keys" | "/limits" | "/settings" | "/monitoring";
  name: string;
  icon: IconName;
}

export interface PlaceGroup {
  heading: string | null;
  places: readonly Place[];
}

const work: PlaceGroup = {
  heading: null,
  places: [
    { to: "/workflows", name: "Workflows", icon: "flow" },
    { to: "/runs", name: "Runs", icon: "runs" },
    { to: "/credentials", name: "Credentials", icon: "key" },
  ],
};

const workspace: PlaceGroup = {
  heading: "Workspace",
  places: [
    { to: "/api-keys", name: "API keys", icon: "lock" },
    { to: "/limits", name: "Limits", icon: "filter" },
    { to: "/settings", name: "Settings", icon: "gear" },
  ],
};

const installation: PlaceGroup = {
  heading: "Installation",
  places: [{ to: "/monitoring", name: "Monitoring", icon: "pulse" }],
};

export function placesFor({ isAdmin }: { isAdmin: boolean }): readonly PlaceGroup[] {
  return isAdmin ? [work, workspace, installation] : [work, workspace];
}
