/** What bounds the work of a workspace: its own limits, and those of the installation. */
import { Button } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { credentialsQuery } from "@/api/credentials";
import { createLimit, deleteLimit, installationLimitsQuery, limitsQuery } from "@/api/limits";
import type { InstallationLimit, Limit } from "@/api/types";
import { workflowChoicesQuery } from "@/api/workflows";
import { DataTable, type Column } from "@/components/data-table";
import { EmptyState } from "@/components/empty-state";
import { ErrorState } from "@/components/error-state";
import { Icon } from "@/components/icon";
import { PageHeader } from "@/components/page-header";
import { TableSkeleton } from "@/components/skeletons";
import { failed, undoable } from "@/components/toasts";
import { formatNumber } from "@/lib/format";
import { draftOf, valuesOf } from "./draft";
import { LimitDialog } from "./limit-dialog";
import { LimitTable } from "./limit-table";
import classes from "./limits.module.css";
import { nameOfLimit, type Names } from "./words";

const EVERY_MS = 3_000;

export function LimitsPage() {
  const [open, setOpen] = useState<{ limit: Limit | null } | null>(null);
  const names = useNames();
  const deleting = useDeleting(names);
  return (
    <>
      <PageHeader
        title="Limits"
        text="How many steps that use the same thing run at once, and how many start in a time. Others wait their turn."
      >
        <Button leftSection={<Icon name="plus" />} onClick={() => setOpen({ limit: null })}>
          New limit
        </Button>
      </PageHeader>
      <Limits names={names} onChange={(limit) => setOpen({ limit })} onDelete={deleting.mutate} />
      <Installation />
      {open && <LimitDialog limit={open.limit} names={names} onClose={() => setOpen(null)} />}
    </>
  );
}

/** Limits name credentials and workflows by their ids; people know them by their names. */
function useNames(): Names {
  const { data: credentials = [] } = useQuery(credentialsQuery);
  const { data: workflows = [] } = useQuery(workflowChoicesQuery);
  return useMemo(
    () => new Map([...credentials, ...workflows].map(({ id, name }) => [id, name])),
    [credentials, workflows],
  );
}

function useDeleting(names: Names) {
  const queryClient = useQueryClient();
  const refresh = () => queryClient.invalidateQueries({ queryKey: limitsQuery.queryKey });
  return useMutation({
    mutationFn: async (limit: Limit) => {
      await deleteLimit(limit.id);
      return limit;
    },
    onSuccess: async (limit) => {
      await refresh();
      undoable(
        `Deleted the limit of ${nameOfLimit(limit, names)}`,
        () =>
          void createLimit(draftOf(valuesOf(limit)))
            .then(refresh)
            .catch((error: unknown) => failed("The limit could not be brought back", error)),
      );
    },
    onError: (error) => failed("The limit could not be deleted", error),
  });
}

interface LimitsProps {
  names: Names;
  onChange: (limit: Limit) => void;
  onDelete: (limit: Limit) => void;
}

function Limits(props: LimitsProps) {
  const limits = useQuery({ ...limitsQuery, refetchInterval: EVERY_MS });
  if (limits.data?.length === 0) {
    return (
      <EmptyState
        title="No limits yet"
        text="Add one where an endpoint or a service bears only so much at once."
      />
    );
  }
  if (limits.data) return <LimitTable limits={limits.data} {...props} />;
  if (limits.isError) {
    return (
      <ErrorState
        title="The limits could not be loaded"
        error={limits.error}
        retry={() => void limits.refetch()}
      />
    );
  }
  return <TableSkeleton rows={3} label="Loading the limits" />;
}

const COLUMNS: Column<InstallationLimit>[] = [
  { id: "meaning", title: "At most", cell: ({ meaning }) => meaning },
  { id: "value", title: "Value", width: 144, number: true, cell: ({ value }) => formatNumber(value) },
  {
    id: "name",
    title: "Setting",
    width: 280,
    from: "narrow",
    cell: ({ name }) => <code className="hd-muted">{name}</code>,
  },
];

function Installation() {
  const limits = useQuery(installationLimitsQuery);
  return (
    <section className={classes["section"]} aria-labelledby="installation-limits">
      <h2 id="installation-limits">Of the whole installation</h2>
      <p>They hold for every workspace, and are set where Heddle is installed.</p>
      {limits.data && (
        <DataTable
          label="Limits of the installation"
          tight
          columns={COLUMNS}
          rows={limits.data}
          rowKey={(row) => row.name}
        />
      )}
      {limits.isError && (
        <ErrorState
          title="The limits could not be loaded"
          error={limits.error}
          retry={() => void limits.refetch()}
        />
      )}
      {limits.isPending && <TableSkeleton rows={4} label="Loading the limits of the installation" />}
    </section>
  );
}
