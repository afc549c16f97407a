import type { BackendReport, BackendType } from "@ralpher/contract";
import { useId } from "react";
import { backendOrder, backendWords, healthWords } from "../words/model.ts";

/** Choose an agent runtime; each says whether it is there, and the chosen one how to get it when it is not. */
export function AgentChoice({
  value,
  onChange,
  reports,
  wrong,
}: {
  value: BackendType;
  onChange: (type: BackendType) => void;
  reports: BackendReport[] | null;
  wrong?: string | undefined;
}) {
  const id = useId();
  const of = (type: BackendType) => reports?.find((report) => report.type === type);
  const known = reports === null ? backendOrder : backendOrder.filter((type) => of(type) !== undefined);
  const chosen = of(value)?.health;
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1 font-medium">Agent</legend>
      <div className="grid gap-1.5 sm:grid-cols-2">
        {known.map((type) => {
          const health = of(type)?.health;
          return (
            <label
              key={type}
              className="flex cursor-pointer items-start gap-2.5 rounded-md border border-line px-3 py-2 hover:bg-panel has-checked:border-run has-checked:bg-run-tint has-focus-visible:outline-2 has-focus-visible:outline-run"
            >
              <input
                type="radio"
                name={`${id}-agent`}
                value={type}
                checked={type === value}
                onChange={() => onChange(type)}
                className="mt-1 size-3.5 shrink-0 accent-run outline-none"
              />
              <span className="min-w-0 flex-1">
                <span className="flex items-baseline justify-between gap-2">
                  <span className="font-medium">{backendWords[type].name}</span>
                  <span
                    className={`figure truncate ${health === undefined || health.state === "ready" ? "text-soft" : "text-need"}`}
                  >
                    {healthWords(health)}
                  </span>
                </span>
                <span className="block text-small text-soft">{backendWords[type].is}</span>
              </span>
            </label>
          );
        })}
      </div>
      {wrong !== undefined && <p className="mt-1 text-small text-bad">{wrong}</p>}
      {chosen !== undefined && chosen.state !== "ready" && (
        <div className="mt-2 flex flex-col gap-2">
          <p className="text-small text-need [overflow-wrap:anywhere]">{chosen.detail}</p>
          <p className="text-small text-soft [overflow-wrap:anywhere]">{chosen.install}</p>
        </div>
      )}
    </fieldset>
  );
}
