/** All keys of the editor on one sheet. */
import { Modal } from "@mantine/core";
import { Kbd } from "@/components/kbd";
import { modKey } from "@/lib/keys";
import classes from "./dialogs.module.css";

const GROUPS: { title: string; rows: [string, string][] }[] = [
  {
    title: "Draw",
    rows: [
      ["Tab", "Add a node (also double click, or a thread dropped in the open)"],
      ["/", "Find in the palette"],
      ["F2", "Rename"],
      ["Enter", "Go to the settings"],
      ["D", "Switch off or on"],
      ["Del", "Delete"],
      ["Mod Del", "Delete and reconnect the neighbours"],
      ["Shift L", "Tidy"],
    ],
  },
  {
    title: "Edit",
    rows: [
      ["Mod Z", "Undo"],
      ["Mod Shift Z", "Redo"],
      ["Mod C", "Copy"],
      ["Mod X", "Cut"],
      ["Mod V", "Paste"],
      ["Mod D", "Duplicate"],
      ["Mod A", "Choose all"],
      ["Mod S", "Save now"],
    ],
  },
  {
    title: "Move",
    rows: [
      ["↑ ↓ ← →", "Walk along the edges"],
      ["Shift ↑", "Choose all that comes before"],
      ["Shift ↓", "Choose all that comes after"],
      ["1", "Fit the graph"],
      ["0", "Full size"],
      ["+ −", "Zoom"],
      ["Esc", "Choose none"],
    ],
  },
  {
    title: "Run",
    rows: [
      ["Mod ↵", "Run the draft"],
      ["?", "This sheet"],
    ],
  },
];

export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  return (
    <Modal opened onClose={onClose} title="Shortcuts" centered size={720}>
      <div className={classes["sheet"]}>
        {GROUPS.map((group) => (
          <section key={group.title}>
            <h3>{group.title}</h3>
            <dl>
              {group.rows.map(([keys, words]) => (
                <div key={keys}>
                  <dt>
                    {keys.split(" ").map((key) => (
                      <Kbd key={key}>{key === "Mod" ? modKey : key}</Kbd>
                    ))}
                  </dt>
                  <dd>{words}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Modal>
  );
}
