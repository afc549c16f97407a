import ChevronDown from "lucide-react/icons/chevron-down";
import ChevronUp from "lucide-react/icons/chevron-up";
import X from "lucide-react/icons/x";
import { useEffect, useRef, useState } from "react";
import { Refusal } from "../../../feed/refusal.ts";
import { IconButton } from "../../../parts/button.tsx";
import { describeSearch } from "./search-state.ts";
import type { LogSearch } from "./use-search.ts";

/** So long a pause in typing begins the search. */
const pauseMs = 250;

/** The search through the whole log: what for, how many there are, and the way from one to the next. */
export function SearchBar({
  log: { search, begin, end, step },
  initial,
  onClose,
}: {
  log: LogSearch;
  initial: string;
  onClose: () => void;
}) {
  const [text, setText] = useState(initial);
  const input = useRef<HTMLInputElement>(null);
  const pause = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    input.current?.focus();
    return () => clearTimeout(pause.current);
  }, []);
  const change = (next: string) => {
    setText(next);
    // What was found is of another text.
    end();
    clearTimeout(pause.current);
    pause.current = setTimeout(() => begin(next), pauseMs);
  };
  const submit = (by: 1 | -1) => {
    clearTimeout(pause.current);
    if (search !== null && search.text === text && !(search.load instanceof Refusal)) step(by);
    else begin(text);
  };
  const words = search === null ? "" : search.load instanceof Refusal ? search.load.message : describeSearch(search);
  return (
    <search className="flex min-w-0 flex-1 items-center gap-0.5">
      <div className="flex h-8 min-w-0 flex-1 items-center rounded-md border border-edge bg-bg focus-within:border-run touch:h-11">
        <input
          ref={input}
          type="text"
          aria-label="Search the log"
          placeholder="Search the whole log"
          enterKeyHint="search"
          value={text}
          onChange={(event) => change(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === "Enter") {
              event.preventDefault();
              submit(event.shiftKey ? -1 : 1);
            } else if (event.key === "Escape") onClose();
          }}
          className="min-w-0 flex-1 bg-transparent px-2.5 outline-none placeholder:text-soft"
        />
        <span role="status" className="max-w-[50%] shrink-0 truncate px-2 text-small text-soft" title={words}>
          {words}
        </span>
      </div>
      <IconButton name="Older hit (Enter)" disabled={text.trim() === ""} onClick={() => submit(1)}>
        <ChevronUp />
      </IconButton>
      <IconButton name="Newer hit (Shift+Enter)" disabled={text.trim() === ""} onClick={() => submit(-1)}>
        <ChevronDown />
      </IconButton>
      <IconButton name="End the search" onClick={onClose}>
        <X />
      </IconButton>
    </search>
  );
}
