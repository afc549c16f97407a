import FlaskConical from "lucide-react/icons/flask-conical";
import { Lexer } from "marked";
import { memo, type ReactNode, useMemo } from "react";
import type { BlockLook } from "../markdown/blocks.tsx";
import { Inline } from "../markdown/inline.tsx";
import { Markdown } from "../markdown/markdown.tsx";
import type { PlacedStep } from "./file-pieces.ts";
import { StepMark, type StepState } from "./step-mark.tsx";

/** Deeper than this nothing moves to the right any more. */
const deepest = 6;

const written: BlockLook = { breaks: false, headingLevel: 4 };

interface FileStepProps {
  placed: PlacedStep;
  state: StepState;
  /** Its box is ticked, and it is not done. */
  doubted: boolean;
  /** What came of it so far; null for most. */
  note: ReactNode;
}

/** A file may have hundreds of steps, and every event of the loop draws it again: only those that say something else. */
function sameStep({ placed: a, ...before }: FileStepProps, { placed: b, ...after }: FileStepProps): boolean {
  if (before.note !== null || after.note !== null) return false;
  if (before.state !== after.state || before.doubted !== after.doubted) return false;
  const { step: one } = a;
  const { step: other } = b;
  const isSame = one.depth === other.depth && one.isParent === other.isParent && one.verify === other.verify;
  return isSame && a.words === b.words && a.below === b.below;
}

/** A step of a task's file: its box, its words, what must hold, and what came of it so far. */
export const FileStep = memo(function FileStep({
  placed: { step, words, below },
  state,
  doubted,
  note,
}: FileStepProps) {
  const tokens = useMemo(() => Lexer.lexInline(words, { gfm: true }), [words]);
  return (
    <li
      aria-current={state === "working" ? "step" : undefined}
      data-step={step.key}
      style={{ marginLeft: `${Math.min(step.depth, deepest) * 1.5}rem` }}
      className="flex gap-2.5 [overflow-wrap:anywhere]"
    >
      <StepMark state={state} />
      <div className="min-w-0 flex-1">
        <p className={state === "done" ? "text-soft" : state === "working" || step.isParent ? "font-medium" : ""}>
          <Inline tokens={tokens} />
          {step.verify !== null && !step.isParent && (
            <span
              title={`Done when “${step.verify}” ends with 0`}
              className="figure ml-2 inline-block max-w-full truncate align-bottom font-normal text-soft"
            >
              <span className="sr-only">Checked by: </span>
              <FlaskConical aria-hidden="true" className="mr-1 inline size-3 align-[-1px]" />
              {step.verify}
            </span>
          )}
        </p>
        {doubted && (
          <p className="text-small text-need">Its box is ticked, but it is not checked: it counts as open.</p>
        )}
        {below !== "" && (
          <div className="mt-0.5 text-soft">
            <Markdown text={below} look={written} />
          </div>
        )}
        {note}
      </div>
    </li>
  );
}, sameStep);
