import type { StepCheck } from "@ralpher/contract";
import Check from "lucide-react/icons/check";
import X from "lucide-react/icons/x";
import { TextBlock } from "../log/text-block.tsx";

/** A step's check: the command, how it ended, and folded away what it printed. */
export function CheckLine({ check: { command, passed, outcome, output } }: { check: StepCheck }) {
  const Glyph = passed ? Check : X;
  const line = (
    <>
      <Glyph
        aria-hidden="true"
        className={`mr-1.5 inline size-3.5 align-[-2px] ${passed ? "text-good" : "text-bad"}`}
      />
      <code className="figure">{command}</code>
      <span className={passed ? "text-soft" : "text-bad"}> {passed ? "passed" : outcome}</span>
    </>
  );
  if (output.trim() === "") return <p>{line}</p>;
  return (
    <details>
      <summary className="w-fit max-w-full cursor-pointer rounded-sm touch:py-2">{line}</summary>
      <div className="mt-1.5">
        <TextBlock text={output.trimEnd()} what="what it printed" />
      </div>
    </details>
  );
}
