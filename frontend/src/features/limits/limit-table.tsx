/** The limits of a workspace: what each bounds, what runs under it and what waits. */
import { ActionIcon, Menu } from "@mantine/core";
import type { Limit } from "@/api/types";
import { DataTable, type Column } from "@/components/data-table";
import { Icon } from "@/components/icon";
import { formatNumber } from "@/lib/format";
import classes from "./limits.module.css";
import { boundsOf, nameOfLimit, TARGETS, type Names } from "./words";

interface LimitTableProps {
  limits: readonly Limit[];
  names: Names;
  onChange: (limit: Limit) => void;
  onDelete: (limit: Limit) => void;
}

export function LimitTable({ limits, ...rest }: LimitTableProps) {
  return <DataTable label="Limits" columns={columnsOf(rest)} rows={limits} rowKey={(row) => row.id} />;
}

function columnsOf({ names, onChange, onDelete }: Omit<LimitTableProps, "limits">): Column<Limit>[] {
  return [
    { id: "name", title: "What is limited", cell: (row) => <NameCell limit={row} names={names} /> },
    { id: "bounds", title: "Limit", width: 200, cell: (row) => boundsOf(row) },
    {
      id: "running",
      title: "Running",
      width: 96,
      number: true,
      cell: (row) => (
        <span className={isFull(row) ? classes["full"] : undefined}>
          {formatNumber(row.running)}
          {row.max_running !== null && ` of ${formatNumber(row.max_running)}`}
        </span>
      ),
    },
    {
      id: "waiting",
      title: "Waiting",
      width: 96,
      number: true,
      from: "narrow",
      cell: (row) => formatNumber(row.waiting),
    },
    {
      id: "actions",
      title: "Actions",
      hiddenTitle: true,
      width: 56,
      number: true,
      cell: (row) => (
        <span className={classes["actions"]}>
          <Menu position="bottom-end">
            <Menu.Target>
              <ActionIcon size="xs" aria-label={`More for the limit of ${nameOfLimit(row, names)}`}>
                <Icon name="dots" />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item leftSection={<Icon name="edit" size={14} />} onClick={() => onChange(row)}>
                Change
              </Menu.Item>
              <Menu.Item
                color="red"
                leftSection={<Icon name="trash" size={14} />}
                onClick={() => onDelete(row)}
              >
                Delete
              </Menu.Item>
            </Menu.Dropdown>
          </Menu>
        </span>
      ),
    },
  ];
}

function isFull({ max_running, running }: Limit): boolean {
  return max_running !== null && running >= max_running;
}

function NameCell({ limit, names }: { limit: Limit; names: Names }) {
  const target = TARGETS.find(({ value }) => value === limit.target);
  return (
    <div className={classes["name"]}>
      <b>{nameOfLimit(limit, names)}</b>
      <span className="hd-small hd-muted">{limit.target === "workspace" ? target?.hint : limit.target}</span>
    </div>
  );
}
