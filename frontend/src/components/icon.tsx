/** An icon of the sprite: decoration unless it is given a label. */
import { iconNames, type IconName } from "./icon-names";
import classes from "./icon.module.css";

interface IconProps {
  name: IconName;
  size?: 12 | 14 | 16 | 20;
  label?: string;
}

export function Icon({ name, size = 16, label }: IconProps) {
  return (
    <svg
      className={classes["icon"]}
      width={size}
      height={size}
      {...(label === undefined ? { "aria-hidden": true } : { role: "img", "aria-label": label })}
    >
      <use href={`#i-${name}`} />
    </svg>
  );
}

/** The icon a node kind asks for; a kind from elsewhere may name one we do not draw. */
export function kindIcon(name: string): IconName {
  const ours = `k-${name}`;
  const found = iconNames.find((each) => each === ours || each === name);
  return found ?? "flow";
}
