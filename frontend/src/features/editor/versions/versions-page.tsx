/** The versions of a workflow: open one, compare it with the draft, bring it back. */
import { Button } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { request } from "@/api/client";
import type { WorkflowVersion } from "@/api/types";
import { diffQuery, versionQuery } from "@/api/workflow-diff";
import { saveDraft, versionsQuery, workflowQuery } from "@/api/workflows";
import { Ago } from "@/components/ago";
import { EmptyState } from "@/components/empty-state";
import { ErrorState } from "@/components/error-state";
import { LinesSkeleton, TableSkeleton } from "@/components/skeletons";
import { done, failed } from "@/components/toasts";
import { CrumbSeparator, WorkflowBar, WorkflowTabs } from "@/components/workflow-bar";
import { DiffSummary } from "./diff-summary";
import { VersionView } from "./version-view";
import classes from "./versions.module.css";

export function VersionsPage({ id }: { id: string }) {
  const { data: workflow } = useQuery(workflowQuery(id));
  const name = workflow?.name ?? "";
  return (
    <div className={classes["page"]}>
      <title>{`Versions of ${name} · Heddle`}</title>
      <WorkflowBar
        crumbs={
          <>
            <Link to="/workflows">Workflows</Link>
            <CrumbSeparator />
            <b>{name}</b>
          </>
        }
        tabs={<WorkflowTabs id={id} />}
      />
      <main className={classes["content"]}>
        <Versions id={id} />
      </main>
    </div>
  );
}

function Versions({ id }: { id: string }) {
  const versions = useQuery(versionsQuery(id));
  const [chosen, setChosen] = useState<number | null>(null);
  if (versions.isPending) return <TableSkeleton rows={4} label="Reading the versions" />;
  if (versions.isError) {
    return (
      <ErrorState
        title="The versions could not be read"
        error={versions.error}
        retry={() => void versions.refetch()}
      />
    );
  }
  const list = versions.data.results;
  const open = chosen ?? list[0]?.number;
  if (open === undefined) return <NoVersions id={id} />;
  return (
    <div className={classes["split"]}>
      <VersionList versions={list} open={open} onOpen={setChosen} />
      <OpenVersion key={open} id={id} number={open} />
    </div>
  );
}

function NoVersions({ id }: { id: string }) {
  return (
    <div className={classes["empty"]}>
      <EmptyState
        picture
        title="No version yet"
        text="Publish the draft, and it is kept here as it is: to run, to compare and to come back to."
      >
        <Button component={Link} to={`/workflows/${id}`}>
          Open the draft
        </Button>
      </EmptyState>
    </div>
  );
}

interface VersionListProps {
  versions: readonly WorkflowVersion[];
  open: number;
  onOpen: (number: number) => void;
}

function VersionList({ versions, open, onOpen }: VersionListProps) {
  return (
    <nav className={classes["list"]} aria-label="Versions">
      {versions.map((version) => (
        <button
          key={version.number}
          type="button"
          aria-current={version.number === open}
          onClick={() => onOpen(version.number)}
        >
          <b>Version {version.number}</b>
          <span className="hd-small hd-muted">
            <Ago at={version.created_at} />
            {version.published_by && ` · ${version.published_by.name}`}
          </span>
          {version.note && <span className={classes["note"]}>{version.note}</span>}
        </button>
      ))}
    </nav>
  );
}

function OpenVersion({ id, number }: { id: string; number: number }) {
  const version = useQuery(versionQuery(id, number));
  const diff = useQuery(diffQuery(id, number, "draft"));
  const restore = useRestore(id, number);
  return (
    <section className={classes["detail"]} aria-label={`Version ${number}`}>
      <div className={classes["detailHead"]}>
        <h2 className="hd-grow">Version {number}</h2>
        <Button
          size="xs"
          variant="default"
          loading={restore.isPending}
          disabled={!version.data}
          onClick={() => version.data && restore.mutate(version.data.document)}
        >
          Bring back as the draft
        </Button>
      </div>
      {version.data ? (
        <VersionView document={version.data.document} />
      ) : (
        <LinesSkeleton label="Reading the version" />
      )}
      {diff.data && version.data ? (
        <DiffSummary diff={diff.data} title="What the draft changed since" document={version.data.document} />
      ) : (
        <LinesSkeleton label="Comparing with the draft" />
      )}
    </section>
  );
}

/** The version becomes the draft; the draft it replaces can be brought back from the toast. */
function useRestore(id: string, number: number) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: async (document: Parameters<typeof saveDraft>[1]["document"]) => {
      const current = await request<{ revision: number; document: typeof document }>(`workflows/${id}/`);
      const next = await saveDraft(id, { document, revision: current.revision });
      return { before: current.document, revision: next.revision };
    },
    onSuccess: async ({ before, revision }) => {
      await queryClient.invalidateQueries({ queryKey: ["workflows", "one", id] });
      done(`Version ${number} is the draft now`, undefined, {
        label: "Undo",
        run: () =>
          void saveDraft(id, { document: before, revision })
            .then(() => queryClient.invalidateQueries({ queryKey: ["workflows", "one", id] }))
            .catch((error: unknown) => failed("The draft could not be brought back", error)),
      });
      await navigate({ to: "/workflows/$id", params: { id } });
    },
    onError: (error) => failed(`Version ${number} could not be brought back`, error),
  });
}
