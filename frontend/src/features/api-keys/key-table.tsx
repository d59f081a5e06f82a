/** The keys of a workspace: what each may do, and when it was last used. */
import { Button } from "@mantine/core";
import type { ApiKey } from "@/api/types";
import { Ago } from "@/components/ago";
import { Chip } from "@/components/chip";
import { DataTable, type Column } from "@/components/data-table";
import { formatDate } from "@/lib/format";
import { useNow } from "@/lib/use-now";
import classes from "./key-table.module.css";

interface KeyTableProps {
  keys: readonly ApiKey[];
  onRevoke: (key: ApiKey) => void;
}

export function KeyTable({ keys, onRevoke }: KeyTableProps) {
  return <DataTable label="API keys" columns={columnsOf(onRevoke)} rows={keys} rowKey={(row) => row.id} />;
}

function columnsOf(onRevoke: (key: ApiKey) => void): Column<ApiKey>[] {
  return [
    { id: "name", title: "Name", cell: (row) => <NameCell apiKey={row} /> },
    {
      id: "scopes",
      title: "May",
      width: 200,
      from: "narrow",
      cell: (row) => (
        <span className={classes["scopes"]}>
          {row.scopes.map((scope) => (
            <Chip key={scope}>{scope}</Chip>
          ))}
        </span>
      ),
    },
    {
      id: "used",
      title: "Last used",
      width: 120,
      from: "narrow",
      cell: (row) => (
        <span className="hd-muted">
          {row.last_used_at === null ? "Never" : <Ago at={row.last_used_at} />}
        </span>
      ),
    },
    {
      id: "expires",
      title: "Expires",
      width: 120,
      from: "narrow",
      cell: (row) => <Expiry at={row.expires_at} />,
    },
    {
      id: "actions",
      title: "Actions",
      hiddenTitle: true,
      width: 104,
      number: true,
      cell: (row) => (
        <Button
          variant="subtle"
          color="gray"
          size="xs"
          onClick={() => onRevoke(row)}
          aria-label={`Revoke ${row.name}`}
        >
          Revoke
        </Button>
      ),
    },
  ];
}

function NameCell({ apiKey }: { apiKey: ApiKey }) {
  return (
    <div className={classes["name"]}>
      <b>{apiKey.name}</b>
      <code className="hd-muted">{apiKey.prefix}…</code>
    </div>
  );
}

function Expiry({ at }: { at: string | null }) {
  const now = useNow(60_000);
  if (at === null) return <span className="hd-muted">Never</span>;
  if (Date.parse(at) <= now) return <span className={classes["expired"]}>Expired</span>;
  return <span className="hd-muted">{formatDate(at, now)}</span>;
}
