import { type LoopView, type SodaIteration, type SodaReport, shortId } from "@ralpher/contract";
import { oneLine } from "../../one-line.ts";
import type { Ending } from "../../stop-conditions.ts";

/** What is said of a run that ended, for people who were away (L-END-1, L-END-2, L-LIM-2). Markdown. */
export function summaryText(view: LoopView, { spec, root, iterations }: SodaReport, ending: Ending, now: Date): string {
  const judged = iterations.findLast(({ orientation }) => orientation !== null);
  const { workspace, config } = view;
  const branch = workspace !== null && workspace.kind !== "plain" ? workspace.workingBranch : null;
  const parts = [
    `# ${oneLine(config.name)}: ${headlines[ending.as] ?? ending.as}`,
    [
      `- Ended: ${now.toISOString()}, after ${view.iteration} ${view.iteration === 1 ? "iteration" : "iterations"}`,
      `- Why: ${oneLine(ending.reason)}`,
      `- Spec: ${spec?.path ?? "unknown"}`,
      ...(branch === null ? [] : [`- Branch: ${branch}${view.head === null ? "" : ` at ${view.head.slice(0, 12)}`}`]),
      ...(root === null ? [] : [`- Work items: trc tree ${root.id}`]),
      `- Run: ${shortId(view.id)}`,
    ].join("\n"),
    ...(ending.as === "completed" ? [] : [stuckPart(judged, ending)]),
    criteriaPart(judged),
    tasksPart(iterations),
    iterationsPart(iterations),
    nextPart(view, ending, branch),
  ];
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

const headlines: Partial<Record<Ending["as"], string>> = {
  completed: "done",
  stuck: "stuck, a human is needed",
  stopped: "stopped",
  failed: "failed",
};

function stuckPart(judged: SodaIteration | undefined, { reason }: Ending): string {
  const gaps = judged?.orientation?.gaps ?? [];
  const work = judged?.claims?.work_state;
  const blocked = work !== undefined && work !== null && !("error" in work) ? work.blocked : [];
  return [
    "## What stands in the way",
    oneLine(reason),
    ...gaps.map(({ severity, description }) => `- ${severity}: ${oneLine(description)}`),
    ...blocked.map(({ id, title, reason: why }) => `- ${id} "${oneLine(title)}" is blocked: ${oneLine(why)}`),
  ].join("\n");
}

const mark = (satisfied: boolean | "unverifiable") =>
  satisfied === true ? "[x]" : satisfied === false ? "[ ]" : "[?]";

function criteriaPart(judged: SodaIteration | undefined): string {
  const criteria = judged?.orientation?.criteria ?? [];
  if (judged === undefined || criteria.length === 0) return "";
  return [
    `## Acceptance criteria, as verified in iteration ${judged.iteration}`,
    ...criteria.map(({ criterion, satisfied, note, evidence }) => {
      const [first] = evidence;
      const where = [
        first?.file && `${first.file}${first.line === undefined ? "" : `:${first.line}`}`,
        first?.test,
      ].filter(Boolean);
      const why = [...where, note].filter(Boolean).join("; ");
      return `- ${mark(satisfied)} ${oneLine(criterion)}${why === "" ? "" : ` (${oneLine(why)})`}`;
    }),
  ].join("\n");
}

function tasksPart(iterations: SodaIteration[]): string {
  const last = new Map(iterations.flatMap(({ tasks }) => tasks.map((task) => [task.id, task] as const)));
  const done = [...last.values()].filter(({ outcome }) => outcome !== null);
  if (done.length === 0) return "";
  return [
    "## Tasks",
    ...done.map(
      ({ id, title, outcome, reason }) =>
        `- ${outcome}: ${id} ${oneLine(title)}${reason === null ? "" : `: ${oneLine(reason)}`}`,
    ),
  ].join("\n");
}

function iterationsPart(iterations: SodaIteration[]): string {
  if (iterations.length === 0) return "";
  return [
    "## Iterations",
    ...iterations.map(({ iteration, plan, decision, error }) => {
      const what = plan?.intent ?? decision?.outcome ?? error ?? "ended early";
      return `- ${iteration}: ${oneLine(what)}${plan !== null && decision !== null ? ` (${decision.outcome})` : ""}`;
    }),
  ].join("\n");
}

function nextPart(view: LoopView, { as }: Ending, branch: string | null): string {
  const id = shortId(view.id);
  if (as === "completed" && branch !== null) {
    return `## Next\nLook at it: git log ${branch}. Then make a pull request with "soda pr --run ${id}", or merge it.`;
  }
  if (as === "stuck" && view.config.maxIterations !== undefined && view.iteration >= view.config.maxIterations) {
    return `## Next\nAll iterations were used. Go on with more: soda resume ${id} --max-iterations N`;
  }
  if (as === "stuck") {
    return `## Next\nAnswer with soda answer "…" --run ${id}, comment on a task (trc comment ID "…"), or change the spec. The run goes on by itself while "soda run" or "ralpher serve" is running, else with soda resume ${id}.`;
  }
  return `## Next\nGo on: soda resume ${id}`;
}
