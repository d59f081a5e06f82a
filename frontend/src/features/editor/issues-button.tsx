/** How many issues there are, and the list that leads to each of them. */
import { Button, Popover } from "@mantine/core";
import { Icon, kindIcon } from "@/components/icon";
import { fieldOfPath } from "@/graph/form";
import { findNode, nodeName, type Issue } from "@/graph/graph";
import { formatCount } from "@/lib/format";
import { useEditor, useEditorStore } from "./store/editor-context";
import classes from "./editor.module.css";

interface IssuesButtonProps {
  open: boolean;
  setOpen: (open: boolean) => void;
}

export function IssuesButton({ open, setOpen }: IssuesButtonProps) {
  const issues = useEditor((state) => state.issues);
  if (!issues.length) return null;
  const errors = issues.some((issue) => issue.severity === "error");
  return (
    <Popover
      opened={open}
      onChange={setOpen}
      position="bottom-end"
      width={380}
      shadow="xl"
      radius="md"
      trapFocus
    >
      <Popover.Target>
        <Button
          size="xs"
          variant="default"
          className={classes["issues"] ?? ""}
          data-severity={errors ? "error" : "warning"}
          leftSection={<Icon name="alert" size={14} />}
          aria-expanded={open}
          onClick={() => setOpen(!open)}
        >
          {formatCount(issues.length, "issue")}
        </Button>
      </Popover.Target>
      <Popover.Dropdown className={classes["issueList"] ?? ""}>
        <ul aria-label="Issues">
          {issues.map((issue) => (
            <IssueRow
              key={`${issue.path} ${issue.code} ${issue.message}`}
              issue={issue}
              onJump={() => setOpen(false)}
            />
          ))}
        </ul>
      </Popover.Dropdown>
    </Popover>
  );
}

function IssueRow({ issue, onJump }: { issue: Issue; onJump: () => void }) {
  const store = useEditorStore();
  const node = useEditor((state) =>
    issue.node_id === null ? undefined : findNode(state.document, issue.node_id),
  );
  const icon = useEditor((state) => state.kinds.get(node?.kind ?? "")?.icon ?? "alert");
  const jump = () => {
    if (node) store.getState().jumpTo(node.id, fieldOfPath(issue.path));
    else store.getState().select([]);
    onJump();
  };
  return (
    <li>
      <button type="button" className={classes["issue"]} data-severity={issue.severity} onClick={jump}>
        <Icon name="alert" size={14} label={issue.severity} />
        <span>
          <span className={classes["issueText"]}>{issue.message}</span>
          <span className={classes["issuePlace"]}>
            {node ? (
              <>
                <Icon name={kindIcon(icon)} size={12} /> {nodeName(node)}
              </>
            ) : (
              issue.path || "The workflow"
            )}
          </span>
        </span>
      </button>
    </li>
  );
}
