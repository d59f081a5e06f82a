/** What the form holds, checked and turned into what the API takes. */
import type { Credential, CredentialDraft, CredentialKind } from "@/api/types";
import { credentialKinds } from "./kinds";

export interface CredentialValues {
  kind: CredentialKind;
  name: string;
  baseUrl: string;
  secret: string;
  username: string;
  header: string;
  hosts: string[];
  isDefault: boolean;
  allowPrivate: boolean;
}

const empty: CredentialValues = {
  kind: "openai",
  name: "",
  baseUrl: "",
  secret: "",
  username: "",
  header: "",
  hosts: [],
  isDefault: false,
  allowPrivate: false,
};

export function valuesOf(credential: Credential | null): CredentialValues {
  if (credential === null) return empty;
  return {
    kind: credential.kind,
    name: credential.name,
    baseUrl: credential.base_url,
    secret: "",
    username: credential.username,
    header: credential.header,
    hosts: credential.hosts,
    isDefault: credential.default,
    allowPrivate: credential.allow_private,
  };
}

export type Problems = Partial<Record<keyof CredentialValues, string>>;

/** What is missing or wrong; the server checks again. */
export function problemsOf(values: CredentialValues, saved: Credential | null): Problems {
  const problems =
    values.kind === "openai" ? endpointProblems(values) : requestProblems(values, saved === null);
  if (values.name.trim() === "") problems.name = "Enter a name by which you will know it.";
  if (saved !== null && values.secret === "" && goesElsewhere(values, saved)) {
    problems.secret = "Enter the secret again: it is about to be sent to another address.";
  }
  return problems;
}

function endpointProblems(values: CredentialValues): Problems {
  const problem = problemOfAddress(values.baseUrl.trim());
  return problem === null ? {} : { baseUrl: problem };
}

function requestProblems(values: CredentialValues, isNew: boolean): Problems {
  const problems: Problems = {};
  if (values.hosts.length === 0) problems.hosts = "Name at least one host the secret may be sent to.";
  if (values.secret === "" && isNew) problems.secret = "Enter the secret.";
  if (values.kind === "http_header" && values.header.trim() === "")
    problems.header = "Enter the header's name.";
  if (values.kind === "http_basic" && values.username === "") problems.username = "Enter the user's name.";
  return problems;
}

function problemOfAddress(address: string): string | null {
  if (!URL.canParse(address) || !/^https?:/iu.test(address)) {
    return "Enter an address such as https://api.openai.com/v1.";
  }
  return null;
}

/** A saved secret is only ever sent where its owner let it be sent. */
function goesElsewhere(values: CredentialValues, saved: Credential): boolean {
  if (values.kind !== "openai") return values.hosts.some((host) => !saved.hosts.includes(host));
  return saved.secret_hint !== "" && originOf(values.baseUrl) !== originOf(saved.base_url);
}

function originOf(address: string): string {
  return URL.canParse(address) ? new URL(address).origin : address;
}

/** Only what the kind knows; a secret that was left empty is left out, so that the saved one stays. */
export function draftOf(values: CredentialValues, saved: Credential | null): Omit<CredentialDraft, "kind"> {
  const { field } = credentialKinds[values.kind].secret;
  return {
    name: values.name.trim(),
    default: values.isDefault,
    ...plainFields(values, saved),
    ...(values.secret === "" ? {} : { [field]: values.secret }),
  };
}

function plainFields(
  values: CredentialValues,
  saved: Credential | null,
): Omit<CredentialDraft, "kind" | "name"> {
  switch (values.kind) {
    case "openai":
      return {
        base_url: values.baseUrl.trim(),
        ...(values.allowPrivate === (saved?.allow_private ?? false)
          ? {}
          : { allow_private: values.allowPrivate }),
      };
    case "http_bearer":
      return { hosts: values.hosts };
    case "http_basic":
      return { hosts: values.hosts, username: values.username };
    case "http_header":
      return { hosts: values.hosts, header: values.header.trim() };
  }
}
