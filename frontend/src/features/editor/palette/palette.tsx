/** The palette: all kinds of node by family, to drag in or to add by a press. */
import { ActionIcon, TextInput, Tooltip } from "@mantine/core";
import { useState, type KeyboardEvent, type Ref } from "react";
import { Icon, kindIcon } from "@/components/icon";
import { Kbd } from "@/components/kbd";
import { FAMILIES, searchKinds, type NodeKind } from "@/graph/kinds";
import { DRAGGED_KIND } from "../canvas/editor-canvas";
import { useEditor } from "../store/editor-context";
import classes from "./palette.module.css";

interface PaletteProps {
  collapsed: boolean;
  onCollapse: (collapsed: boolean) => void;
  onAdd: (kind: NodeKind) => void;
  searchRef: Ref<HTMLInputElement>;
}

export function Palette({ collapsed, onCollapse, onAdd, searchRef }: PaletteProps) {
  const kinds = useEditor((state) => state.kinds);
  const [search, setSearch] = useState("");
  const found = searchKinds(kinds.values(), collapsed ? "" : search);
  const families = groupByFamily(found);
  return (
    <aside className={classes["palette"]} data-collapsed={collapsed || undefined} aria-label="Palette">
      <div className={classes["head"]}>
        {!collapsed && (
          <TextInput
            ref={searchRef}
            size="xs"
            className={classes["search"] ?? ""}
            aria-label="Find a node"
            placeholder="Find a node"
            leftSection={<Icon name="search" size={14} />}
            rightSection={search ? null : <Kbd>/</Kbd>}
            value={search}
            onChange={(event) => setSearch(event.currentTarget.value)}
            onKeyDown={(event) => searchKeys(event, found[0], onAdd, () => setSearch(""))}
          />
        )}
        <Tooltip label={collapsed ? "Open the palette" : "Collapse the palette"} openDelay={400}>
          <ActionIcon
            size="xs"
            aria-label={collapsed ? "Open the palette" : "Collapse the palette"}
            onClick={() => onCollapse(!collapsed)}
          >
            <Icon name="side" />
          </ActionIcon>
        </Tooltip>
      </div>
      <div className={classes["list"]}>
        {families.map((family) => (
          <Family
            key={family.id}
            title={family.title}
            kinds={family.kinds}
            collapsed={collapsed}
            onAdd={onAdd}
          />
        ))}
        {!found.length && <p className={classes["hint"]}>No kind of node matches “{search}”.</p>}
        {!collapsed && (
          <p className={classes["hint"]}>
            Drag a node in, or press <Kbd>Tab</Kbd> on the canvas to add one where you are.
          </p>
        )}
      </div>
    </aside>
  );
}

function searchKeys(
  event: KeyboardEvent<HTMLInputElement>,
  first: NodeKind | undefined,
  onAdd: (kind: NodeKind) => void,
  clear: () => void,
): void {
  if (event.key === "Escape") {
    clear();
    event.currentTarget.blur();
  }
  if (event.key === "Enter" && first) {
    onAdd(first);
    clear();
  }
}

interface FamilyProps {
  title: string;
  kinds: readonly NodeKind[];
  collapsed: boolean;
  onAdd: (kind: NodeKind) => void;
}

function Family({ title, kinds, collapsed, onAdd }: FamilyProps) {
  const [open, setOpen] = useState(true);
  const rows = (
    <ul>
      {kinds.map((kind) => (
        <Row key={kind.kind} kind={kind} collapsed={collapsed} onAdd={onAdd} />
      ))}
    </ul>
  );
  if (collapsed) return rows;
  return (
    <section>
      <h4>
        <button
          type="button"
          className={classes["family"]}
          aria-expanded={open}
          onClick={() => setOpen(!open)}
        >
          <Icon name={open ? "down" : "right"} size={14} />
          {title}
          {!open && <span className={classes["count"]}>{kinds.length}</span>}
        </button>
      </h4>
      {open && rows}
    </section>
  );
}

function Row({
  kind,
  collapsed,
  onAdd,
}: {
  kind: NodeKind;
  collapsed: boolean;
  onAdd: (kind: NodeKind) => void;
}) {
  return (
    <li>
      <Tooltip
        label={collapsed ? kind.title : kind.summary}
        position="right"
        openDelay={collapsed ? 100 : 700}
        multiline
        maw={240}
      >
        <button
          type="button"
          className={classes["row"]}
          aria-label={`Add ${kind.title}`}
          draggable
          onDragStart={(event) => {
            event.dataTransfer.setData(DRAGGED_KIND, kind.kind);
            event.dataTransfer.effectAllowed = "copy";
          }}
          onClick={() => onAdd(kind)}
        >
          <Icon name={kindIcon(kind.icon)} />
          {!collapsed && <span className="hd-cut">{kind.title}</span>}
          {!collapsed && (
            <span className={classes["grip"]}>
              <Icon name="grip" size={14} />
            </span>
          )}
        </button>
      </Tooltip>
    </li>
  );
}

function groupByFamily(kinds: readonly NodeKind[]) {
  const known = FAMILIES.map((family) => ({
    ...family,
    kinds: kinds.filter((kind) => kind.family === family.id),
  }));
  const other = kinds.filter((kind) => !FAMILIES.some((family) => family.id === kind.family));
  return [...known, { id: "other", title: "More", kinds: other }].filter((family) => family.kinds.length);
}
