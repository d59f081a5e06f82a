/** What workflows need to call models and services. */
import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { credentialsQuery } from "@/api/credentials";
import type { Credential } from "@/api/types";
import { EmptyState } from "@/components/empty-state";
import { ErrorState } from "@/components/error-state";
import { Icon } from "@/components/icon";
import { PageHeader } from "@/components/page-header";
import { TableSkeleton } from "@/components/skeletons";
import { CredentialTable } from "./credential-table";
import { Dialogs, type OpenDialog } from "./dialogs";

const about =
  "What workflows use to call models and services. Secrets are stored encrypted and never shown again.";

export function CredentialsPage({ isAdmin }: { isAdmin: boolean }) {
  const [open, setOpen] = useState<OpenDialog | null>(null);
  const list = useQuery(credentialsQuery);
  const add = (
    <Button leftSection={<Icon name="plus" />} onClick={() => setOpen({ dialog: "new" })}>
      New credential
    </Button>
  );
  const isEmpty = list.data?.length === 0;
  return (
    <>
      {isEmpty ? (
        <>
          <title>Credentials · Heddle</title>
          <EmptyState
            picture
            title="Connect a model"
            text="Add the address and key of any server that speaks the OpenAI API, a local Ollama for example. Tokens and passwords for HTTP requests are kept here too."
          >
            {add}
          </EmptyState>
        </>
      ) : (
        <>
          <PageHeader title="Credentials" text={about}>
            {add}
          </PageHeader>
          <List
            credentials={list.data}
            error={list.error}
            retry={() => void list.refetch()}
            onOpen={setOpen}
          />
        </>
      )}
      <Dialogs
        open={open}
        firstEndpoint={!list.data?.some((each) => each.kind === "openai")}
        isAdmin={isAdmin}
        onOpen={setOpen}
      />
    </>
  );
}

interface ListProps {
  credentials: Credential[] | undefined;
  error: Error | null;
  retry: () => void;
  onOpen: (dialog: OpenDialog) => void;
}

function List({ credentials, error, retry, onOpen }: ListProps) {
  if (credentials) return <CredentialTable credentials={credentials} onOpen={onOpen} />;
  if (error) return <ErrorState title="The credentials could not be loaded" error={error} retry={retry} />;
  return <TableSkeleton rows={3} label="Loading the credentials" />;
}
