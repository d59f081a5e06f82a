/** Reads the lists of runs again, at most once a second, when the workspace's socket says that one changed. */
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { currentWorkspace } from "@/api/workspace";
import { useSocket } from "@/lib/use-socket";

const PAUSE_MS = 1000;

export function useLiveRuns(): void {
  const queryClient = useQueryClient();
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const workspace = currentWorkspace();
  useEffect(() => () => clearTimeout(timer.current), []);
  useSocket(workspace === null ? null : `/ws/workspaces/${workspace}/`, () => {
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      void queryClient.invalidateQueries({ queryKey: ["runs", "list"] });
    }, PAUSE_MS);
  });
}
