/** Talks to the API: the session's cookie, the CSRF token, the workspace, and refusals as one kind of error. */
import type { Issue } from "@/graph/graph";
import { currentWorkspace } from "./workspace";

/** A refusal of the server, or the lack of an answer (`status` 0). */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly status: number;
  readonly code: string;
  readonly detail: string;
  readonly issues: readonly Issue[];
  readonly extra: Readonly<Record<string, unknown>>;

  constructor(status: number, body: { code: string; detail: string; issues?: readonly Issue[] }, extra = {}) {
    super(body.detail);
    this.status = status;
    this.code = body.code;
    this.detail = body.detail;
    this.issues = body.issues ?? [];
    this.extra = extra;
  }
}

type Query = Record<string, string | number | boolean | null | undefined>;

export interface RequestOptions {
  method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  query?: Query;
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal | undefined;
}

const base = "/api/v1/";

export function apiUrl(path: string, query: Query = {}): string {
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) {
    if (value !== null && value !== undefined && value !== "") search.set(key, String(value));
  }
  const text = search.toString();
  return base + path + (text === "" ? "" : `?${text}`);
}

export async function request<T>(path: string, options: RequestOptions = {}): Promise<T> {
  const response = await send(path, options);
  if (!response.ok) throw await refusal(response);
  if (response.status === 204) return undefined as T;
  return (await response.json()) as T;
}

/** The answer as text, for documents that are downloaded. */
export async function requestText(path: string, options: RequestOptions = {}): Promise<string> {
  const response = await send(path, options);
  if (!response.ok) throw await refusal(response);
  return response.text();
}

async function send(path: string, options: RequestOptions): Promise<Response> {
  const method = options.method ?? "GET";
  try {
    return await fetch(apiUrl(path, options.query), {
      method,
      headers: headersOf(method, options),
      credentials: "same-origin",
      ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
      ...(options.signal ? { signal: options.signal } : {}),
    });
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw new ApiError(0, {
      code: "unreachable",
      detail: "The server could not be reached. Check that Heddle is running and that you are online.",
    });
  }
}

function headersOf(method: string, options: RequestOptions): Record<string, string> {
  const headers: Record<string, string> = { Accept: "application/json", ...options.headers };
  const workspace = currentWorkspace();
  if (workspace !== null) headers["Heddle-Workspace"] = workspace;
  if (options.body !== undefined) headers["Content-Type"] = "application/json";
  if (method !== "GET") headers["X-CSRFToken"] = cookie("csrftoken");
  return headers;
}

function cookie(name: string): string {
  const found = document.cookie.split("; ").find((each) => each.startsWith(`${name}=`));
  return found === undefined ? "" : decodeURIComponent(found.slice(name.length + 1));
}

async function refusal(response: Response): Promise<ApiError> {
  const body: unknown = await response.json().catch(() => null);
  if (isSignInProblem(body)) return signInRefusal(response.status, body.errors);
  if (!isProblem(body)) {
    return new ApiError(response.status, {
      code: `http_${response.status}`,
      detail: unexplained(response.status),
    });
  }
  const { code, detail, issues, ...extra } = body;
  return new ApiError(response.status, { code, detail, ...(issues ? { issues } : {}) }, extra);
}

function isProblem(body: unknown): body is { code: string; detail: string; issues?: Issue[] } {
  return typeof body === "object" && body !== null && "code" in body && "detail" in body;
}

/** Signing in and changing the password answer in a form of their own. */
interface SignInError {
  message: string;
  code: string;
  param?: string;
}

function isSignInProblem(body: unknown): body is { errors: SignInError[] } {
  return typeof body === "object" && body !== null && "errors" in body && Array.isArray(body.errors);
}

function signInRefusal(status: number, errors: readonly SignInError[]): ApiError {
  return new ApiError(status, {
    code: errors[0]?.code ?? "refused",
    detail: errors.map((each) => each.message).join(" ") || unexplained(status),
    issues: errors.map((each) => ({
      code: each.code,
      message: each.message,
      node_id: null,
      path: each.param ?? "",
      severity: "error",
    })),
  });
}

function unexplained(status: number): string {
  if (status === 413) return "That is larger than the server accepts. Make it smaller and send it again.";
  if (status === 429) return "Too many requests in a short time. Wait a minute, then try again.";
  if (status >= 500) return `The server failed with status ${status}. Try again; its log names the reason.`;
  return `The server refused with status ${status} and gave no reason.`;
}

/** What a refusal says about each field of a form, the first message of each. */
export function fieldProblems(error: unknown): Record<string, string> {
  const problems: Record<string, string> = {};
  if (!(error instanceof ApiError)) return problems;
  for (const issue of error.issues) {
    if (issue.path !== "") problems[issue.path] ??= issue.message;
  }
  return problems;
}

/** An error in words, whatever was thrown. */
export function inWords(error: unknown): string {
  if (error instanceof ApiError) return error.detail;
  return error instanceof Error ? error.message : String(error);
}
