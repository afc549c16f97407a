import type { ItemChange, Learning, SodaIteration } from "@ralpher/contract";
import { Link } from "wouter";
import { Markdown } from "../markdown/markdown.tsx";
import { hrefOf } from "../tabs.ts";
import { Ticked } from "./ticked.tsx";

/** What happened to a work item, with a mark that is read at a glance. */
const changeWords: Record<ItemChange["what"], { mark: string; word: string; look: string }> = {
  created: { mark: "+", word: "Made", look: "text-run" },
  begun: { mark: "◐", word: "Begun", look: "text-run" },
  closed: { mark: "●", word: "Closed", look: "text-good" },
  reopened: { mark: "○", word: "Reopened", look: "text-need" },
  blocked: { mark: "⊘", word: "Blocked", look: "text-bad" },
  unblocked: { mark: "○", word: "Unblocked", look: "text-good" },
  reprioritised: { mark: "↕", word: "Priority", look: "text-soft" },
  commented: { mark: "¶", word: "Comment", look: "text-soft" },
};

const patternWords = { narrow: "in one go", walk: "step by step", bookend: "with questions before and after" };

/** What ORIENT made of the claims, and what was changed in the work items for it. */
export function OrientWords({ id, iteration }: { id: string; iteration: SodaIteration }) {
  const { orientation, changes, refused, plan } = iteration;
  if (orientation === null) return null;
  // What became of the plan's tasks is ACT's.
  const planned = new Set(iteration.tasks.map(({ id: task }) => task));
  const own = changes.filter(({ id: item, what }) => !planned.has(item) || what === "created");
  return (
    <>
      <Markdown text={orientation.summary} />
      <ItemChanges id={id} changes={own} />
      {refused.length > 0 && (
        <ul aria-label="Refused changes" className="flex flex-col gap-1">
          {refused.map(({ what, why }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: never changed
            <li key={index} className="text-soft">
              <span className="font-medium text-need">Refused</span> {what}: {why}
            </li>
          ))}
        </ul>
      )}
      <Learned learnings={orientation.learnings} />
      {plan !== null && (
        <div className="flex flex-col gap-0.5">
          <p>
            <span className="text-soft">Plan: </span>
            <Ticked text={plan.intent} />
          </p>
          {plan.approach !== "" && (
            <p className="text-soft">
              <Ticked text={plan.approach} />
            </p>
          )}
        </div>
      )}
    </>
  );
}

/** How sure ORIENT was, and how it was led there. */
export function OrientAside({ iteration: { orientation, pattern } }: { iteration: SodaIteration }) {
  if (orientation === null) return null;
  const sure = Math.round(orientation.confidence * 100);
  return (
    <>
      <span title={`Confidence ${orientation.confidence}`} className={sure < 50 ? "text-need" : ""}>
        <span className="figure">{sure} %</span> sure
      </span>
      {pattern !== null && `, judged ${patternWords[pattern]}`}
    </>
  );
}

/** Changes of work items, each leading to its item. */
export function ItemChanges({ id, changes }: { id: string; changes: readonly ItemChange[] }) {
  if (changes.length === 0) return null;
  return (
    <ul aria-label="Changes of the work items" className="flex flex-col gap-0.5">
      {changes.map(({ id: item, title, what, note }, index) => {
        const { mark, word, look } = changeWords[what];
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: only ever added to, at the end
          <li key={index} className="flex gap-2">
            <span aria-hidden="true" className={`w-3.5 shrink-0 text-center font-semibold ${look}`}>
              {mark}
            </span>
            <span className="min-w-0">
              <span className="text-soft">{word} </span>
              <Link
                href={hrefOf(id, "work-items", { item })}
                className="underline-offset-2 hover:underline"
                title={item}
              >
                {title}
              </Link>
              {note !== undefined && (
                <span className="text-soft">
                  : <Ticked text={note} />
                </span>
              )}
            </span>
          </li>
        );
      })}
    </ul>
  );
}

function Learned({ learnings }: { learnings: readonly Learning[] }) {
  if (learnings.length === 0) return null;
  return (
    <ul aria-label="Learnings" className="flex flex-col gap-0.5">
      {learnings.map(({ text, action }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: never changed
        <li key={index} className="flex gap-2">
          <span aria-hidden="true" className="w-3.5 shrink-0 text-center text-soft">
            {action === "add" ? "✎" : "−"}
          </span>
          <span className="min-w-0">
            <span className="text-soft">{action === "add" ? "Learned: " : "No longer so: "}</span>
            <span className={action === "add" ? "" : "text-soft line-through"}>
              <Ticked text={text} />
            </span>
          </span>
        </li>
      ))}
    </ul>
  );
}
