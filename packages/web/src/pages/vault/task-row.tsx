import type { LoopStatus, VaultTask } from "@ralpher/contract";
import FileText from "lucide-react/icons/file-text";
import Play from "lucide-react/icons/play";
import { Link } from "wouter";
import { useStore } from "../../feed/store.ts";
import { Ago } from "../../parts/ago.tsx";
import { buttonLook } from "../../parts/button.tsx";
import { StateMark } from "../../parts/state-mark.tsx";
import { loopsFeed } from "../../shell/feeds.ts";
import { plural } from "../../words/count.ts";
import { cutPath } from "../../words/cut.ts";
import { type Standing, standingOf } from "../../words/state.ts";

/** A task of a vault: what it is, how far it is, and the loop that has it. */
export function TaskRow({
  root,
  task,
  canStart,
  isRejected = false,
}: {
  root: string;
  task: VaultTask;
  canStart: boolean;
  isRejected?: boolean;
}) {
  const { path, title, steps, loop, modifiedAt, problem } = task;
  const summary = useStore(loopsFeed.state, ({ loops }) => (loop === null ? undefined : loops.get(loop.id)));
  const standing: Standing | null =
    summary !== undefined ? standingOf(summary) : loop === null ? null : standingOfTask(loop.status, isRejected);
  return (
    <li className="relative grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-0.5 border-b border-line px-3 py-2 last:border-b-0 hover:bg-panel">
      <div className="flex min-w-0 flex-wrap items-baseline gap-x-3">
        {loop === null ? (
          <span className="min-w-0 truncate font-medium">{title}</span>
        ) : (
          <Link
            href={`/${loop.id}`}
            className="min-w-0 truncate font-medium outline-none after:absolute after:inset-0 focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-run"
          >
            {title}
          </Link>
        )}
        <span className="figure min-w-0 truncate text-soft" title={path}>
          {cutPath(path, 48)}
        </span>
      </div>
      <div className="row-span-2 flex items-center justify-end">
        {loop === null && problem === null && canStart && (
          <Link
            href={`/new?${new URLSearchParams({ vault: root, file: path })}`}
            aria-label={`Start ${title}`}
            className={buttonLook("outlined")}
          >
            <Play aria-hidden="true" />
            Start
          </Link>
        )}
      </div>
      <div className="flex min-w-0 flex-wrap items-center gap-x-4 gap-y-0.5 text-small text-soft">
        {standing !== null && <StateMark {...standing} />}
        {steps !== null && steps.all > 0 && <StepsBar {...steps} />}
        {problem !== null && (
          <span className="text-need [overflow-wrap:anywhere]">It cannot be worked on: {problem}</span>
        )}
        <Ago at={modifiedAt} />
      </div>
    </li>
  );
}

const standingOfTask = (status: LoopStatus, isRejected: boolean): Standing => ({
  status,
  strategy: "task",
  calledOff: isRejected && status === "stopped",
});

function StepsBar({ done, all }: { done: number; all: number }) {
  return (
    <span className="inline-flex items-center gap-2" title={`${done} of ${plural(all, "step")} done`}>
      <span aria-hidden="true" className="h-1 w-16 overflow-hidden rounded-full bg-line">
        <span className="block h-full bg-good" style={{ width: `${(done / all) * 100}%` }} />
      </span>
      <span className="figure">
        {done}/{all}
      </span>
      <span className="sr-only">steps done</span>
    </span>
  );
}

/** A hand-off that waits: it leads to the loop that asks. */
export function HandOffRow({
  path,
  at,
  loop,
}: {
  path: string;
  at: string;
  loop: { id: string; title: string } | null;
}) {
  return (
    <li className="relative flex flex-wrap items-baseline gap-x-3 gap-y-0.5 border-b border-line px-3 py-2 last:border-b-0 hover:bg-panel">
      <FileText aria-hidden="true" className="size-4 shrink-0 self-center text-need" />
      {loop === null ? (
        <span className="figure min-w-0 truncate">{path}</span>
      ) : (
        <>
          <Link
            href={`/${loop.id}#answer`}
            className="min-w-0 truncate font-medium outline-none after:absolute after:inset-0 focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-run"
          >
            {loop.title}
          </Link>
          <span className="figure min-w-0 truncate text-soft" title={path}>
            {cutPath(path, 56)}
          </span>
        </>
      )}
      <Ago at={at} className="ml-auto text-small text-soft" />
    </li>
  );
}
