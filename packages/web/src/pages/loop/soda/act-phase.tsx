import type { SodaIteration, SodaTaskReport } from "@ralpher/contract";
import type { LucideIcon } from "lucide-react";
import CircleCheck from "lucide-react/icons/circle-check";
import CircleDashed from "lucide-react/icons/circle-dashed";
import CircleDot from "lucide-react/icons/circle-dot";
import CircleSlash from "lucide-react/icons/circle-slash";
import GitCommitHorizontal from "lucide-react/icons/git-commit-horizontal";
import { Link } from "wouter";
import { CopyButton } from "../../../parts/copy-button.tsx";
import { meaningText } from "../../../parts/state-mark.tsx";
import { plural } from "../../../words/count.ts";
import { firstLine } from "../../../words/cut.ts";
import type { Meaning } from "../../../words/state.ts";
import { Markdown } from "../markdown/markdown.tsx";
import { hrefOf } from "../tabs.ts";
import { type TaskState, taskStatesOf } from "./phase-model.ts";
import { regressionWords } from "./test-result.ts";
import { TestLine } from "./test-words.tsx";
import { Ticked } from "./ticked.tsx";

const states: Record<TaskState, { glyph: LucideIcon; word: string; meaning: Meaning; alive?: boolean }> = {
  waits: { glyph: CircleDashed, word: "waits its turn", meaning: "quiet" },
  works: { glyph: CircleDot, word: "is being worked on", meaning: "running", alive: true },
  tests: { glyph: CircleDot, word: "tests are being run", meaning: "running", alive: true },
  saves: { glyph: CircleDot, word: "is being saved", meaning: "running", alive: true },
  completed: { glyph: CircleCheck, word: "completed", meaning: "good" },
  blocked: { glyph: CircleSlash, word: "blocked", meaning: "bad" },
  partial: { glyph: CircleDot, word: "partly done", meaning: "needs-you" },
  left: { glyph: CircleDashed, word: "was not come to", meaning: "quiet" },
};

/** What was done: the branch, the tests before, each task, and how it came back. */
export function ActWords({
  id,
  iteration,
  live,
  workingOn,
}: {
  id: string;
  iteration: SodaIteration;
  live: boolean;
  /** The task an executor works on now. */
  workingOn: string | null;
}) {
  const { branch, baseline, tasks, merged, error } = iteration;
  const standing = taskStatesOf(iteration, live, workingOn);
  return (
    <>
      {branch !== null && (
        <p className="flex min-w-0 items-center text-soft">
          On <span className="figure ml-1.5 truncate text-ink">{branch}</span>
          <CopyButton text={branch} what="the branch's name" className="-my-1 ml-0.5" />
        </p>
      )}
      {baseline !== null && <TestLine name="Tests before" result={baseline} />}
      <ul aria-label="Tasks" className="flex flex-col">
        {tasks.map((task, index) => (
          <Task key={task.id} id={id} task={task} state={standing[index] ?? "waits"} />
        ))}
      </ul>
      {merged !== null &&
        ("head" in merged && tasks.every(({ commits }) => commits.length === 0) ? (
          <p className="text-soft">Nothing was committed, so there was nothing to merge.</p>
        ) : "head" in merged ? (
          <p className="text-soft">
            Merged into the milestone as <span className="figure text-ink">{merged.head.slice(0, 8)}</span>
          </p>
        ) : (
          <p className="text-bad">
            Not merged: it conflicts in {merged.conflict.join(", ")}. The branch is kept, and a work item tells of it.
          </p>
        ))}
      {error !== null && <p className="text-bad">{error}</p>}
    </>
  );
}

function Task({ id, task, state }: { id: string; task: SodaTaskReport; state: TaskState }) {
  const { glyph: Glyph, word, meaning, alive = false } = states[state];
  const { report, rounds, test, regression, setAside, reason, commits } = task;
  const worse = regressionWords(regression);
  return (
    <li className="grid grid-cols-[1rem_minmax(0,1fr)] gap-x-2 border-t border-line py-2 last:pb-0">
      <span className="flex h-[1.375rem] items-center">
        <Glyph aria-hidden="true" className={`size-3.5 ${meaningText[meaning]} ${alive ? "animate-breathe" : ""}`} />
      </span>
      <div className="flex min-w-0 flex-col gap-1.5">
        <p className="flex flex-wrap items-baseline gap-x-3">
          <Link
            href={hrefOf(id, "work-items", { item: task.id })}
            title={task.id}
            className="font-medium underline-offset-2 hover:underline"
          >
            {task.title}
          </Link>
          <span className={`text-small ${meaningText[meaning]}`}>{word}</span>
          {rounds > 1 && <span className="text-small text-soft">in {rounds} rounds</span>}
        </p>
        {reason !== null && (
          <p className="text-bad">
            <Ticked text={reason} />
          </p>
        )}
        {report !== null && (
          <div className="text-soft">
            <Markdown text={report.summary} />
          </div>
        )}
        {report?.blocked_reason !== undefined && report.blocked_reason !== reason && (
          <p className="text-bad">{report.blocked_reason}</p>
        )}
        {test !== null && <TestLine name="Tests" result={test} />}
        {worse !== null && (
          <div className="text-bad">
            <p>{worse}</p>
            {regression !== null && regression.tests.length > 0 && (
              <ul className="list-disc pl-4">
                {regression.tests.map((name) => (
                  <li key={name}>{name}</li>
                ))}
              </ul>
            )}
          </div>
        )}
        {commits.map(({ sha, message, filesChanged }) => (
          <p key={sha} className="flex min-w-0 items-baseline gap-2">
            <GitCommitHorizontal aria-hidden="true" className="size-3.5 shrink-0 self-center text-good" />
            <Link
              href={hrefOf(id, "changes", { commit: sha })}
              className="figure shrink-0 text-run underline-offset-2 hover:underline"
            >
              {sha.slice(0, 8)}
            </Link>
            <span className="min-w-0 truncate" title={message}>
              {firstLine(message)}
            </span>
            <span className="shrink-0 text-small text-soft">{plural(filesChanged, "file")}</span>
          </p>
        ))}
        {setAside !== null && (
          <p className="flex flex-wrap items-center text-soft">
            Its changes were set aside as <span className="figure ml-1.5 text-ink">{setAside}</span>
            <CopyButton text={`git show ${setAside}`} what="the command that shows them" className="-my-1 ml-0.5" />
          </p>
        )}
        {report !== null && report.new_subtasks.length > 0 && (
          <p className="text-soft">More to do: {report.new_subtasks.map(({ title }) => title).join("; ")}</p>
        )}
        {report !== null && report.learnings.length > 0 && (
          <p className="text-soft">
            Learned: <Ticked text={report.learnings.join(" · ")} />
          </p>
        )}
      </div>
    </li>
  );
}
