/** The list of workflows: searching, sorting, starting a new one, bringing one in. */
import { ActionIcon, Button, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useRef, useState } from "react";
import type { Workflow } from "@/api/types";
import { workflowsQuery } from "@/api/workflows";
import { EmptyState } from "@/components/empty-state";
import { ErrorState } from "@/components/error-state";
import { Icon } from "@/components/icon";
import { Kbd } from "@/components/kbd";
import { PageHeader } from "@/components/page-header";
import { TableSkeleton } from "@/components/skeletons";
import { formatCount } from "@/lib/format";
import { usePhone } from "@/lib/use-narrow";
import { useShortcut } from "@/lib/use-shortcut";
import { EmptyWorkflows } from "./empty-workflows";
import { ImportDialog, readFile, type BroughtText } from "./import-dialog";
import { useFileDrop } from "./use-file-drop";
import { useStartWorkflow } from "./use-start-workflow";
import { WorkflowTable } from "./workflow-table";
import classes from "./workflows-page.module.css";

export function WorkflowsPage() {
  const [importing, setImporting] = useState<{ start?: BroughtText } | null>(null);
  const navigate = useNavigate();
  const open = (workflow: Pick<Workflow, "id">) =>
    void navigate({ to: "/workflows/$id", params: { id: workflow.id } });
  const start = useStartWorkflow(open);
  useFileDrop((file) => void readFile(file).then((brought) => setImporting({ start: brought })));
  const list = useWorkflowList();
  return (
    <>
      {list.empty ? (
        <EmptyWorkflows
          busy={start.busy}
          onNew={start.blank}
          onImport={() => setImporting({})}
          onSample={start.sample}
        />
      ) : (
        <>
          <PageHeader title="Workflows">
            <Actions busy={start.busy} onNew={start.blank} onImport={() => setImporting({})} />
          </PageHeader>
          <Tools list={list} />
          <List list={list} />
        </>
      )}
      {importing && <ImportDialog {...importing} onClose={() => setImporting(null)} onOpen={open} />}
    </>
  );
}

interface ActionsProps {
  busy: boolean;
  onNew: () => void;
  onImport: () => void;
}

function Actions({ busy, onNew, onImport }: ActionsProps) {
  const phone = usePhone();
  return (
    <>
      {phone ? (
        <ActionIcon size="md" aria-label="Import a workflow" onClick={onImport}>
          <Icon name="import" />
        </ActionIcon>
      ) : (
        <Button variant="default" leftSection={<Icon name="import" />} onClick={onImport}>
          Import
        </Button>
      )}
      <Button leftSection={<Icon name="plus" />} loading={busy} onClick={onNew}>
        {phone ? "New" : "New workflow"}
      </Button>
    </>
  );
}

function useWorkflowList() {
  const [search, setSearch] = useState("");
  const [ordering, setOrdering] = useState("-updated_at");
  const [searched] = useDebouncedValue(search.trim(), 250);
  const query = useInfiniteQuery({
    ...workflowsQuery({ search: searched, ordering }),
    placeholderData: keepPreviousData,
  });
  const rows = query.data?.pages.flatMap((page) => page.results) ?? [];
  const nothing = query.isSuccess && !query.isPlaceholderData && rows.length === 0;
  return {
    search,
    setSearch,
    searched,
    ordering,
    setOrdering,
    query,
    rows,
    nothing,
    empty: nothing && searched === "",
  };
}

type WorkflowList = ReturnType<typeof useWorkflowList>;

function Tools({ list }: { list: WorkflowList }) {
  const phone = usePhone();
  const field = useRef<HTMLInputElement>(null);
  useShortcut({ key: "/" }, () => field.current?.focus());
  const count = formatCount(list.rows.length, "workflow");
  return (
    <div className={classes["tools"]}>
      <TextInput
        ref={field}
        type="search"
        className={classes["search"] ?? ""}
        aria-label="Search workflows"
        placeholder="Search by name or description"
        leftSection={<Icon name="search" size={14} />}
        rightSection={phone ? null : <Kbd>/</Kbd>}
        value={list.search}
        onChange={(event) => list.setSearch(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === "Escape") list.setSearch("");
        }}
      />
      <span className="hd-grow" />
      <span className="hd-small hd-muted" role="status">
        {list.query.isSuccess && (list.query.hasNextPage ? `The first ${count}` : count)}
      </span>
    </div>
  );
}

function List({ list }: { list: WorkflowList }) {
  const { query, rows, nothing, searched, ordering, setOrdering } = list;
  if (query.isPending) return <TableSkeleton label="Loading the workflows" />;
  if (query.isError && rows.length === 0) {
    return (
      <ErrorState
        title="The workflows could not be loaded"
        error={query.error}
        retry={() => void query.refetch()}
      />
    );
  }
  if (nothing) {
    return (
      <EmptyState title={`Nothing matches “${searched}”`} text="The search looks at names and descriptions.">
        <Button variant="default" onClick={() => list.setSearch("")}>
          Clear the search
        </Button>
      </EmptyState>
    );
  }
  return (
    <WorkflowTable
      rows={rows}
      ordering={ordering}
      onOrdering={setOrdering}
      more={{
        wanted: query.hasNextPage,
        loading: query.isFetchingNextPage,
        load: () => void query.fetchNextPage(),
      }}
    />
  );
}
