/** The shape of a state: told by its form first, by its colour second. */
import { stateWord, type State } from "@/lib/states";
import classes from "./state-icon.module.css";

interface StateIconProps {
  state: State;
  size?: 12 | 14 | 16;
  /** Beside a word that says the same, the shape is decoration. */
  decorative?: boolean;
}

export function StateIcon({ state, size = 14, decorative = false }: StateIconProps) {
  return (
    <svg
      className={classes["shape"]}
      data-state={state}
      width={size}
      height={size}
      {...(decorative
        ? { "aria-hidden": true }
        : { role: "img", "aria-label": stateWord(state).toLowerCase() })}
    >
      <use href={`#s-${state}`} />
    </svg>
  );
}
