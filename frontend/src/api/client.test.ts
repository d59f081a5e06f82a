import { expect, it, vi } from "vitest";
import { serve } from "@/testing/server";
import { ApiError, fieldProblems, request } from "./client";

async function refusalOf(promise: Promise<unknown>): Promise<ApiError> {
  const error: unknown = await promise.catch((thrown: unknown) => thrown);
  if (!(error instanceof ApiError)) throw new Error("It was not refused.");
  return error;
}

it("sends the CSRF token with what changes something", async () => {
  document.cookie = "csrftoken=abc";
  const sent = serve({ "POST workflows/": () => ({ status: 201, body: { id: "1" } }) });

  await request("workflows/", { method: "POST", body: { document: {} } });

  expect([sent[0]?.headers.get("X-CSRFToken"), sent[0]?.body]).toEqual(["abc", { document: {} }]);
});

it("hands on the words, the issues and the rest of a refusal", async () => {
  serve({
    "PUT workflows/1/": () => ({
      status: 409,
      body: { code: "revision_conflict", detail: "Somebody saved before you.", theirs: { revision: 4 } },
    }),
  });

  const error = await refusalOf(request("workflows/1/", { method: "PUT", body: {} }));

  expect([error.status, error.code, error.detail, error.extra]).toEqual([
    409,
    "revision_conflict",
    "Somebody saved before you.",
    { theirs: { revision: 4 } },
  ]);
});

it("says what to do when the server does not answer", async () => {
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("network")));

  const error = await refusalOf(request("session/"));

  expect([error.status, error.code]).toEqual([0, "unreachable"]);
});

it("finds words for an answer that has none", async () => {
  vi.stubGlobal("fetch", () => Promise.resolve(new Response("<html>", { status: 502 })));

  expect((await refusalOf(request("session/"))).detail).toContain("status 502");
});

it("tells each field what was wrong with it", async () => {
  serve({
    "POST auth/browser/v1/account/password/change": () => ({
      status: 400,
      body: { errors: [{ code: "too_short", message: "Too short.", param: "new_password" }] },
    }),
  });

  const error = await refusalOf(
    request("auth/browser/v1/account/password/change", { method: "POST", body: {} }),
  );

  expect(fieldProblems(error)).toEqual({ new_password: "Too short." });
});
