/**
 * The map of addresses. Routes are the only place where features meet, and each is loaded when it is first opened.
 *
 * Pages beside the navigation hang under `shellRoute`; pages that need the whole window (the editor, a workflow's
 * runs, a run) hang under `wideRoute` and draw their own top bar. Each file in `routes/` exports its page by name:
 * `editor-route.tsx` EditorRoute, `runs-route.tsx` RunsRoute and WorkflowRunsRoute, `run-route.tsx` RunRoute.
 * A page reads its parameter with `useParams({ strict: false })`.
 */
import type { QueryClient } from "@tanstack/react-query";
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
  type RouterHistory,
} from "@tanstack/react-router";
import { RouteError } from "./route-error";
import { NotFound } from "./not-found";
import { requireAdmin, requireUser } from "./guards";
import { Shell } from "./shell/shell";
import { WideLayout } from "./shell/wide-layout";

export interface RouterContext {
  queryClient: QueryClient;
}

const rootRoute = createRootRouteWithContext<RouterContext>()({
  notFoundComponent: NotFound,
  errorComponent: RouteError,
});

const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/sign-in",
  validateSearch: (search: Record<string, unknown>): { next?: string } =>
    typeof search["next"] === "string" ? { next: search["next"] } : {},
  component: lazyRouteComponent(() => import("./routes/sign-in-route"), "SignInRoute"),
});

const signedInRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: "signed-in",
  beforeLoad: ({ context, location }) => requireUser(context.queryClient, location.href),
});

const shellRoute = createRoute({ getParentRoute: () => signedInRoute, id: "shell", component: Shell });
const wideRoute = createRoute({ getParentRoute: () => signedInRoute, id: "wide", component: WideLayout });

const homeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/",
  beforeLoad: () => {
    throw redirect({ to: "/workflows", replace: true });
  },
});

const workflowsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/workflows",
  component: lazyRouteComponent(() => import("./routes/workflows-route"), "WorkflowsRoute"),
});

const editorRoute = createRoute({
  getParentRoute: () => wideRoute,
  path: "/workflows/$id",
  component: lazyRouteComponent(() => import("./routes/editor-route"), "EditorRoute"),
});

const workflowRunsRoute = createRoute({
  getParentRoute: () => wideRoute,
  path: "/workflows/$id/runs",
  component: lazyRouteComponent(() => import("./routes/runs-route"), "WorkflowRunsRoute"),
});

const workflowVersionsRoute = createRoute({
  getParentRoute: () => wideRoute,
  path: "/workflows/$id/versions",
  component: lazyRouteComponent(() => import("./routes/versions-route"), "VersionsRoute"),
});

const runsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/runs",
  component: lazyRouteComponent(() => import("./routes/runs-route"), "RunsRoute"),
});

const runRoute = createRoute({
  getParentRoute: () => wideRoute,
  path: "/runs/$id",
  component: lazyRouteComponent(() => import("./routes/run-route"), "RunRoute"),
});

const credentialsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/credentials",
  component: lazyRouteComponent(() => import("./routes/credentials-route"), "CredentialsRoute"),
});

const apiKeysRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/api-keys",
  component: lazyRouteComponent(() => import("./routes/api-keys-route"), "ApiKeysRoute"),
});

const limitsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/limits",
  component: lazyRouteComponent(() => import("./routes/limits-route"), "LimitsRoute"),
});

const settingsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/settings",
  component: lazyRouteComponent(() => import("./routes/settings-route"), "SettingsRoute"),
});

const passwordRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/account/password",
  component: lazyRouteComponent(() => import("./routes/password-route"), "PasswordRoute"),
});

const moreRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/more",
  component: lazyRouteComponent(() => import("./routes/more-route"), "MoreRoute"),
});

const monitoringRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/monitoring",
  beforeLoad: ({ context }) => requireAdmin(context.queryClient),
  component: lazyRouteComponent(() => import("./routes/monitoring-route"), "MonitoringRoute"),
});

const routeTree = rootRoute.addChildren([
  homeRoute,
  signInRoute,
  signedInRoute.addChildren([
    shellRoute.addChildren([
      workflowsRoute,
      runsRoute,
      credentialsRoute,
      apiKeysRoute,
      limitsRoute,
      settingsRoute,
      passwordRoute,
      moreRoute,
      monitoringRoute,
    ]),
    wideRoute.addChildren([editorRoute, workflowRunsRoute, workflowVersionsRoute, runRoute]),
  ]),
]);

export function makeRouter(queryClient: QueryClient, history?: RouterHistory) {
  return createRouter({
    ...(history ? { history } : {}),
    routeTree,
    context: { queryClient },
    defaultPreload: "intent",
    defaultPreloadStaleTime: 0,
    defaultErrorComponent: RouteError,
    defaultNotFoundComponent: NotFound,
    scrollRestoration: true,
  });
}

declare module "@tanstack/react-router" {
  interface Register {
    router: ReturnType<typeof makeRouter>;
  }
}
