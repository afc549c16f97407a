import type { FileDiff, LoopView } from "@ralpher/contract";
import ChevronRight from "lucide-react/icons/chevron-right";
import { Bone, Delayed } from "../../../parts/delayed.tsx";
import { Problem } from "../../../parts/problem.tsx";
import { hunksOf } from "../diff/hunks.ts";
import { PatchLines } from "../diff/patch-lines.tsx";
import type { BlockLook } from "../markdown/blocks.tsx";
import { Markdown } from "../markdown/markdown.tsx";
import { useNotes } from "./use-notes.ts";

const written: BlockLook = { breaks: false, headingLevel: 2 };

const words = {
  plan: {
    title: "Plan",
    path: ".planning/plan.md",
    empty: "There is no plan yet. The agent writes one to .planning/plan.md in its first iteration.",
  },
  status: {
    title: "Status",
    path: ".planning/status.md",
    empty: "There is no status yet. The agent notes in .planning/status.md what is done and what is next.",
  },
};

/** The loop's plan or status, as the agent keeps it, and what the last iteration changed in it. */
export function NotesTab({ view, file, active }: { view: LoopView; file: "plan" | "status"; active: boolean }) {
  const { title, path, empty } = words[file];
  const { content, change, refusal, retry } = useNotes(view, file, path, active);
  return (
    <section
      aria-label={title}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
      className="absolute inset-0 overflow-y-auto px-4 py-5 -outline-offset-2 lg:px-6"
    >
      {refusal !== null && content === undefined ? (
        <Problem title={`The ${file} did not load`} refusal={refusal} onRetry={retry} />
      ) : content === undefined ? (
        <Delayed>
          <div role="status" aria-label={`Loading the ${file}`} className="flex flex-col gap-3">
            <Bone className="w-72 max-w-full !h-5" />
            <Bone className="w-96 max-w-full" />
            <Bone className="w-80 max-w-full" />
          </div>
        </Delayed>
      ) : content === null || content.trim() === "" ? (
        <p className="text-soft">{empty}</p>
      ) : (
        <div className="flex flex-col gap-5">
          {change !== null && <LastChange iteration={change.iteration} file={change.file} />}
          <Markdown text={content} look={written} />
          <p className="figure text-soft">{path}</p>
        </div>
      )}
    </section>
  );
}

function LastChange({ iteration, file }: { iteration: number; file: FileDiff }) {
  const { additions, deletions } = file;
  return (
    <details className="group/change max-w-[80rem]">
      <summary className="flex w-fit cursor-pointer list-none items-center gap-1.5 rounded-sm text-small text-soft hover:text-ink touch:py-2 [&::-webkit-details-marker]:hidden">
        <ChevronRight
          aria-hidden="true"
          className="size-3.5 transition-transform duration-100 group-open/change:rotate-90"
        />
        {file.status === "added" ? "Written in" : "Changed in"} iteration {iteration}
        {additions > 0 && <span className="figure text-good">+{additions}</span>}
        {deletions > 0 && <span className="figure text-bad">−{deletions}</span>}
      </summary>
      <div
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        tabIndex={0}
        className="mt-2 max-h-[50dvh] overflow-auto rounded-md bg-panel py-1"
      >
        <PatchLines lines={hunksOf(file).flatMap(({ lines }) => lines)} />
      </div>
    </details>
  );
}
