/** The fields of a credential, as its kind asks for them. */
import { Checkbox, PasswordInput, Select, TagsInput, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import type { Credential, CredentialKind } from "@/api/types";
import type { CredentialValues } from "./draft";
import { credentialKinds, kindOptions } from "./kinds";

interface FieldsProps {
  form: UseFormReturnType<CredentialValues>;
  saved: Credential | null;
  isAdmin: boolean;
}

export function CredentialFields({ form, saved, isAdmin }: FieldsProps) {
  const { kind } = form.values;
  return (
    <>
      {saved === null && (
        <Select
          label="Kind"
          description={credentialKinds[kind].about}
          data={kindOptions}
          allowDeselect={false}
          value={kind}
          onChange={(value) => form.setFieldValue("kind", value as CredentialKind)}
        />
      )}
      <TextInput
        label="Name"
        data-autofocus
        placeholder={kind === "openai" ? "Lab models" : "Company register"}
        maxLength={100}
        {...form.getInputProps("name")}
      />
      {kind === "openai" ? <EndpointField form={form} /> : <RequestFields form={form} />}
      <SecretField form={form} saved={saved} />
      {kind === "openai" && (
        <Checkbox
          label="Default of this workspace"
          description="Used by every node whose model is “default”."
          {...form.getInputProps("isDefault", { type: "checkbox" })}
        />
      )}
      {kind === "openai" && isAdmin && (
        <Checkbox
          label="Allow a private address"
          description="Lets this credential reach this machine and its network, as a local Ollama needs. Anyone who may edit workflows here can then send requests to that address."
          {...form.getInputProps("allowPrivate", { type: "checkbox" })}
        />
      )}
    </>
  );
}

function EndpointField({ form }: Pick<FieldsProps, "form">) {
  return (
    <TextInput
      label="Base address"
      description="With the path before /chat/completions, usually /v1."
      placeholder="https://api.openai.com/v1"
      inputMode="url"
      spellCheck={false}
      {...form.getInputProps("baseUrl")}
    />
  );
}

function RequestFields({ form }: Pick<FieldsProps, "form">) {
  const { kind } = form.values;
  return (
    <>
      <TagsInput
        label="Hosts"
        description="The secret is sent to these only. Enter adds one; *.example.org stands for all below it."
        placeholder="api.example.org"
        acceptValueOnBlur
        {...form.getInputProps("hosts")}
      />
      {kind === "http_basic" && (
        <TextInput label="User" autoComplete="off" {...form.getInputProps("username")} />
      )}
      {kind === "http_header" && (
        <TextInput
          label="Header"
          placeholder="X-API-Key"
          spellCheck={false}
          {...form.getInputProps("header")}
        />
      )}
    </>
  );
}

function SecretField({ form, saved }: Pick<FieldsProps, "form" | "saved">) {
  const { kind } = form.values;
  const hint = saved?.secret_hint ?? "";
  return (
    <PasswordInput
      label={credentialKinds[kind].secret.label}
      description={secretWords(kind, saved !== null)}
      placeholder={saved === null ? "" : `Kept as it is${hint === "" ? "" : ` (${hint})`}`}
      autoComplete="new-password"
      {...form.getInputProps("secret")}
    />
  );
}

function secretWords(kind: CredentialKind, isSaved: boolean): string {
  if (isSaved) return "Enter one only to replace it. It is stored encrypted and never shown again.";
  const optional = kind === "openai" ? "May be empty for a local server. " : "";
  return `${optional}It is stored encrypted and never shown again.`;
}
