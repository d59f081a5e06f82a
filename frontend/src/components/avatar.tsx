/** A person as their initials: neutral, for people have no colour of their own. */
import classes from "./avatar.module.css";

export function Avatar({ name, size = 24 }: { name: string; size?: 20 | 24 | 32 }) {
  return (
    <span className={classes["avatar"]} style={{ width: size, height: size }} aria-hidden>
      {initials(name)}
    </span>
  );
}

export function initials(name: string): string {
  const words = name.split(/[\s.@_-]+/u).filter((word) => word !== "");
  const letters = words.slice(0, 2).map((word) => word.charAt(0));
  return letters.join("").toUpperCase();
}
