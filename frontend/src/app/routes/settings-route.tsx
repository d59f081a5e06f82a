/** The page of settings. */
import { useQuery } from "@tanstack/react-query";
import { sessionQuery } from "@/api/session";
import { SettingsPage } from "@/features/settings/settings-page";

export function SettingsRoute() {
  const { data: session } = useQuery(sessionQuery);
  return <SettingsPage workspace={session?.workspaces[0]} />;
}
