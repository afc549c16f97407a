import { useCallback, useState } from "react";

type Marks = Record<string, string>;

/**
 * Which files the reader has looked at: by path, with the id of the content that was seen, so that a mark is worth
 * nothing once the file changes again. Kept in this browser.
 */
export function useViewed(id: string): {
  isViewed: (path: string, blob: string) => boolean;
  setViewed: (path: string, blob: string, viewed: boolean) => void;
} {
  const key = `ralpher.viewed.${id}`;
  const [marks, setMarks] = useState<Marks>(() => read(key));
  return {
    isViewed: (path, blob) => marks[path] === blob,
    setViewed: useCallback(
      (path, blob, viewed) =>
        setMarks((before) => {
          const next = { ...before };
          if (viewed) next[path] = blob;
          else delete next[path];
          write(key, next);
          return next;
        }),
      [key],
    ),
  };
}

function read(key: string): Marks {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(key) ?? "{}");
    return typeof kept === "object" && kept !== null ? (kept as Marks) : {};
  } catch {
    return {};
  }
}

function write(key: string, marks: Marks): void {
  try {
    if (Object.keys(marks).length === 0) localStorage.removeItem(key);
    else localStorage.setItem(key, JSON.stringify(marks));
  } catch {
    // Without storage the marks hold until the page is loaded again.
  }
}
