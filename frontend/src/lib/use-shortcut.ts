/** Runs something when a key is pressed outside of any text that is being written. */
import { useEffect, useEffectEvent } from "react";
import { isMod, isWriting } from "./keys";

interface Shortcut {
  key: string;
  mod?: boolean;
}

export function useShortcut({ key, mod = false }: Shortcut, action: () => void): void {
  const pressed = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.key.toLowerCase() !== key || isMod(event) !== mod) return;
    if (!mod && isWriting(event.target)) return;
    event.preventDefault();
    action();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => pressed(event);
    window.addEventListener("keydown", listener);
    return () => window.removeEventListener("keydown", listener);
  }, []);
}
