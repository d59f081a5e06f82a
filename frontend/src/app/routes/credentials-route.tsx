/** The page of credentials. */
import { useQuery } from "@tanstack/react-query";
import { sessionQuery } from "@/api/session";
import { CredentialsPage } from "@/features/credentials/credentials-page";

export function CredentialsRoute() {
  const { data: session } = useQuery(sessionQuery);
  return <CredentialsPage isAdmin={session?.user?.is_admin ?? false} />;
}
