import { type LoopView, openIteration, type TaskDetail } from "@ralpher/contract";
import { type ReactNode, useMemo } from "react";
import { TextBlock } from "../log/text-block.tsx";
import type { BlockLook } from "../markdown/blocks.tsx";
import { Markdown } from "../markdown/markdown.tsx";
import { piecesOf } from "./file-pieces.ts";
import { FileStep } from "./file-step.tsx";
import { StepMark, type StepState } from "./step-mark.tsx";
import { EarlierNote, WorkingNote } from "./step-note.tsx";
import { countedSteps, type Working, workingOf } from "./task-model.ts";

const written: BlockLook = { breaks: false, headingLevel: 3 };

/** The task's file as Markdown, its boxes as steps that are worked on before one's eyes. */
export function TaskFile({ view, detail }: { view: LoopView; detail: TaskDetail }) {
  const { text, title, steps: boxes } = detail;
  const doubted = view.task?.look?.doubted;
  const steps = useMemo(() => countedSteps(doubted, boxes), [doubted, boxes]);
  const { frontMatter, pieces } = useMemo(() => piecesOf(text ?? "", steps, title), [text, steps, title]);
  const working = workingOf(view);
  const next = steps.find(({ done, isParent }) => !done && !isParent)?.key ?? null;
  const hasBoxes = pieces.some(({ kind }) => kind === "steps");
  const [whole] = steps;
  const isDoubted = new Set(doubted);
  return (
    <div className="flex max-w-[78ch] flex-col gap-3">
      {frontMatter !== null && frontMatter.trim() !== "" && (
        <details>
          <summary className="w-fit cursor-pointer rounded-sm text-small text-soft hover:text-ink touch:py-2">
            Front matter
          </summary>
          <div className="mt-1.5">
            <TextBlock text={frontMatter} what="the front matter" />
          </div>
        </details>
      )}
      {!hasBoxes && whole !== undefined && (
        <div className="flex gap-2.5">
          <StepMark state={stateOf(whole, working, next)} />
          <div className="min-w-0 flex-1">
            <p className="text-soft">All of it is one step.</p>
            {noteOf(view, whole.key, working)}
          </div>
        </div>
      )}
      {pieces.map((piece) =>
        piece.kind === "text" ? (
          <Markdown key={`text ${piece.line}`} text={piece.text} look={written} />
        ) : (
          <ul key={`steps ${piece.line}`} className="flex flex-col gap-1.5">
            {piece.steps.map((placed) => (
              <FileStep
                key={placed.step.key}
                placed={placed}
                state={stateOf(placed.step, working, next)}
                doubted={isDoubted.has(placed.step.key) && !placed.step.done}
                note={noteOf(view, placed.step.key, working)}
              />
            ))}
          </ul>
        ),
      )}
    </div>
  );
}

function stateOf({ key, done }: TaskDetail["steps"][number], working: Working | null, next: string | null): StepState {
  if (working?.key === key) return "working";
  if (done) return "done";
  return key === next ? "next" : "open";
}

/** What came of a step so far; null for one that nothing came of yet. */
function noteOf(view: LoopView, key: string, working: Working | null): ReactNode {
  const feedback = view.task?.feedback ?? null;
  const isWorking = working?.key === key;
  const isEarlier = feedback?.key === key && (!isWorking || working.report === null);
  if (!isWorking && !isEarlier) return null;
  return (
    <>
      {isWorking && <WorkingNote working={working} since={openIteration(view)?.startedAt ?? null} />}
      {isEarlier && <EarlierNote text={feedback.text} />}
    </>
  );
}
