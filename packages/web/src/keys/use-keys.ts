import { useEffect, useRef } from "react";

/** What keys do: `"j"`, `"?"`, or two in a row: `"g l"`. */
export type Bindings = Record<string, () => void>;

/** The newest on top: what a page binds goes before what the shell does. */
const stack: { current: Bindings }[] = [];
const prefixMs = 1_200;
let prefix: { key: string; at: number } | null = null;

/** Keys belong to the page only while nobody types, no dialog is open, and no other program's shortcut is meant. */
function isOurs(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return false;
  if (document.querySelector("dialog[open]") !== null) return false;
  const target = event.target as HTMLElement | null;
  return target === null || !target.closest("input, textarea, select, [contenteditable]");
}

function onKey(event: KeyboardEvent): void {
  if (!isOurs(event)) return;
  const started = prefix !== null && event.timeStamp - prefix.at < prefixMs ? `${prefix.key} ${event.key}` : null;
  prefix = null;
  for (const name of started === null ? [event.key] : [started, event.key]) {
    const bound = stack.findLast((bindings) => bindings.current[name] !== undefined)?.current[name];
    if (bound === undefined) continue;
    event.preventDefault();
    bound();
    return;
  }
  if (stack.some(({ current }) => Object.keys(current).some((name) => name.startsWith(`${event.key} `)))) {
    prefix = { key: event.key, at: event.timeStamp };
  }
}

/** Bind keys while the component is on the screen. */
export function useKeys(bindings: Bindings): void {
  const latest = useRef(bindings);
  latest.current = bindings;
  useEffect(() => {
    if (stack.length === 0) window.addEventListener("keydown", onKey);
    stack.push(latest);
    return () => {
      stack.splice(stack.indexOf(latest), 1);
      if (stack.length === 0) window.removeEventListener("keydown", onKey);
    };
  }, []);
}
