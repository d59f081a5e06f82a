import { screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { openPage } from "@/testing/open-page";
import { serve, signedIn, type Answer } from "@/testing/server";

const row = (id: string, name: string) => ({
  id,
  name,
  description: "",
  revision: 1,
  node_count: 5,
  issue_count: 0,
  latest_version: null,
  draft_changed: true,
  created_at: "2026-01-01T00:00:00Z",
  updated_at: "2026-01-01T00:00:00Z",
  owner: null,
  last_run: { id: "r1", status: "failed", created_at: "2026-01-01T00:00:00Z", finished_at: null },
  recent_runs: [{ id: "r1", status: "failed", wall_s: 2 }],
  median_s: 41.7,
});

const list =
  (...rows: object[]): Answer =>
  () => ({ body: { results: rows, next: null, previous: null } });

it("lists each workflow with how it has run", async () => {
  const sent = serve({ "GET session/": signedIn, "GET workflows/": list(row("1", "Invoice intake")) });
  openPage("/workflows");

  const line = within(
    (await screen.findByRole("link", { name: "Invoice intake" })).closest("tr") as HTMLElement,
  );

  expect(line.getByRole("img", { name: "Past runs: 0 succeeded, 1 failed" })).toBeInTheDocument();
  expect(line.getByText("41.7 s")).toBeInTheDocument();
  expect(sent.find((each) => each.path === "workflows/")?.headers.get("Heddle-Workspace")).toBe("w1");
});

it("asks the server to search and to sort", async () => {
  const sent = serve({ "GET session/": signedIn, "GET workflows/": list(row("1", "Invoice intake")) });
  const { user } = openPage("/workflows");

  await user.type(await screen.findByRole("searchbox", { name: "Search workflows" }), "tender");
  await user.click(screen.getByRole("button", { name: "Name" }));

  await waitFor(() => expect(sent.some((each) => each.search === "?search=tender&ordering=name")).toBe(true));
});

it("invites to the first workflow where there is none", async () => {
  serve({ "GET session/": signedIn, "GET workflows/": list() });
  openPage("/workflows");

  expect(await screen.findByRole("heading", { name: "Draw your first workflow" })).toBeVisible();
});

it("brings a deleted workflow back", async () => {
  let deleted = false;
  serve({
    "GET session/": signedIn,
    "GET workflows/": (request) =>
      (deleted ? list(row("2", "Other")) : list(row("1", "Invoice intake")))(request),
    "DELETE workflows/1/": () => {
      deleted = true;
      return { status: 204 };
    },
    "POST workflows/1/restore/": () => {
      deleted = false;
      return { body: row("1", "Invoice intake") };
    },
  });
  const { user } = openPage("/workflows");

  await user.click(await screen.findByRole("button", { name: "Actions for Invoice intake" }));
  await user.click(await screen.findByRole("menuitem", { name: "Delete" }));
  await user.click(await screen.findByRole("button", { name: "Undo" }));

  expect(await screen.findByRole("link", { name: "Invoice intake" })).toBeVisible();
});

it("shows what is wrong with a document that cannot be imported", async () => {
  serve({
    "GET session/": signedIn,
    "GET workflows/": list(row("1", "Invoice intake")),
    "POST workflows/import/": () => ({
      status: 400,
      body: {
        code: "invalid_document",
        detail: "The document is malformed.",
        issues: [
          {
            code: "unknown_key",
            message: "The key foo is not known here.",
            node_id: null,
            path: "foo",
            severity: "error",
          },
        ],
      },
    }),
  });
  const { user } = openPage("/workflows");

  await user.click(await screen.findByRole("button", { name: "Import" }));
  const dialog = within(await screen.findByRole("dialog"));
  await user.type(dialog.getByLabelText("JSON or YAML"), "foo: 1");
  await user.click(dialog.getByRole("button", { name: "Import" }));

  expect(await dialog.findByText(/The key foo is not known here/u)).toBeVisible();
});

it("offers to try again when the list does not come", async () => {
  serve({
    "GET session/": signedIn,
    "GET workflows/": () => ({
      status: 403,
      body: { code: "permission_denied", detail: "You may not do this." },
    }),
  });
  openPage("/workflows");

  const problem = await screen.findByRole("alert");

  expect(problem).toHaveTextContent("The workflows could not be loaded");
  expect(within(problem).getByRole("button", { name: "Try again" })).toBeVisible();
});
