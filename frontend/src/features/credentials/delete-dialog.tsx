/** Deleting a credential takes its secret with it, so it is asked for first. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { credentialsQuery, deleteCredential } from "@/api/credentials";
import type { Credential } from "@/api/types";
import { ConfirmDialog } from "@/components/confirm-dialog";
import { done } from "@/components/toasts";

export function DeleteDialog({ credential, onClose }: { credential: Credential; onClose: () => void }) {
  const queryClient = useQueryClient();
  const removing = useMutation({
    mutationFn: () => deleteCredential(credential.id),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: credentialsQuery.queryKey });
      done(`Deleted ${credential.name}`);
      onClose();
    },
  });
  return (
    <ConfirmDialog
      opened
      title={`Delete ${credential.name}`}
      verb="Delete credential"
      busy={removing.isPending}
      error={removing.error}
      onConfirm={() => removing.mutate()}
      onClose={onClose}
    >
      Its secret is erased and cannot be brought back. Steps that use this credential fail until their node
      names another one.
    </ConfirmDialog>
  );
}
