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
import { type Meaning, meaningOf, wordOf } from "../words/state.ts";

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

interface Standing {
  status: LoopStatus;
  /** What it did was done where it came from. */
  elsewhere?: boolean | undefined;
}

/** A loop's state as a glyph; decoration only, the word stands beside it or in a hover. */
export function StateGlyph({ status, elsewhere, className = "size-4" }: Standing & { className?: string }) {
  const Glyph = glyphs[status];
  return (
    <Glyph
      aria-hidden="true"
      className={`shrink-0 ${meaningText[meaningOf(status, elsewhere)]} ${moving[status] ?? ""} ${className}`}
    />
  );
}

/** A loop's state: glyph and word. */
export function StateMark({ status, elsewhere, asked }: Standing & { asked?: "pause" | "stop" | undefined }) {
  return (
    <span className={`inline-flex items-center gap-1.5 font-medium ${meaningText[meaningOf(status, elsewhere)]}`}>
      <StateGlyph status={status} elsewhere={elsewhere} />
      <span className="truncate">{wordOf(status, asked, elsewhere)}</span>
    </span>
  );
}
