/** The store of a run that is followed for as long as its page is on the screen. */
import { useEffect, useState } from "react";
import { useStore } from "zustand";
import { followRun } from "./follow-run";
import { createRunStore, type RunStore } from "./run-store";

export function useRunStream(runId: string): RunStore {
  const [store] = useState(createRunStore);
  const round = useStore(store, (state) => state.round);
  useEffect(() => followRun(runId, store), [runId, store, round]);
  return store;
}
