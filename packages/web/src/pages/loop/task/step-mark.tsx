/** How a step stands: done, worked on now, the one that comes next, or further on. */
export type StepState = "done" | "working" | "next" | "open";

const words: Record<StepState, string> = { done: "Done:", working: "Under way:", next: "Next:", open: "To do:" };

const looks: Record<StepState, string> = {
  done: "border-good bg-good-tint text-good",
  working: "border-run",
  next: "border-soft",
  open: "border-edge",
};

/** The box of a step. */
export function StepMark({ state }: { state: StepState }) {
  return (
    <span
      role="img"
      aria-label={words[state]}
      className={`mt-1 flex size-3.5 shrink-0 items-center justify-center rounded-sm border ${looks[state]}`}
    >
      {state === "working" && <span className="size-1.5 animate-breathe rounded-[1px] bg-run" />}
      {state === "done" && (
        <svg aria-hidden="true" viewBox="0 0 10 10" className="size-2.5 fill-none stroke-current" strokeWidth={1.8}>
          <path d="M2 5.2 4.2 7.5 8.2 2.6" />
        </svg>
      )}
    </span>
  );
}
