import { useMemo } from "react";
import { readLoop } from "../../feed/api.ts";
import { useStore } from "../../feed/store.ts";
import { Field } from "../../parts/field.tsx";
import { GrowingText } from "../../parts/growing-text.tsx";
import { tellFailed } from "../../parts/notices.tsx";
import { loopsFeed } from "../../shell/feeds.ts";
import { exactCount, plural } from "../../words/count.ts";
import { cutMiddle } from "../../words/cut.ts";
import { presets } from "./presets.ts";

const mostRecent = 2;

/** What the loop is to do: a field that grows, goals to begin from, and the ones used last. */
export function PromptField({
  value,
  onChange,
  onSend,
  wrong,
}: {
  value: string;
  onChange: (text: string) => void;
  onSend: () => void;
  wrong: string | undefined;
}) {
  const recent = useRecentGoals();
  const words = value.trim() === "" ? 0 : value.trim().split(/\s+/).length;
  const takeFrom = (id: string) =>
    readLoop(id).then(
      ({ config }) => onChange(config.prompt),
      (error: unknown) => tellFailed("The goal was not found", error),
    );
  return (
    <Field
      label="Goal"
      error={wrong}
      aside={
        words === 0 ? undefined : (
          <span className="figure" title={`${exactCount(value.length)} characters`}>
            {plural(words, "word")}
          </span>
        )
      }
      hint="What is true when it is done, how to check it, and what not to touch. A fresh agent reads it every time."
    >
      {(ids) => (
        <>
          <fieldset
            aria-label="Goals to begin from"
            className="mb-1 flex min-w-0 flex-wrap gap-1.5 p-px pb-1 max-sm:-mx-4 max-sm:flex-nowrap max-sm:overflow-x-auto max-sm:px-4 max-sm:[scrollbar-width:none]"
          >
            {presets.map(({ name, prompt }) => (
              <Chip key={name} label={name} title={prompt} onTake={() => onChange(prompt)} />
            ))}
            {recent.map(({ id, goal }) => (
              <Chip key={id} label={cutMiddle(goal, 36)} title={goal} recent onTake={() => void takeFrom(id)} />
            ))}
          </fieldset>
          <GrowingText
            {...ids}
            value={value}
            onChange={onChange}
            onSend={onSend}
            placeholder="Make every test pass. Run them with “npm test”. Do not change the public API."
            className="!min-h-40 py-2"
          />
        </>
      )}
    </Field>
  );
}

function Chip({
  label,
  title,
  recent = false,
  onTake,
}: {
  label: string;
  title: string;
  recent?: boolean;
  onTake: () => void;
}) {
  return (
    <button
      type="button"
      title={title}
      onClick={onTake}
      className="relative max-w-full shrink-0 truncate rounded-full px-2.5 py-0.5 text-small text-soft ring-1 ring-line hover:bg-raise hover:text-ink touch:py-2"
    >
      {recent && <span className="sr-only">Used lately: </span>}
      {recent ? `“${label}”` : label}
    </button>
  );
}

/** The goals of the newest loops, each once. */
function useRecentGoals(): { id: string; goal: string }[] {
  const loops = useStore(loopsFeed.state, (state) => state.loops);
  return useMemo(() => {
    const goals = new Map<string, string>(presets.map(({ prompt }) => [prompt.split("\n")[0] ?? "", ""]));
    const newest = [...loops.values()].sort((a, b) => (a.config.createdAt < b.config.createdAt ? 1 : -1));
    const found: { id: string; goal: string }[] = [];
    for (const { config } of newest) {
      // The goal of a SODA loop or a task is in a file.
      if (config.goal === undefined || (config.strategy ?? "ralph") !== "ralph" || goals.has(config.goal)) continue;
      goals.set(config.goal, config.id);
      found.push({ id: config.id, goal: config.goal });
      if (found.length === mostRecent) break;
    }
    return found;
  }, [loops]);
}
