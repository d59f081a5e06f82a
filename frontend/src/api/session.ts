/** Who is signed in: the session, signing in and out, and the password. */
import { queryOptions } from "@tanstack/react-query";
import { ApiError, request } from "./client";
import type { Session } from "./types";
import { chooseWorkspace, currentWorkspace } from "./workspace";

async function fetchSession(): Promise<Session> {
  const session = await request<Session>("session/");
  const current = currentWorkspace();
  if (!session.workspaces.some((each) => each.id === current)) {
    chooseWorkspace(session.workspaces[0]?.id ?? null);
  }
  return session;
}

export const sessionQuery = queryOptions({
  queryKey: ["session"],
  queryFn: fetchSession,
  staleTime: 60_000,
});

interface SignIn {
  email: string;
  password: string;
}

export async function signIn(entered: SignIn): Promise<void> {
  await request<unknown>("auth/browser/v1/auth/login", { method: "POST", body: entered });
}

/** The server answers a finished sign-out with 401, for nobody is signed in any more. */
export async function signOut(): Promise<void> {
  try {
    await request<unknown>("auth/browser/v1/auth/session", { method: "DELETE" });
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 401)) throw error;
  }
  chooseWorkspace(null);
}

interface PasswordChange {
  current_password: string;
  new_password: string;
}

export async function changePassword(entered: PasswordChange): Promise<void> {
  await request<unknown>("auth/browser/v1/account/password/change", { method: "POST", body: entered });
}
