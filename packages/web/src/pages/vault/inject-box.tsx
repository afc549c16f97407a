import { type ReactNode, useState } from "react";
import { Button } from "../../parts/button.tsx";
import { Check } from "../../parts/check.tsx";
import { GrowingText } from "../../parts/growing-text.tsx";
import { useDraft } from "../loop/use-draft.ts";
import { tellVault } from "./tell-vault.ts";

/** Words that are put down in a vault for a later prompt, and those that wait there already. */
export function InjectBox({
  directory,
  label,
  waiting,
  when,
  onTold,
}: {
  directory: string;
  label: string;
  /** What waits already; null when nothing does. */
  waiting: string | null;
  /** When it is read, in a sentence. */
  when: ReactNode;
  onTold: () => void;
}) {
  const [text, setText] = useDraft(`inject.${directory}`);
  const [urgent, setUrgent] = useState(false);
  const [busy, setBusy] = useState(false);
  const empty = text.trim() === "";
  const send = async () => {
    if (empty || busy) return;
    setBusy(true);
    if (await tellVault(directory, { type: "inject", text: text.trim(), ...(urgent ? { priority: "high" } : {}) })) {
      setText("");
      setUrgent(false);
      onTold();
    }
    setBusy(false);
  };
  return (
    <form
      aria-label={label}
      className="flex min-w-0 flex-col gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      {waiting !== null && (
        <div className="border-l-2 border-need pl-3">
          <p className="text-small text-need">Waits</p>
          <p className="line-clamp-4 whitespace-pre-wrap [overflow-wrap:anywhere]" title={waiting}>
            {waiting}
          </p>
        </div>
      )}
      <p className="text-small text-soft">{when}</p>
      <GrowingText
        value={text}
        onChange={setText}
        onSend={() => void send()}
        onEscape={() => (document.activeElement as HTMLElement | null)?.blur()}
        aria-label={label}
        placeholder={waiting === null ? "What it should know from then on" : "This takes the place of what waits"}
        maxLength={100_000}
        className="py-1.5"
      />
      {!empty && (
        <div className="flex flex-wrap items-center justify-between gap-2">
          <Check checked={urgent} onChange={setUrgent} label="Counts more than the task's file" />
          <Button type="submit" busy={busy} title="Ctrl+Enter">
            Put down
          </Button>
        </div>
      )}
    </form>
  );
}
