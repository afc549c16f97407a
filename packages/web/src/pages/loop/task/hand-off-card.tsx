import type { HandOffChoice, LoopView, TaskDetail } from "@ralpher/contract";
import CircleQuestionMark from "lucide-react/icons/circle-question-mark";
import { useRef, useState } from "react";
import { client, read } from "../../../feed/api.ts";
import { Ago } from "../../../parts/ago.tsx";
import { Button } from "../../../parts/button.tsx";
import { FilePath } from "../../../parts/file-path.tsx";
import { tellFailed } from "../../../parts/notices.tsx";
import { answerId } from "../answer.ts";
import type { BlockLook } from "../markdown/blocks.tsx";
import { Markdown } from "../markdown/markdown.tsx";
import { kindWords, type Section, sectionsOf, wordsOf } from "./hand-off-model.ts";

const written: BlockLook = { breaks: false, headingLevel: 4 };

type HandOff = NonNullable<TaskDetail["handOff"]>;

/** What a task asks its human, and the ways to answer. */
export function HandOffCard({ view, handOff, onChosen }: { view: LoopView; handOff: HandOff; onChosen: () => void }) {
  const { kind, path, at, choices, text } = handOff;
  const [sending, setSending] = useState<HandOffChoice | null>(null);
  const card = useRef<HTMLElement>(null);
  const sections = sectionsOf(text ?? "");
  const [first, ...rest] = sections;
  const choose = async (choice: HandOffChoice) => {
    if (sending !== null) return;
    setSending(choice);
    try {
      await read(client.loops[":id"].choose.$post({ param: { id: view.id }, json: { choice } }));
      // The button goes away with the card, and must not take the focus with it.
      card.current?.parentElement?.closest<HTMLElement>("[tabindex]")?.focus({ preventScroll: true });
      onChosen();
    } catch (error) {
      tellFailed(`“${view.config.name}” was not answered`, error);
    } finally {
      setSending(null);
    }
  };
  return (
    <section
      ref={card}
      aria-labelledby="hand-off-title"
      className="flex flex-col gap-3 border-l-2 border-need bg-panel px-4 py-3.5 [overflow-wrap:anywhere]"
    >
      <div className="flex flex-wrap items-center gap-x-3">
        <h2 id="hand-off-title" className="flex items-center gap-2 font-semibold text-need">
          <CircleQuestionMark aria-hidden="true" className="size-4 shrink-0 self-center" />
          {kindWords[kind]}
        </h2>
        <Ago at={at} className="text-small text-soft" />
      </div>
      {text === null ? (
        <p className="text-soft">Its file is gone. The choices are still these.</p>
      ) : (
        first !== undefined && <Markdown text={first.text} look={written} />
      )}
      {rest.length > 0 && (
        <div className="flex flex-col gap-1">
          {rest.map((section) => (
            <Folded key={section.title} section={section} />
          ))}
        </div>
      )}
      <ul aria-label="Choices" className="flex max-w-[52rem] flex-col gap-2 pt-1">
        {choices.map((choice, index) => {
          const { label, does } = wordsOf(choice, kind);
          return (
            <li key={choice} className="grid items-center gap-x-3 gap-y-0.5 @md:grid-cols-[9rem_minmax(0,1fr)]">
              <Button
                {...(index === 0 ? { id: answerId } : {})}
                look={index === 0 ? "filled" : "outlined"}
                busy={sending === choice}
                disabled={sending !== null}
                aria-describedby={`choice-${choice}`}
                className="@max-md:w-full"
                onClick={() => void choose(choice)}
              >
                {label}
              </Button>
              <span id={`choice-${choice}`} className="text-soft">
                {does}
              </span>
            </li>
          );
        })}
      </ul>
      <div className="flex flex-wrap items-baseline gap-x-2 text-small text-soft">
        <span>The same by ticking a box in</span>
        <FilePath path={path} what="the file's path" />
      </div>
    </section>
  );
}

function Folded({ section: { title, text } }: { section: Section }) {
  return (
    <details>
      <summary className="w-fit cursor-pointer rounded-sm text-soft hover:text-ink touch:py-2">{title}</summary>
      <div className="mt-1.5 mb-2">
        <Markdown text={text} look={written} />
      </div>
    </details>
  );
}
