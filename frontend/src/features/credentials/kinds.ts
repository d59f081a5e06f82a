/** The kinds of credential, and what each asks for. */
import type { CredentialKind } from "@/api/types";

interface KindWords {
  name: string;
  about: string;
  /** The field that carries the secret, and what it is called. */
  secret: { field: "api_key" | "password" | "value"; label: string };
}

export const credentialKinds: Record<CredentialKind, KindWords> = {
  openai: {
    name: "Model endpoint",
    about: "Any server that speaks the OpenAI API: OpenAI, vLLM, Ollama, llama.cpp.",
    secret: { field: "api_key", label: "API key" },
  },
  http_bearer: {
    name: "HTTP bearer token",
    about: "Sent as “Authorization: Bearer …” by HTTP requests.",
    secret: { field: "api_key", label: "Token" },
  },
  http_basic: {
    name: "HTTP user and password",
    about: "Sent as basic authentication by HTTP requests.",
    secret: { field: "password", label: "Password" },
  },
  http_header: {
    name: "HTTP header",
    about: "A header of your choice, sent by HTTP requests.",
    secret: { field: "value", label: "Value" },
  },
};

export const kindOptions = (Object.keys(credentialKinds) as CredentialKind[]).map((value) => ({
  value,
  label: credentialKinds[value].name,
}));
