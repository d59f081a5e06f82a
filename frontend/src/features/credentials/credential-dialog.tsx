/** Making a credential, or changing one; its secret can be replaced but not read. */
import { useForm } from "@mantine/form";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { createCredential, credentialsQuery, updateCredential } from "@/api/credentials";
import type { Credential } from "@/api/types";
import { FormDialog } from "@/components/form-dialog";
import { CredentialFields } from "./credential-fields";
import { draftOf, problemsOf, valuesOf, type CredentialValues } from "./draft";

interface CredentialDialogProps {
  credential: Credential | null;
  /** The first model endpoint of a workspace is its default unless somebody says otherwise. */
  firstEndpoint: boolean;
  isAdmin: boolean;
  onClose: () => void;
  onSaved: (credential: Credential) => void;
}

export function CredentialDialog(props: CredentialDialogProps) {
  const { credential, firstEndpoint, isAdmin, onClose, onSaved } = props;
  const queryClient = useQueryClient();
  const form = useForm<CredentialValues>({
    initialValues: { ...valuesOf(credential), ...(credential === null ? { isDefault: firstEndpoint } : {}) },
    validate: (values) => problemsOf(values, credential),
  });
  const saving = useMutation({
    mutationFn: (values: CredentialValues) => {
      const draft = draftOf(values, credential);
      return credential === null
        ? createCredential({ kind: values.kind, ...draft })
        : updateCredential(credential.id, draft);
    },
    onSuccess: async (saved) => {
      await queryClient.invalidateQueries({ queryKey: credentialsQuery.queryKey });
      onSaved(saved);
    },
  });
  return (
    <FormDialog
      opened
      title={credential === null ? "New credential" : `Edit ${credential.name}`}
      verb={verbFor(credential, form.values.kind)}
      busy={saving.isPending}
      error={saving.error}
      onClose={onClose}
      onSubmit={form.onSubmit((values) => saving.mutate(values))}
    >
      <CredentialFields form={form} saved={credential} isAdmin={isAdmin} />
    </FormDialog>
  );
}

function verbFor(credential: Credential | null, kind: CredentialValues["kind"]): string {
  if (credential !== null) return "Save";
  return kind === "openai" ? "Save and test" : "Save";
}
