/** The editor: top bar, palette, canvas, inspector and the last run. */
import { useMediaQuery } from "@mantine/hooks";
import { useCallback, useRef, useState } from "react";
import { usePlaces } from "@/components/graph/use-places";
import type { Places } from "@/graph/boxes";
import { narrowWidth } from "@/lib/use-narrow";
import { useAutosave } from "./autosave/use-autosave";
import { EditorCanvas, type Adding } from "./canvas/editor-canvas";
import { useCanvasKeys } from "./canvas/use-canvas-keys";
import { useGraphClipboard } from "./canvas/use-clipboard";
import { useCommands } from "./canvas/use-commands";
import { ConflictDialog } from "./dialogs/conflict-dialog";
import { PublishDialog } from "./dialogs/publish-dialog";
import { RunDialog } from "./dialogs/run-dialog";
import { ShortcutsDialog } from "./dialogs/shortcuts-dialog";
import classes from "./editor.module.css";
import { Inspector } from "./inspector/inspector";
import { LastRunDrawer } from "./last-run/last-run-drawer";
import { Palette } from "./palette/palette";
import { useEditor } from "./store/editor-context";
import { TopBar } from "./top-bar";
import { useStartRun } from "./use-start-run";

const NOWHERE: Places = {};
type Dialog = "publish" | "shortcuts" | null;

export function EditorScreen() {
  const saveNow = useAutosave();
  const places = usePlacesOfDraft();
  const commands = useCommands(places ?? NOWHERE);
  const narrow = useMediaQuery(narrowWidth, false, { getInitialValueInEffect: false });
  const [collapsed, setCollapsed] = useState(false);
  const [dialog, setDialog] = useState<Dialog>(null);
  const [issuesOpen, setIssuesOpen] = useState(false);
  const [adding, setAdding] = useState<Adding | null>(null);
  const [renaming, setRenaming] = useState(0);
  const search = useRef<HTMLInputElement>(null);
  const chosen = useEditor((state) => state.selectedNodes.length > 0);
  const run = useStartRun(saveNow);
  const showIssues = useCallback(() => setIssuesOpen(true), []);
  const publish = () => void saveNow().then((saved) => saved && setDialog("publish"));

  useGraphClipboard(commands);
  useCanvasKeys({
    commands,
    places: places ?? NOWHERE,
    openSearch: () => setAdding({ screen: searchPlace(), at: null }),
    rename: () => setRenaming((count) => count + 1),
    run: () => run.begin(),
    saveNow: () => void saveNow(),
    showShortcuts: () => setDialog("shortcuts"),
    findInPalette: () => {
      setCollapsed(false);
      requestAnimationFrame(() => search.current?.focus());
    },
  });

  return (
    <div className={classes["screen"]} data-palette={collapsed || narrow ? "collapsed" : "open"}>
      <TopBar
        issuesOpen={issuesOpen}
        setIssuesOpen={setIssuesOpen}
        onRun={run.begin}
        starting={run.starting}
        onPublish={publish}
        onRetrySave={() => void saveNow()}
      />
      <Palette
        collapsed={collapsed || narrow}
        onCollapse={setCollapsed}
        onAdd={(kind) => commands.add(kind, { at: null, ...commands.atSelected() })}
        searchRef={search}
      />
      <main aria-label="Graph">
        {places && (
          <EditorCanvas
            places={places}
            commands={commands}
            adding={adding}
            setAdding={setAdding}
            onShowIssues={showIssues}
          />
        )}
      </main>
      <div className={classes["inspectorPlace"]} data-inspector-place={chosen ? "node" : "empty"}>
        <Inspector renaming={renaming} />
      </div>
      <LastRunDrawer onShortcuts={() => setDialog("shortcuts")} />
      <OpenDialog dialog={dialog} onClose={() => setDialog(null)} />
      {run.form && <RunDialog {...run.form} />}
      <ConflictDialog onSave={() => void saveNow()} />
    </div>
  );
}

function OpenDialog({ dialog, onClose }: { dialog: Dialog; onClose: () => void }) {
  if (dialog === "publish") return <PublishDialog onClose={onClose} />;
  return dialog === "shortcuts" ? <ShortcutsDialog onClose={onClose} /> : null;
}

function usePlacesOfDraft(): Places | null {
  const document = useEditor((state) => state.document);
  const kinds = useEditor((state) => state.kinds);
  return usePlaces(document, kinds);
}

function searchPlace() {
  const box = window.document.querySelector(".react-flow")?.getBoundingClientRect();
  return { x: (box?.x ?? 0) + (box?.width ?? 640) / 2 - 160, y: (box?.y ?? 0) + 96 };
}
