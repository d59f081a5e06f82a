/** The shapes the API answers with, by the names the screens use; all of them come from the generated schema. */
import type { GraphDocument, Issue } from "@/graph/graph";
import type { Json, JsonObject } from "@/graph/json";
import type { RunStatus } from "@/lib/states";
import type { components } from "./schema";

export type { GraphDocument, Issue } from "@/graph/graph";

type Schemas = components["schemas"];

/** The same shape with some of its fields known more exactly than the schema says. */
type Refine<Shape, Fields> = Omit<Shape, keyof Fields> & Fields;

export interface Page<T> {
  results: T[];
  next: string | null;
  previous: string | null;
}

export type Person = Schemas["Person"];

/* Who is signed in */

export type SessionUser = Schemas["SessionUser"];
export type SessionWorkspace = Schemas["SessionWorkspace"];
export type Session = Schemas["Session"];

/* Workflows */

export type RecentRun = Refine<Schemas["WorkflowRecentRun"], { status: RunStatus }>;
export type LastRun = Refine<Schemas["WorkflowLastRun"], { status: RunStatus }>;

export type WorkflowRow = Refine<
  Schemas["WorkflowRow"],
  { last_run: LastRun | null; recent_runs: RecentRun[] }
>;

export type Workflow = Refine<Schemas["Workflow"], { document: GraphDocument; issues: Issue[] }>;
export type WorkflowVersion = Schemas["WorkflowVersion"];

/** Both sides of a draft that two tabs changed, as a refused save brings them. */
export interface RevisionConflict {
  mine: Refine<Schemas["WorkflowMine"], { document: GraphDocument }>;
  theirs: Refine<Schemas["WorkflowTheirs"], { document: GraphDocument }>;
}

/* Runs */

export type StepError = Schemas["RunError"];
export type Usage = Schemas["RunUsage"];
export type Timings = Schemas["RunTimings"];
export type WhyWaiting = Schemas["WhyWaiting"];
export type Run = Schemas["RunRow"];

export type RunDetail = Refine<
  Schemas["Run"],
  { inputs: JsonObject; outputs: JsonObject | null; document: GraphDocument }
>;

export type RunBudget = Schemas["Budget"];
export type BudgetWish = Schemas["BudgetWishRequest"];
export type GraphChange = Schemas["Change"];
export type Item = Refine<Schemas["Item"], { result: Json }>;
export type Decision = Schemas["DecisionEnum"];

export type Step = Schemas["StepRow"];
export type StepDetail = Refine<Schemas["Step"], { output: Json }>;
export type RunEvent = Refine<Schemas["RunEvent"], { data: JsonObject }>;
export type RunEventPage = Refine<Schemas["RunEventPage"], { results: RunEvent[] }>;

/** Words of a model that is still answering; they come by the socket only. */
export interface Delta {
  step_id: string;
  attempt: number;
  offset: number;
  text: string;
}

/* Credentials and keys */

export type CredentialKind = Schemas["KindEnum"];
export type Credential = Schemas["Credential"];
export type Price = Schemas["Price"];
/** What is sent; a secret that is left out stays as it is. */
export type CredentialDraft = Schemas["CredentialCreateRequest"];
export type CredentialChange = Schemas["PatchedCredentialChangeRequest"];
export type CredentialTest = Schemas["CredentialTest"];

export type Scope = Schemas["ScopesEnum"];
export type ApiKey = Schemas["ApiKey"];
export type NewApiKey = Schemas["ApiKeyCreated"];

/* Limits */

export type Limit = Schemas["Limit"];
export type LimitDraft = Schemas["LimitCreateRequest"];
export type LimitChange = Schemas["PatchedLimitChangeRequest"];
export type LimitTarget = Schemas["TargetEnum"];
export type InstallationLimit = Schemas["InstallationLimit"];

/* Monitoring */

export type Monitoring = Schemas["Monitoring"];
export type WorkerRow = Schemas["Worker"];
export type LaneRow = Schemas["Lane"];
export type FailureRow = Schemas["Failure"];
export type Minute = Schemas["Minute"];
export type Percentiles = Schemas["Percentiles"];
