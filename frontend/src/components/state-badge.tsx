/** A state as shape and word, in a chip or bare. */
import { stateOfRun, stateWord, type RunStatus, type State } from "@/lib/states";
import classes from "./state-badge.module.css";
import { StateIcon } from "./state-icon";

export function StateBadge({ state, word }: { state: State; word?: string }) {
  return (
    <span className={classes["chip"]} data-state={state}>
      <StateIcon state={state} size={12} decorative /> {word ?? stateWord(state).toLowerCase()}
    </span>
  );
}

/** How a run stands, as its row in a list says it. */
export function RunState({ status }: { status: RunStatus }) {
  return (
    <span className={classes["bare"]}>
      <StateIcon state={stateOfRun(status)} decorative /> {stateWord(status)}
    </span>
  );
}
