/** Making a key: what it is for, what it may do, and how long. */
import { Checkbox, Select, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { apiKeysQuery, createApiKey } from "@/api/api-keys";
import type { NewApiKey, Scope } from "@/api/types";
import { FormDialog } from "@/components/form-dialog";
import classes from "./key-dialog.module.css";
import { expiryOf, lifetimes, type Lifetime } from "./lifetimes";

interface KeyDialogProps {
  onClose: () => void;
  onMade: (key: NewApiKey) => void;
}

interface KeyValues {
  name: string;
  scopes: Scope[];
  lifetime: Lifetime;
}

const scopes: readonly { value: Scope; label: string; description: string }[] = [
  { value: "read", label: "Read", description: "See workflows, runs and their results." },
  { value: "run", label: "Run", description: "Start and cancel runs." },
  { value: "write", label: "Write", description: "Change workflows and credentials." },
];

export function KeyDialog({ onClose, onMade }: KeyDialogProps) {
  const queryClient = useQueryClient();
  const form = useForm<KeyValues>({
    initialValues: { name: "", scopes: ["read", "run"], lifetime: "90" },
    validate: {
      name: (value) => (value.trim() === "" ? "Enter what will use this key." : null),
      scopes: (value) => (value.length === 0 ? "Choose at least one." : null),
    },
  });
  const making = useMutation({
    mutationFn: (values: KeyValues) => {
      const expires = expiryOf(values.lifetime, Date.now());
      return createApiKey({
        name: values.name.trim(),
        scopes: values.scopes,
        ...(expires === undefined ? {} : { expires_at: expires }),
      });
    },
    onSuccess: async (key) => {
      onMade(key);
      await queryClient.invalidateQueries({ queryKey: apiKeysQuery.queryKey });
    },
  });
  return (
    <FormDialog
      opened
      title="New API key"
      verb="Create key"
      busy={making.isPending}
      error={making.error}
      onClose={onClose}
      onSubmit={form.onSubmit((values) => making.mutate(values))}
    >
      <TextInput
        label="Name"
        placeholder="Nightly import"
        maxLength={100}
        data-autofocus
        {...form.getInputProps("name")}
      />
      <Checkbox.Group label="This key may" {...form.getInputProps("scopes")}>
        <div className={classes["scopes"]}>
          {scopes.map((scope) => (
            <Checkbox key={scope.value} {...scope} />
          ))}
        </div>
      </Checkbox.Group>
      <Select
        label="Expires after"
        data={lifetimes}
        allowDeselect={false}
        {...form.getInputProps("lifetime")}
      />
    </FormDialog>
  );
}
