/** What went into the run and what came out of it. */
import type { Json } from "@/graph/json";
import { isObject } from "@/graph/json";
import { JsonView } from "@/components/json-view";
import { ValueView } from "@/components/value-view";
import { useOpenRun, useRunState } from "../stream/run-context";
import classes from "./run-page.module.css";

export function InputsAndOutputs() {
  const { run } = useOpenRun();
  const outputs = useRunState((state) => state.view.outputs) ?? run.outputs;
  return (
    <div className={classes["values"]}>
      <section>
        <h3>Inputs</h3>
        {Object.keys(run.inputs).length ? (
          <JsonView value={run.inputs} label="Inputs" />
        ) : (
          <p className="hd-muted">This run was started without inputs.</p>
        )}
      </section>
      <section>
        <h3>Outputs</h3>
        <Outputs outputs={outputs} />
      </section>
    </div>
  );
}

function Outputs({ outputs }: { outputs: Json }) {
  const entries = isObject(outputs) ? Object.entries(outputs) : [];
  if (!entries.length) return <p className="hd-muted">Nothing has reached an output node.</p>;
  return entries.map(([name, value]) => (
    <div key={name} className={classes["output"]}>
      <h4>{name}</h4>
      <ValueView value={value} />
    </div>
  ));
}
