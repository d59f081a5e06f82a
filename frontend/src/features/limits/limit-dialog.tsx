/** Adding a limit, or changing its numbers. */
import { Autocomplete, NumberInput, Select } from "@mantine/core";
import { useForm, type UseFormReturnType } from "@mantine/form";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { credentialsQuery } from "@/api/credentials";
import { changeLimit, createLimit, limitsQuery } from "@/api/limits";
import type { Limit } from "@/api/types";
import { workflowChoicesQuery } from "@/api/workflows";
import { FormDialog } from "@/components/form-dialog";
import { changeOf, draftOf, problems, valuesOf, type LimitValues } from "./draft";
import classes from "./limits.module.css";
import { nameOfLimit, TARGETS, type Names } from "./words";

interface LimitDialogProps {
  /** Null makes a new one. */
  limit: Limit | null;
  names: Names;
  onClose: () => void;
}

export function LimitDialog({ limit, names, onClose }: LimitDialogProps) {
  const queryClient = useQueryClient();
  const form = useForm<LimitValues>({ initialValues: valuesOf(limit), validate: validate(limit === null) });
  const saving = useMutation({
    mutationFn: (values: LimitValues) =>
      limit ? changeLimit(limit.id, changeOf(values)) : createLimit(draftOf(values)),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: limitsQuery.queryKey });
      onClose();
    },
  });
  return (
    <FormDialog
      opened
      title={limit ? `Limit of ${nameOfLimit(limit, names)}` : "New limit"}
      verb={limit ? "Save" : "Add limit"}
      busy={saving.isPending}
      error={saving.error}
      onClose={onClose}
      onSubmit={form.onSubmit((values) => saving.mutate(values))}
    >
      {!limit && <TargetFields form={form} />}
      <NumberInput
        label="At once"
        description="Steps that may run at the same time."
        placeholder="no bound"
        min={1}
        allowDecimal={false}
        hideControls
        {...form.getInputProps("maxRunning")}
      />
      <div className={classes["twin"]}>
        <NumberInput
          label="Starts"
          placeholder="no bound"
          min={1}
          allowDecimal={false}
          hideControls
          {...form.getInputProps("rate")}
        />
        <NumberInput label="in seconds" min={0.1} hideControls {...form.getInputProps("perS")} />
      </div>
    </FormDialog>
  );
}

function validate(isNew: boolean) {
  const { key, ...numbers } = problems;
  return isNew ? { key, ...numbers } : numbers;
}

function TargetFields({ form }: { form: UseFormReturnType<LimitValues> }) {
  const { target } = form.values;
  return (
    <>
      <Select
        label="What is limited"
        data={TARGETS.map(({ value, label }) => ({ value, label }))}
        description={TARGETS.find(({ value }) => value === target)?.hint}
        allowDeselect={false}
        value={target}
        onChange={(chosen) => {
          const next = TARGETS.find(({ value }) => value === chosen);
          if (next) form.setValues({ target: next.value, key: "" });
        }}
      />
      {target !== "workspace" && <KeyField form={form} />}
    </>
  );
}

function KeyField({ form }: { form: UseFormReturnType<LimitValues> }) {
  const { target } = form.values;
  const { data: credentials = [] } = useQuery(credentialsQuery);
  const { data: workflows = [] } = useQuery({ ...workflowChoicesQuery, enabled: target === "workflow" });
  if (target === "model") {
    const models = [...new Set(credentials.flatMap((each) => each.models))].sort();
    return (
      <Autocomplete
        label="Model"
        description="Its name, as its endpoint calls it."
        data={models}
        {...form.getInputProps("key")}
      />
    );
  }
  const rows = target === "credential" ? credentials : workflows;
  return (
    <Select
      label={target === "credential" ? "Credential" : "Workflow"}
      placeholder="Choose one"
      searchable
      nothingFoundMessage="Nothing of this name"
      data={rows.map(({ id, name }) => ({ value: id, label: name }))}
      allowDeselect={false}
      {...form.getInputProps("key")}
      value={form.values.key || null}
    />
  );
}
