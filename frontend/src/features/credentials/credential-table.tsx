/** The credentials of a workspace, one a row; nothing in it tells a secret. */
import { UnstyledButton } from "@mantine/core";
import type { Credential } from "@/api/types";
import { Ago } from "@/components/ago";
import { Chip } from "@/components/chip";
import { DataTable, rowLink, type Column } from "@/components/data-table";
import { formatCount } from "@/lib/format";
import { CredentialMenu } from "./credential-menu";
import classes from "./credential-table.module.css";
import type { OpenDialog } from "./dialogs";
import { credentialKinds } from "./kinds";

interface CredentialTableProps {
  credentials: readonly Credential[];
  onOpen: (dialog: OpenDialog) => void;
}

export function CredentialTable({ credentials, onOpen }: CredentialTableProps) {
  return (
    <DataTable label="Credentials" columns={columnsOf(onOpen)} rows={credentials} rowKey={(row) => row.id} />
  );
}

function columnsOf(onOpen: (dialog: OpenDialog) => void): Column<Credential>[] {
  return [
    {
      id: "name",
      title: "Name",
      cell: (row) => <NameCell credential={row} onEdit={() => onOpen({ dialog: "edit", credential: row })} />,
    },
    {
      id: "where",
      title: "Sent to",
      from: "narrow",
      cell: (row) => (
        <code className={classes["where"]}>{row.base_url === "" ? row.hosts.join(", ") : row.base_url}</code>
      ),
    },
    {
      id: "models",
      title: "Models",
      width: 200,
      from: "narrow",
      cell: (row) => <ModelsCell credential={row} />,
    },
    {
      id: "secret",
      title: "Secret",
      width: 96,
      from: "wide",
      cell: (row) => <code className="hd-muted">{row.secret_hint === "" ? "••••" : row.secret_hint}</code>,
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
      id: "actions",
      title: "Actions",
      hiddenTitle: true,
      width: 56,
      cell: (row) => <CredentialMenu credential={row} onOpen={onOpen} />,
    },
  ];
}

function NameCell({ credential, onEdit }: { credential: Credential; onEdit: () => void }) {
  return (
    <div className={classes["name"]}>
      <div className="hd-row">
        <UnstyledButton className={rowLink} onClick={onEdit}>
          {credential.name}
        </UnstyledButton>
        {credential.default && <Chip>default</Chip>}
        {credential.allow_private && <Chip>private address</Chip>}
      </div>
      <span className="hd-small hd-muted">{credentialKinds[credential.kind].name}</span>
    </div>
  );
}

function ModelsCell({ credential }: { credential: Credential }) {
  if (credential.kind !== "openai") return <span className="hd-muted">–</span>;
  if (credential.models.length === 0) return <span className="hd-muted">Test it to find them</span>;
  return (
    <span className={classes["name"]}>
      <span className="hd-cut">{credential.default_model}</span>
      <span className="hd-small hd-muted">
        {credential.models.length > 1 && `and ${formatCount(credential.models.length - 1, "other")}`}
      </span>
    </span>
  );
}
