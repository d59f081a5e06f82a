/** A server made of answers: what leaves the page is recorded, what comes back is written in the test. */
import { vi } from "vitest";

export interface Sent {
  method: string;
  path: string;
  search: string;
  headers: Headers;
  body: unknown;
}

export type Answer = (sent: Sent) => { status?: number; body?: unknown };

/** Answers by "METHOD path"; whatever is not named is answered with 404. */
export function serve(answers: Record<string, Answer>): Sent[] {
  const sent: Sent[] = [];
  vi.stubGlobal("fetch", (address: string, init: RequestInit = {}) => {
    const url = new URL(address, "http://heddle.test");
    const request: Sent = {
      method: init.method ?? "GET",
      path: url.pathname.replace("/api/v1/", ""),
      search: url.search,
      headers: new Headers(init.headers),
      body: typeof init.body === "string" ? (JSON.parse(init.body) as unknown) : undefined,
    };
    sent.push(request);
    const answer = answers[`${request.method} ${request.path}`] ?? notFound;
    const { status = 200, body } = answer(request);
    return Promise.resolve(new Response(status === 204 ? null : JSON.stringify(body), { status }));
  });
  return sent;
}

const notFound: Answer = () => ({
  status: 404,
  body: { code: "not_found", detail: "There is no such thing here." },
});

export const signedIn: Answer = () => ({
  body: {
    user: { id: "u1", email: "ada@example.org", name: "Ada Kovács", is_admin: true },
    workspaces: [{ id: "w1", name: "Procurement", role: "owner" }],
    csrf: true,
  },
});

export const signedOut: Answer = () => ({ body: { user: null, workspaces: [], csrf: true } });
