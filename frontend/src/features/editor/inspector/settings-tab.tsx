/** The settings of a node: a form made from its kind's schema, with what is wrong at each field. */
import { useEffect, useMemo, useRef } from "react";
import { setConfig } from "@/graph/commands";
import { fieldOfPath, formFields, isShown, type FormField } from "@/graph/form";
import type { GraphNode, Issue } from "@/graph/graph";
import type { Json, JsonObject } from "@/graph/json";
import type { NodeKind } from "@/graph/kinds";
import { Icon } from "@/components/icon";
import { JsonView } from "@/components/json-view";
import { useSampleOutputs } from "../last-run/use-sample-outputs";
import { useEditor, useEditorStore } from "../store/editor-context";
import { ScopeContext, useReadScope, type ExpressionScope } from "./expression/scope";
import { FieldFrame, FieldNote } from "./fields/field-frame";
import { widgetOf } from "./fields/widgets";
import { InputsEditor } from "./inputs-editor";
import classes from "./inspector.module.css";

const NO_CONFIG: JsonObject = {};

export function SettingsTab({ node }: { node: GraphNode }) {
  const kind = useEditor((state) => state.kinds.get(node.kind));
  if (!kind) return <UnknownKind node={node} />;
  return (
    <WithScope nodeId={node.id}>
      <p className={classes["summary"]}>{kind.summary}</p>
      <NodeIssues node={node} />
      {node.kind === "io.input" && <InputsEditor />}
      <Fields node={node} kind={kind} />
    </WithScope>
  );
}

function WithScope({ nodeId, children }: { nodeId: string; children: React.ReactNode }) {
  const store = useEditorStore();
  const samples = useSampleOutputs(nodeId);
  const held = useRef<ExpressionScope | null>(null);
  const document = useEditor((state) => state.document);
  useEffect(() => {
    const { kinds } = store.getState();
    const iconOf = (id: string) => {
      const node = document.nodes.find((each) => each.id === id);
      return kinds.get(node?.kind ?? "")?.icon ?? "flow";
    };
    held.current = { document, nodeId, samples, iconOf, deferred: false };
  }, [store, document, nodeId, samples]);
  const read = useMemo(() => () => held.current, []);
  return <ScopeContext value={read}>{children}</ScopeContext>;
}

function Fields({ node, kind }: { node: GraphNode; kind: NodeKind }) {
  const fields = useMemo(() => formFields(kind), [kind]);
  const problems = useProblems(node.id);
  const config = node.config ?? NO_CONFIG;
  if (!fields.length && node.kind !== "io.input")
    return <p className="hd-muted">This kind has no settings.</p>;
  return fields
    .filter((field) => isShown(field, config, fields) && !isReplaced(field, config))
    .map((field) => (
      <Field
        key={field.name}
        node={node}
        deferred={kind.deferred.includes(field.name)}
        field={field}
        value={config[field.name]}
        problem={problems[field.name] ?? null}
      />
    ));
}

/** A prompt and messages exclude each other: the one that is used hides the other. */
function isReplaced(field: FormField, config: JsonObject): boolean {
  return (
    field.name === "prompt" &&
    field.widget === "template" &&
    Array.isArray(config["messages"]) &&
    config["prompt"] == null
  );
}

interface FieldPartProps {
  node: GraphNode;
  deferred: boolean;
  field: FormField;
  value: Json | undefined;
  problem: string | null;
}

/** Settings of a container that are evaluated later read what is inside it too. */
function Field(props: FieldPartProps) {
  const outer = useReadScope();
  const inner = useMemo(
    () => () => {
      const scope = outer();
      return scope && { ...scope, deferred: true };
    },
    [outer],
  );
  return props.deferred ? (
    <ScopeContext value={inner}>
      <FieldControl {...props} />
    </ScopeContext>
  ) : (
    <FieldControl {...props} />
  );
}

function FieldControl({ node, field, value, problem }: FieldPartProps) {
  const store = useEditorStore();
  const widget = widgetOf(field, node.kind);
  const Control = widget.component;
  const change = (next: Json | undefined) => {
    const { document, edit } = store.getState();
    edit(setConfig(document, node.id, field.name, next), {
      label: `Change ${field.title.toLowerCase()}`,
      mergeKey: `${node.id}.${field.name}`,
    });
  };
  const shared = { field, value, problem, nodeId: node.id, onChange: change };
  if (!widget.framed)
    return (
      <Control {...shared} labelId={`${node.id}-${field.name}`} hintId={`${node.id}-${field.name}-hint`} />
    );
  return (
    <FieldFrame
      label={field.title}
      name={field.name}
      hint={widget.ownHint ? "" : field.description}
      problem={problem}
      required={field.required}
      mark={widget.mark}
    >
      {(ids) => <Control {...shared} {...ids} />}
    </FieldFrame>
  );
}

function useProblems(nodeId: string): Record<string, string> {
  const issues = useEditor((state) => state.issues);
  return useMemo(() => {
    const problems: Record<string, string> = {};
    for (const issue of issues) {
      const field = issue.node_id === nodeId ? fieldOfPath(issue.path) : null;
      if (field !== null) problems[field] ??= issue.message;
    }
    return problems;
  }, [issues, nodeId]);
}

/** What concerns the node as a whole and no single setting. */
function NodeIssues({ node }: { node: GraphNode }) {
  const issues = useEditor((state) => state.issues);
  const whole = issues.filter(
    (issue: Issue) => issue.node_id === node.id && fieldOfPath(issue.path) === null,
  );
  return whole.map((issue) => (
    <FieldNote
      key={`${issue.code} ${issue.path}`}
      id={`${node.id}-${issue.code}`}
      hint={undefined}
      problem={issue.message}
      severity={issue.severity}
    />
  ));
}

function UnknownKind({ node }: { node: GraphNode }) {
  return (
    <>
      <p className={classes["unknown"]}>
        <Icon name="alert" size={14} /> This installation does not know the kind <code>{node.kind}</code>. Its
        data is kept as it is; the workflow cannot run until the kind is installed or the node is removed.
      </p>
      <JsonView value={node.config ?? {}} label="Kept data" />
    </>
  );
}
