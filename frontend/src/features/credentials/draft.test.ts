import { describe, expect, it } from "vitest";
import type { Credential } from "@/api/types";
import { draftOf, problemsOf, valuesOf } from "./draft";

const saved: Credential = {
  id: "1",
  kind: "openai",
  name: "Lab",
  base_url: "https://models.example/v1",
  models: [],
  default_model: "",
  default: true,
  allow_private: true,
  hosts: ["models.example:443"],
  username: "",
  header: "",
  prices: {},
  secret_hint: "…abcd",
  created_at: "2026-01-01T00:00:00Z",
  updated_at: "2026-01-01T00:00:00Z",
  last_used_at: null,
};

const web: Credential = {
  ...saved,
  kind: "http_header",
  base_url: "",
  header: "X-Key",
  hosts: ["a.example"],
};

describe("the draft of a credential", () => {
  it("leaves out a secret that was not entered, so that the saved one stays", () => {
    expect(draftOf(valuesOf(saved), saved)).toEqual({
      name: "Lab",
      default: true,
      base_url: "https://models.example/v1",
    });
  });

  it("names the secret as its kind does", () => {
    const values = { ...valuesOf(web), secret: "s" };

    expect(draftOf(values, null)).toMatchObject({ value: "s", header: "X-Key", hosts: ["a.example"] });
    expect(draftOf({ ...values, kind: "http_basic" as const, username: "u" }, null)).toMatchObject({
      password: "s",
      username: "u",
    });
  });

  it("asks for private addresses only where that changes", () => {
    expect(draftOf({ ...valuesOf(null), allowPrivate: true }, null)).toMatchObject({ allow_private: true });
    expect(draftOf(valuesOf(null), null)).not.toHaveProperty("allow_private");
  });
});

describe("the check of a credential", () => {
  it("accepts a model endpoint without a key", () => {
    expect(
      problemsOf({ ...valuesOf(null), name: "Local", baseUrl: "http://127.0.0.1:11434/v1" }, null),
    ).toEqual({});
  });

  it("refuses what is no address", () => {
    const problems = (baseUrl: string) => problemsOf({ ...valuesOf(null), name: "a", baseUrl }, null);

    expect([problems("models.example"), problems("ftp://a.example")].every((each) => "baseUrl" in each)).toBe(
      true,
    );
  });

  it("asks for a host and the secret of an HTTP credential", () => {
    expect(Object.keys(problemsOf({ ...valuesOf(null), kind: "http_bearer", name: "a" }, null))).toEqual([
      "hosts",
      "secret",
    ]);
  });

  it("asks for the secret again before it goes to another address", () => {
    expect(problemsOf({ ...valuesOf(saved), baseUrl: "https://evil.example/v1" }, saved)).toHaveProperty(
      "secret",
    );
    expect(problemsOf({ ...valuesOf(web), hosts: ["a.example", "b.example"] }, web)).toHaveProperty("secret");
    expect(problemsOf({ ...valuesOf(saved), baseUrl: "https://models.example/v2" }, saved)).toEqual({});
  });
});
