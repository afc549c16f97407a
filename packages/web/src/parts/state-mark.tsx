import type { LoopStatus } from "@ralpher/contract";
import type { LucideIcon } from "lucide-react";
import Circle from "lucide-react/icons/circle";
import CircleCheck from "lucide-react/icons/circle-check";
import CircleDashed from "lucide-react/icons/circle-dashed";
import CircleDot from "lucide-react/icons/circle-dot";
import CirclePause from "lucide-react/icons/circle-pause";
import CircleQuestionMark from "lucide-react/icons/circle-question-mark";
import CircleSlash from "lucide-react/icons/circle-slash";
import CircleStop from "lucide-react/icons/circle-stop";
import CircleX from "lucide-react/icons/circle-x";
import Clock from "lucide-react/icons/clock";
import Flag from "lucide-react/icons/flag";
import GitMerge from "lucide-react/icons/git-merge";
import { type Meaning, meaningOf, type Standing, wordOf } from "../words/state.ts";

const glyphs: Record<LoopStatus, LucideIcon> = {
  idle: Circle,
  starting: CircleDashed,
  running: CircleDot,
  waiting: Clock,
  paused: CirclePause,
  completed: CircleCheck,
  stopped: CircleStop,
  failed: CircleX,
  max_iterations: Flag,
  stuck: CircleQuestionMark,
  accepted: GitMerge,
  discarded: CircleSlash,
};

export const meaningText: Record<Meaning, string> = {
  running: "text-run",
  "needs-you": "text-need",
  good: "text-good",
  bad: "text-bad",
  quiet: "text-soft",
};

const moving: Partial<Record<LoopStatus, string>> = { running: "animate-breathe", starting: "animate-turn" };

/** A loop's state as a glyph; decoration only, the word stands beside it or in a hover. */
export function StateGlyph({ className = "size-4", ...standing }: Standing & { className?: string }) {
  const { status } = standing;
  const Glyph = glyphs[status];
  return (
    <Glyph
      aria-hidden="true"
      className={`shrink-0 ${meaningText[meaningOf(standing)]} ${moving[status] ?? ""} ${className}`}
    />
  );
}

/** A loop's state: glyph and word. */
export function StateMark(standing: Standing) {
  return (
    <span className={`inline-flex items-center gap-1.5 font-medium ${meaningText[meaningOf(standing)]}`}>
      <StateGlyph {...standing} />
      <span className="truncate">{wordOf(standing)}</span>
    </span>
  );
}
