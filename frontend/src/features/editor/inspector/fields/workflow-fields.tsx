/** Which workflow a node runs, and which version of it. */
import { Anchor, Select } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { versionsQuery, workflowChoicesQuery, workflowQuery } from "@/api/workflows";
import { isObject } from "@/graph/json";
import { useEditor } from "../../store/editor-context";
import { asText, type FieldProps } from "./field-props";
import classes from "./fields.module.css";

export function WorkflowField({ value, onChange, problem, labelId, hintId }: FieldProps) {
  const own = useEditor((state) => state.workflowId);
  const { data: workflows = [] } = useQuery(workflowChoicesQuery);
  const chosen = asText(value);
  const choices = workflows.map(({ id, name }) => ({
    value: id,
    label: id === own ? `${name} (this one)` : name,
  }));
  const unknown = chosen !== "" && !workflows.some(({ id }) => id === chosen);
  return (
    <>
      <Select
        aria-labelledby={labelId}
        aria-describedby={hintId}
        placeholder="Choose a workflow"
        searchable
        nothingFoundMessage="No workflow of this name"
        data={unknown ? [...choices, { value: chosen, label: `Missing: ${chosen}` }] : choices}
        value={chosen || null}
        error={problem !== null}
        allowDeselect={false}
        onChange={(id) => onChange(id ?? undefined)}
      />
      {chosen !== "" && !unknown && <AsksFor id={chosen} />}
    </>
  );
}

function AsksFor({ id }: { id: string }) {
  const { data } = useQuery(workflowQuery(id));
  const properties = data?.document.inputs?.["properties"];
  const names = isObject(properties) ? Object.keys(properties) : [];
  return (
    <p className={classes["hint"]}>
      {data && (names.length ? `It asks for ${names.join(", ")}. ` : "It asks for nothing. ")}
      <Anchor component={Link} to={`/workflows/${id}`} inherit>
        Open it
      </Anchor>
    </p>
  );
}

const LATEST = "latest";

export function VersionField({ value, onChange, nodeId, problem, labelId, hintId }: FieldProps) {
  const workflow = useEditor((state) =>
    asText(state.document.nodes.find((node) => node.id === nodeId)?.config?.["workflow"]),
  );
  const { data } = useQuery({ ...versionsQuery(workflow), enabled: workflow !== "" });
  const numbers = new Set(data?.results.map(({ number }) => number));
  if (typeof value === "number") numbers.add(value);
  return (
    <Select
      aria-labelledby={labelId}
      aria-describedby={hintId}
      data={[
        { value: LATEST, label: "The latest" },
        ...[...numbers]
          .sort((left, right) => right - left)
          .map((number) => ({ value: String(number), label: `Version ${number}` })),
      ]}
      value={typeof value === "number" ? String(value) : LATEST}
      error={problem !== null}
      allowDeselect={false}
      onChange={(chosen) => onChange(chosen === null || chosen === LATEST ? undefined : Number(chosen))}
    />
  );
}
