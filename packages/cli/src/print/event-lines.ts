import type { LoopView, StoredEvent } from "@ralpher/contract";
import { sodaLines } from "./soda-lines.ts";
import { attention, bad, bold, dim, good } from "./style.ts";
import { taskLines } from "./task-lines.ts";
import { toolLine } from "./tool-line.ts";
import { duration, moment, plural, printable, short } from "./words.ts";

/** An event as lines of a terminal; none when a person need not see it. `view` is the loop after the event. */
export function eventLines(event: StoredEvent, view: LoopView): string[] {
  return linesOfStrategy(event, view) ?? linesOf(event, view);
}

function linesOfStrategy(event: StoredEvent, view: LoopView): string[] | null {
  if (view.soda !== null) return sodaLines(event, view);
  return view.task === null ? null : taskLines(event, view);
}

function linesOf(event: StoredEvent, view: LoopView): string[] {
  switch (event.type) {
    case "loop.workspace.ready":
      return event.workspace.kind === "plain"
        ? [dim(`Working in ${event.workspace.directory}, without git`)]
        : [dim(`Working on branch ${event.workspace.workingBranch} in ${event.workspace.directory}`)];
    case "loop.iteration.start": {
      const of = view.config.maxIterations === undefined ? "" : ` of at most ${view.config.maxIterations}`;
      return ["", bold(`Iteration ${event.iteration}${of}`)];
    }
    case "loop.turn.start":
      return event.attempt > 1 ? [dim(`  once more, attempt ${event.attempt}`)] : [];
    case "loop.message":
      return event.message.kind === "text" && event.message.content.trim() !== ""
        ? printable(event.message.content)
            .trim()
            .split("\n")
            .map((line) => `  ${line}`)
        : [];
    case "loop.tool_call":
      return [toolLine(event.tool, view.workspace?.directory ?? view.config.directory)];
    case "loop.notice":
      return [attention(`  ! ${printable(event.text)}`)];
    case "loop.git.commit": {
      const { sha, message, filesChanged } = event.commit;
      return [`${good(`  ✓ ${sha.slice(0, 8)}`)} ${short(message, 80)} ${dim(`(${plural(filesChanged, "file")})`)}`];
    }
    case "loop.error":
      return [bad(`  ✗ ${printable(event.error)}`)];
    case "loop.interrupted":
      return [attention(`  ‖ interrupted: ${printable(event.reason)}`)];
    case "loop.iteration.end": {
      const done = view.recent.at(-1);
      const took = done === undefined ? 0 : Date.parse(done.completedAt) - Date.parse(done.startedAt);
      return [dim(`  ${event.outcome} after ${duration(took)}`)];
    }
    case "loop.waiting":
      return [attention(`  waiting until ${moment(event.until)}: ${printable(event.reason)}`)];
    case "loop.pause.requested":
      return event.now ? [] : [dim("  will pause when this iteration ends")];
    case "loop.said":
      return [bold(`  › ${printable(event.text).trim().replaceAll("\n", "\n    ")}`)];
    case "loop.imported":
      return [dim(`It came from elsewhere, where it was ${event.state.status.replace("_", " ")}.`)];
    case "loop.branch.updated":
      return [dim(`The branch has all of its target now, by ${event.method}: ${event.head.slice(0, 8)}`)];
    case "loop.target.changed":
      return [dim(`It merges into ${printable(event.branch)} from now on`)];
    case "loop.restored":
      return [dim(`The branch is back at ${event.head.slice(0, 8)}`)];
    case "loop.pushed":
      return [dim(`${event.branch} was pushed to ${printable(event.remote)}`)];
    case "loop.pull_request":
      return [dim(`Pull request: ${printable(event.url)}`)];
    case "loop.stash.restored":
      return [dim(printable(event.note))];
    default:
      return [];
  }
}
