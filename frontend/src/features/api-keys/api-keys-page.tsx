/** Keys with which programs use the API in place of a person. */
import { Anchor, Button } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { apiKeysQuery, revokeApiKey } from "@/api/api-keys";
import type { ApiKey, NewApiKey } from "@/api/types";
import { ConfirmDialog } from "@/components/confirm-dialog";
import { EmptyState } from "@/components/empty-state";
import { ErrorState } from "@/components/error-state";
import { Icon } from "@/components/icon";
import { PageHeader } from "@/components/page-header";
import { TableSkeleton } from "@/components/skeletons";
import { done } from "@/components/toasts";
import { KeyDialog } from "./key-dialog";
import { KeyTable } from "./key-table";
import { MadeDialog } from "./made-dialog";

type Open = { dialog: "new" } | { dialog: "made"; key: NewApiKey } | { dialog: "revoke"; key: ApiKey };

export function ApiKeysPage() {
  const [open, setOpen] = useState<Open | null>(null);
  const list = useQuery(apiKeysQuery);
  const close = () => setOpen(null);
  return (
    <>
      <PageHeader
        title="API keys"
        text="Programs use a key in place of a person. A key belongs to this workspace and sees nothing of others."
      >
        <Anchor href="/api/docs/" target="_blank" rel="noopener" className="hd-small">
          API reference
        </Anchor>
        <Button leftSection={<Icon name="plus" />} onClick={() => setOpen({ dialog: "new" })}>
          New key
        </Button>
      </PageHeader>
      <List
        keys={list.data}
        error={list.error}
        retry={() => void list.refetch()}
        onRevoke={(key) => setOpen({ dialog: "revoke", key })}
      />
      {open?.dialog === "new" && (
        <KeyDialog onClose={close} onMade={(key) => setOpen({ dialog: "made", key })} />
      )}
      {open?.dialog === "made" && <MadeDialog apiKey={open.key} onClose={close} />}
      {open?.dialog === "revoke" && <RevokeDialog apiKey={open.key} onClose={close} />}
    </>
  );
}

interface ListProps {
  keys: ApiKey[] | undefined;
  error: Error | null;
  retry: () => void;
  onRevoke: (key: ApiKey) => void;
}

function List({ keys, error, retry, onRevoke }: ListProps) {
  if (keys?.length === 0) {
    return (
      <EmptyState
        title="No keys yet"
        text="Create one to start runs from a script, a pipeline or another product."
      />
    );
  }
  if (keys) return <KeyTable keys={keys} onRevoke={onRevoke} />;
  if (error) return <ErrorState title="The keys could not be loaded" error={error} retry={retry} />;
  return <TableSkeleton rows={3} label="Loading the keys" />;
}

function RevokeDialog({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const queryClient = useQueryClient();
  const revoking = useMutation({
    mutationFn: () => revokeApiKey(apiKey.id),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: apiKeysQuery.queryKey });
      done(`Revoked ${apiKey.name}`);
      onClose();
    },
  });
  return (
    <ConfirmDialog
      opened
      title={`Revoke ${apiKey.name}`}
      verb="Revoke key"
      busy={revoking.isPending}
      error={revoking.error}
      onConfirm={() => revoking.mutate()}
      onClose={onClose}
    >
      Programs that use it are refused from now on. Runs they have started go on.
    </ConfirmDialog>
  );
}
