/** A table of things: quiet lines, numbers at the right, and the whole row opens where it has an address. */
import type { ReactNode } from "react";
import classes from "./data-table.module.css";
import { Icon } from "./icon";

export interface Column<Row> {
  id: string;
  title: string;
  /** The title is for screen readers only, as over a column of buttons. */
  hiddenTitle?: boolean;
  width?: number;
  number?: boolean;
  /** The least window in which the column is shown. */
  from?: "narrow" | "wide";
  sortable?: boolean;
  cell: (row: Row) => ReactNode;
}

export interface Sorting {
  column: string;
  descending: boolean;
}

interface DataTableProps<Row> {
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  tight?: boolean;
  sorting?: Sorting;
  onSort?: (column: string) => void;
  foot?: ReactNode | undefined;
}

export function DataTable<Row>(props: DataTableProps<Row>) {
  const { label, columns, rows, rowKey, tight = false, sorting, onSort, foot } = props;
  return (
    <div className={classes["card"]}>
      <table className={classes["table"]} aria-label={label} data-tight={tight || undefined}>
        <thead>
          <tr>
            {columns.map((column) => (
              <HeadCell key={column.id} column={column} sorting={sorting} onSort={onSort} />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={rowKey(row)}>
              {columns.map((column) => (
                <td key={column.id} data-number={column.number} data-from={column.from}>
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {foot !== undefined && <div className={classes["foot"]}>{foot}</div>}
    </div>
  );
}

interface HeadCellProps<Row> {
  column: Column<Row>;
  sorting: Sorting | undefined;
  onSort: ((column: string) => void) | undefined;
}

function HeadCell<Row>({ column, sorting, onSort }: HeadCellProps<Row>) {
  const order = orderOf(column.id, sorting);
  return (
    <th
      scope="col"
      style={column.width === undefined ? undefined : { width: column.width }}
      data-number={column.number}
      data-from={column.from}
      aria-sort={order}
    >
      {column.sortable && onSort ? (
        <button type="button" className={classes["sort"]} onClick={() => onSort(column.id)}>
          {column.title}
          {order && <Icon name={order === "descending" ? "down" : "up"} size={14} />}
        </button>
      ) : (
        <span className={column.hiddenTitle ? "hd-sr" : undefined}>{column.title}</span>
      )}
    </th>
  );
}

function orderOf(column: string, sorting: Sorting | undefined): "ascending" | "descending" | undefined {
  if (sorting?.column !== column) return undefined;
  return sorting.descending ? "descending" : "ascending";
}

/** Gives a link the whole row as its area. */
export const rowLink = classes["rowLink"] ?? "";

/** Lifts a control above the row's link, so that it can be pressed. */
export const aboveRow = classes["aboveRow"] ?? "";
