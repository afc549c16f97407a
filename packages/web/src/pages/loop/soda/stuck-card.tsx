import type { LoopView } from "@ralpher/contract";
import CircleQuestionMark from "lucide-react/icons/circle-question-mark";
import { useState } from "react";
import { Link } from "wouter";
import { act, say } from "../../../act/act.ts";
import { Button } from "../../../parts/button.tsx";
import { CommandLine } from "../../../parts/command-line.tsx";
import { GrowingText } from "../../../parts/growing-text.tsx";
import { answerId } from "../answer.ts";
import { hrefOf } from "../tabs.ts";
import { useDraft } from "../use-draft.ts";
import { Gaps } from "./gaps.tsx";
import type { Stuck } from "./stuck-model.ts";
import { Ticked } from "./ticked.tsx";

/** What a loop that is stuck needs, in plain words, and the ways to give it. */
export function StuckCard({ view, stuck }: { view: LoopView; stuck: Stuck }) {
  const { reason, gaps, blocked, atLimit } = stuck;
  const target = { id: view.id, name: view.config.name };
  const spec = view.soda?.spec?.path;
  return (
    <section
      aria-labelledby="stuck-title"
      className="flex flex-col gap-3 border-l-2 border-need bg-panel px-4 py-3.5 [overflow-wrap:anywhere]"
    >
      <h2 id="stuck-title" className="flex items-center gap-2 font-semibold text-need">
        <CircleQuestionMark aria-hidden="true" className="size-4 shrink-0" />
        {atLimit ? "It has used all its iterations" : "It waits for you"}
      </h2>
      <p className="max-w-[78ch]">
        <Ticked text={reason.charAt(0).toUpperCase() + reason.slice(1)} />
      </p>
      {gaps.length > 0 && <Gaps gaps={gaps.slice(0, mostGaps)} />}
      {blocked.length > 0 && (
        <ul aria-label="Blocked tasks" className="flex max-w-[78ch] flex-col gap-1.5">
          {blocked.map(({ id, title, reason: why }) => (
            <li key={id}>
              <span className="flex flex-wrap items-baseline gap-x-3">
                <span className="font-medium">{title}</span>
                <Link
                  href={hrefOf(view.id, "work-items", { item: id, comment: 1 })}
                  className="text-small text-run underline underline-offset-2 touch:py-2"
                >
                  Comment on it
                </Link>
              </span>
              <span className="block text-bad">{why}</span>
            </li>
          ))}
        </ul>
      )}
      {atLimit ? (
        <div className="flex">
          <Button look="filled" onClick={() => act(target, { name: "extend", label: "Go on" })}>
            Give it more iterations
          </Button>
        </div>
      ) : (
        <>
          <Answer view={view} />
          <details>
            <summary className="w-fit cursor-pointer rounded-sm text-soft hover:text-ink touch:py-2">
              What else wakes it
            </summary>
            <div className="mt-2 flex max-w-[44rem] flex-col gap-2">
              <p className="text-soft">
                A comment or a change of a task, here under Work items or in a terminal; or a change of the spec
                {spec === undefined ? "" : ", "}
                <span className="figure">{spec ?? ""}</span>.
              </p>
              <CommandLine command={`trc comment ${blocked[0]?.id ?? view.soda?.root?.id ?? "ID"} "…"`} />
            </div>
          </details>
        </>
      )}
    </section>
  );
}

const mostGaps = 5;

function Answer({ view }: { view: LoopView }) {
  const [text, setText] = useDraft(`answer.${view.id}`);
  const [busy, setBusy] = useState(false);
  const send = async () => {
    if (text.trim() === "" || busy) return;
    setBusy(true);
    if (await say({ id: view.id, name: view.config.name }, text.trim())) setText("");
    setBusy(false);
  };
  return (
    <form
      className="flex max-w-[52rem] items-end gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <GrowingText
        id={answerId}
        value={text}
        onChange={setText}
        onSend={() => void send()}
        onEscape={() => (document.activeElement as HTMLElement | null)?.blur()}
        aria-label="Your answer"
        placeholder="Your answer; it goes on with this"
        maxLength={100_000}
        className="flex-1 py-1.5"
      />
      <Button type="submit" look="filled" busy={busy} disabled={text.trim() === ""} title="Ctrl+Enter">
        Answer
      </Button>
    </form>
  );
}
