/** Keys and their names on this machine. */

export const isMac = /mac|iphone|ipad/iu.test(navigator.userAgent);

/** What the key beside the space bar is called here. */
export const modKey = isMac ? "⌘" : "Ctrl";

/** Whether a key press belongs to a text somebody is writing. */
export function isWriting(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable) return true;
  return target.matches("input, textarea, select, [contenteditable=true], .cm-content");
}

/** The modifier of shortcuts: Command on a Mac, Control elsewhere. */
export function isMod(event: { metaKey: boolean; ctrlKey: boolean }): boolean {
  return isMac ? event.metaKey : event.ctrlKey;
}
