import type { WorkItem } from "@ralpher/contract";
import { meaningText } from "../../parts/state-mark.tsx";
import type { Meaning } from "../../words/state.ts";

type Status = WorkItem["status"];

/** The same marks as in `trc`, so that both are read alike. */
const marks: Record<Status, string> = { open: "○", in_progress: "◐", closed: "●", blocked: "⊘" };
const meanings: Record<Status, Meaning> = { open: "quiet", in_progress: "running", closed: "good", blocked: "bad" };

export const statusWords: Record<Status, string> = {
  open: "Open",
  in_progress: "In progress",
  closed: "Closed",
  blocked: "Blocked",
};

/** An item's state as a mark; decoration, the word is read aloud and shown on hover. */
export function ItemMark({ status, className = "" }: { status: Status; className?: string }) {
  return (
    <span
      role="img"
      aria-label={statusWords[status]}
      title={statusWords[status]}
      className={`inline-block w-4 shrink-0 text-center leading-5 ${meaningText[meanings[status]]} ${status === "in_progress" ? "animate-breathe" : ""} ${className}`}
    >
      {marks[status]}
    </span>
  );
}

const priorityWords = ["critical", "high", "usual", "low", "some day"];

/** 0 is critical, 4 is some day. */
export function priorityTitle(priority: number): string {
  return `Priority ${priority}: ${priorityWords[priority] ?? "unknown"}`;
}

/** An item's priority; the urgent ones are darker. */
export function PriorityMark({ priority }: { priority: number }) {
  const look = priority === 0 ? "font-semibold text-need" : priority === 1 ? "font-semibold text-ink" : "text-soft";
  return (
    <span title={priorityTitle(priority)} className={`figure shrink-0 ${look}`}>
      P{priority}
    </span>
  );
}
