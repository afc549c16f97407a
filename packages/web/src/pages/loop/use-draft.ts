import { useState } from "react";

/** Text that is being written, kept for this tab of the browser until it is sent. */
export function useDraft(name: string): [string, (text: string) => void] {
  const key = `ralpher.${name}`;
  const [text, setText] = useState(() => {
    try {
      return sessionStorage.getItem(key) ?? "";
    } catch {
      return "";
    }
  });
  const change = (next: string) => {
    setText(next);
    try {
      if (next === "") sessionStorage.removeItem(key);
      else sessionStorage.setItem(key, next);
    } catch {
      // Without storage the draft lasts as long as the page.
    }
  };
  return [text, change];
}
