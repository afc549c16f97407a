import type { LoopView } from "@ralpher/contract";
import MessageSquare from "lucide-react/icons/message-square";
import { type ReactNode, useRef, useState } from "react";
import { say as sayAndGoOn } from "../../act/act.ts";
import { say, unsay } from "../../feed/loop-api.ts";
import { Button } from "../../parts/button.tsx";
import { GrowingText } from "../../parts/growing-text.tsx";
import { tellFailed } from "../../parts/notices.tsx";
import { type ComposerState, composerOf } from "./composer-state.ts";
import { useDraft } from "./use-draft.ts";

/** Say something to the loop, and see what of it still waits. `beside` stands at the end of the line while nobody types. */
export function Composer({ view, beside }: { view: LoopView; beside?: ReactNode }) {
  const state = composerOf(view);
  if (state === null) {
    return beside === undefined ? null : (
      <div className="flex shrink-0 justify-end border-t border-line px-3 pt-2 pb-[max(0.5rem,env(safe-area-inset-bottom))] empty:hidden sm:hidden">
        {beside}
      </div>
    );
  }
  return (
    <div className="shrink-0 border-t border-line px-3 pt-2 pb-[max(0.5rem,env(safe-area-inset-bottom))] lg:px-6">
      <Queue view={view} />
      <Writing view={view} state={state} beside={beside} />
    </div>
  );
}

function Writing({ view, state, beside }: { view: LoopView; state: ComposerState; beside: ReactNode }) {
  const { id, config } = view;
  const [text, setText] = useDraft(`say.${id}`);
  const [busy, setBusy] = useState(false);
  const [focused, setFocused] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const empty = text.trim() === "";
  const open = focused || !empty;

  const send = async (how: "next" | "now" | "go-on") => {
    if (empty || busy) return;
    setBusy(true);
    const target = { id, name: config.name };
    try {
      if (how !== "go-on") await say(id, text.trim(), how === "now");
      else if (!(await sayAndGoOn(target, text.trim()))) return;
      setText("");
    } catch (error) {
      tellFailed(`“${config.name}” was not told`, error);
    } finally {
      setBusy(false);
      form.current?.querySelector("textarea")?.focus();
    }
  };

  return (
    <form
      ref={form}
      aria-label="Say something to the loop"
      onFocus={() => setFocused(true)}
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) setFocused(false);
      }}
      onSubmit={(event) => {
        event.preventDefault();
        void send("next");
      }}
      className="flex flex-wrap items-end gap-x-2 gap-y-1.5"
    >
      <GrowingText
        value={text}
        onChange={setText}
        onSend={() => void send("next")}
        onEscape={() => (document.activeElement as HTMLElement | null)?.blur()}
        aria-label={state.placeholder}
        aria-describedby="composer-hint"
        placeholder={`${state.placeholder}…`}
        maxLength={100_000}
        className={`max-h-[30dvh] flex-1 basis-40 py-1.5 ${open ? "max-sm:basis-full" : ""}`}
      />
      <p id="composer-hint" className={open ? "text-small text-soft sm:hidden" : "sr-only"}>
        {state.hint}
      </p>
      {open ? (
        <div className="flex w-full items-center justify-end gap-2">
          <p aria-hidden="true" className="mr-auto min-w-0 truncate text-small text-soft max-sm:hidden">
            {state.hint} <kbd className="figure">Ctrl+Enter</kbd> sends.
          </p>
          {state.other !== null && (
            <Button
              look="quiet"
              disabled={empty}
              busy={busy}
              title={state.other.title}
              onClick={() => void send(state.other?.how ?? "next")}
            >
              {state.other.label}
            </Button>
          )}
          <Button type="submit" disabled={empty} busy={busy}>
            {state.send}
          </Button>
        </div>
      ) : (
        beside !== undefined && <div className="flex items-center gap-1 sm:hidden">{beside}</div>
      )}
    </form>
  );
}

/** What was said and is not done with: it waits, or the turn under way has been told. */
function Queue({ view }: { view: LoopView }) {
  const [busy, setBusy] = useState<number | null>(null);
  const takeBack = async (seq: number) => {
    setBusy(seq);
    try {
      await unsay(view.id, seq);
    } catch (error) {
      tellFailed("That was not taken back", error);
    } finally {
      setBusy(null);
    }
  };
  if (view.said.length === 0) return null;
  return (
    <ul aria-label="What you said" className="mb-1.5 flex max-h-32 flex-col overflow-y-auto">
      {view.said.map(({ seq, text, told }) => (
        <li key={seq} className="flex min-h-7 items-center gap-2">
          <MessageSquare aria-hidden="true" className={`size-3.5 shrink-0 ${told ? "text-run" : "text-need"}`} />
          <span className="shrink-0 text-small text-soft">{told ? "Told" : "Waits"}</span>
          <span className="min-w-0 flex-1 truncate" title={text}>
            {text}
          </span>
          {!told && (
            <Button
              look="quiet"
              className="!h-7 text-small touch:!h-11"
              busy={busy === seq}
              onClick={() => void takeBack(seq)}
            >
              Take back
            </Button>
          )}
        </li>
      ))}
    </ul>
  );
}
