/** Which model to ask and whose secret to use. */
import { Anchor, Autocomplete, Select } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { credentialsQuery } from "@/api/credentials";
import type { Credential } from "@/api/types";
import { useEditor } from "../../store/editor-context";
import { asText, type FieldProps } from "./field-props";
import classes from "./fields.module.css";

export function ModelField({ value, onChange, nodeId, problem, labelId, hintId }: FieldProps) {
  const { data: credentials = [] } = useQuery(credentialsQuery);
  const chosen = useEditor(
    (state) => state.document.nodes.find((node) => node.id === nodeId)?.config?.["credential"],
  );
  const credential = modelEndpoint(credentials, asText(chosen));
  return (
    <>
      <Autocomplete
        aria-labelledby={labelId}
        aria-describedby={hintId}
        data={["default", ...(credential?.models ?? []).filter((model) => model !== "default")]}
        value={asText(value ?? "default")}
        error={problem !== null}
        onChange={(model) => onChange(model === "" || model === "default" ? undefined : model)}
      />
      <p className={classes["hint"]}>{defaultModelWords(credential)}</p>
    </>
  );
}

function modelEndpoint(credentials: readonly Credential[], id: string): Credential | undefined {
  const endpoints = credentials.filter((each) => each.kind === "openai");
  return endpoints.find((each) => each.id === id) ?? endpoints.find((each) => each.default) ?? endpoints[0];
}

function defaultModelWords(credential: Credential | undefined): string {
  if (!credential) return "There is no model endpoint yet: add a credential for one.";
  const model = credential.default_model || credential.models[0];
  return model ? `default is ${model} on ${credential.name}` : `${credential.name} has no default model yet.`;
}

const NONE = "";

export function CredentialField({ field, value, onChange, problem, labelId, hintId }: FieldProps) {
  const { data: credentials = [] } = useQuery(credentialsQuery);
  const fitting = credentials.filter(
    (each) => !field.credentialKinds.length || field.credentialKinds.includes(each.kind),
  );
  const isModel = field.credentialKinds.includes("openai");
  const chosen = asText(value);
  const unknown = chosen !== "" && chosen !== "default" && !fitting.some((each) => each.id === chosen);
  return (
    <>
      <Select
        aria-labelledby={labelId}
        aria-describedby={hintId}
        data={[
          { value: NONE, label: isModel ? "The workspace's default" : "None" },
          ...fitting.map((each) => ({ value: each.id, label: each.name })),
          ...(unknown ? [{ value: chosen, label: `Missing: ${chosen}` }] : []),
        ]}
        value={chosen === "default" ? NONE : chosen}
        error={problem !== null}
        allowDeselect={false}
        onChange={(id) => onChange(id || undefined)}
      />
      {!fitting.length && (
        <p className={classes["hint"]}>
          <Anchor component={Link} to="/credentials" inherit>
            Add a credential
          </Anchor>{" "}
          to use one here.
        </p>
      )}
    </>
  );
}
