import { useId } from "react";
import type { Draft } from "./draft.ts";

const choices: { type: Draft["strategy"]; name: string; is: string }[] = [
  { type: "ralph", name: "Ralph", is: "The same goal again and again, until the agent says that it is done." },
  { type: "soda", name: "SODA", is: "A spec, judged criterion by criterion; tasks are planned, tested and proved." },
  { type: "task", name: "Task", is: "A task file of a vault, worked off step by step, steered by files." },
];

/** How the loop works. */
export function StrategyChoice({
  value,
  onChange,
}: {
  value: Draft["strategy"];
  onChange: (type: Draft["strategy"]) => void;
}) {
  const id = useId();
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1 font-medium">Strategy</legend>
      <div className="grid gap-1.5 sm:grid-cols-3">
        {choices.map(({ type, name, is }) => (
          <label
            key={type}
            className="flex cursor-pointer items-start gap-2.5 rounded-md border border-line px-3 py-2 hover:bg-panel has-checked:border-run has-checked:bg-run-tint has-focus-visible:outline-2 has-focus-visible:outline-run"
          >
            <input
              type="radio"
              name={`${id}-strategy`}
              value={type}
              checked={type === value}
              onChange={() => onChange(type)}
              className="mt-1 size-3.5 shrink-0 accent-run outline-none"
            />
            <span className="min-w-0 flex-1">
              <span className="font-medium">{name}</span>
              <span className="block text-small text-soft">{is}</span>
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
