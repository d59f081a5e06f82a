import { beforeEach, expect, test, vi } from "vitest";
import { ApiError } from "@/api/client";
import type { Workflow } from "@/api/types";
import { renameWorkflow } from "@/graph/commands";
import { diamond, KINDS } from "@/testing/graphs";
import { createEditorStore } from "../store/editor-store";
import { recoveryOf, startAutosave } from "./autosave";

function aWorkflow(overrides: Partial<Workflow> = {}): Workflow {
  return {
    id: "w1",
    name: "Diamond",
    description: "",
    owner: null,
    updated_by: null,
    node_count: 5,
    issue_count: 0,
    revision: 4,
    document: diamond(),
    issues: [],
    latest_version: null,
    draft_changed: true,
    created_at: "2026-01-05T10:00:00Z",
    updated_at: "2026-01-05T10:00:00Z",
    ...overrides,
  };
}

function open(save: (id: string, draft: { revision: number }) => Promise<Workflow>) {
  const store = createEditorStore(aWorkflow(), KINDS);
  const world = { save: vi.fn(save), keep: vi.fn(), drop: vi.fn(), now: () => 1000 };
  const rename = (name: string) => store.getState().edit(renameWorkflow(name), { label: "Rename" });
  return { store, world, rename, autosave: startAutosave(store, world) };
}

const accepts = (_id: string, draft: { revision: number }) =>
  Promise.resolve(aWorkflow({ revision: draft.revision + 1 }));

beforeEach(() => {
  vi.useFakeTimers();
});

test("changes made in one go are saved once, after a pause, on the revision they were made on", async () => {
  const { store, world, rename } = open(accepts);

  rename("A");
  rename("B");
  await vi.runOnlyPendingTimersAsync();

  expect(world.save).toHaveBeenCalledOnce();
  expect(world.save.mock.calls[0]?.[1]).toMatchObject({ revision: 4, document: { name: "B" } });
  expect(store.getState()).toMatchObject({ revision: 5, save: { status: "saved", at: 1000 } });
  expect(world.drop).toHaveBeenCalledWith("w1");
});

test("a change made while saving is saved next, on the new revision", async () => {
  const { world, rename, autosave } = open((id, draft) => {
    if (draft.revision === 4) rename("later");
    return accepts(id, draft);
  });

  rename("first");
  await autosave.flush();

  expect(world.save.mock.calls.map(([, draft]) => draft.revision)).toEqual([4, 5]);
});

test("without the server the draft is kept on this device and saved when it answers again", async () => {
  let online = false;
  const { store, world, rename } = open((id, draft) =>
    online
      ? accepts(id, draft)
      : Promise.reject(new ApiError(0, { code: "unreachable", detail: "No answer." })),
  );

  rename("kept");
  await vi.advanceTimersToNextTimerAsync();
  expect(store.getState().save.status).toBe("offline");
  expect(world.keep).toHaveBeenCalledWith("w1", expect.objectContaining({ revision: 4 }));

  online = true;
  await vi.advanceTimersToNextTimerAsync();
  expect(store.getState().save.status).toBe("saved");
});

test("a draft that somebody else changed is not saved over: both sides are kept for a choice", async () => {
  const theirs = { revision: 9, document: diamond(), updated_at: "2026-01-05T11:00:00Z", updated_by: null };
  const body = { code: "revision_conflict", detail: "Changed elsewhere." };
  const { store, world, rename, autosave } = open(() => Promise.reject(new ApiError(409, body, { theirs })));

  rename("mine");
  await autosave.flush();
  rename("mine, more");
  await vi.runOnlyPendingTimersAsync();

  expect(store.getState().save).toMatchObject({ status: "conflict", conflict: { revision: 9 } });
  expect(store.getState().document.name).toBe("mine, more");
  expect(world.save).toHaveBeenCalledOnce();
});

test("a draft that was brought back from this device is saved without a further change", async () => {
  const store = createEditorStore(aWorkflow(), KINDS);
  store.getState().edit(renameWorkflow("brought back"), { label: "Bring back" });
  const save = vi.fn(accepts);

  startAutosave(store, { save, keep: vi.fn(), drop: vi.fn(), now: () => 1 });
  await vi.runOnlyPendingTimersAsync();

  expect(save).toHaveBeenCalledOnce();
});

test("a document that the server refuses stays here with the reason", async () => {
  const { store, rename, autosave } = open(() =>
    Promise.reject(new ApiError(400, { code: "too_large", detail: "The document is too large." })),
  );

  rename("big");

  expect(await autosave.flush()).toBe(false);
  expect(store.getState().save).toMatchObject({ status: "refused", detail: "The document is too large." });
});

test("a copy left on this device is restored, or asked about when the draft moved on", () => {
  const workflow = aWorkflow();
  const document = { ...diamond(), name: "unsaved" };

  expect(recoveryOf(null, workflow).kind).toBe("none");
  expect(recoveryOf({ document: workflow.document, revision: 4, at: 0 }, workflow).kind).toBe("none");
  expect(recoveryOf({ document, revision: 4, at: 0 }, workflow).kind).toBe("restore");
  expect(recoveryOf({ document, revision: 3, at: 0 }, workflow).kind).toBe("ask");
});
