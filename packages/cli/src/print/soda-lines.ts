import type {
  Decision,
  ItemChange,
  LoopEvent,
  LoopView,
  RefusedChange,
  SodaTask,
  StoredEvent,
} from "@ralpher/contract";
import { claimPieces, humanSubject, unreadSources } from "./soda-claims.ts";
import { countWords, criteriaLines, gapLines, regressionLines, testWords } from "./soda-criteria.ts";
import { accent, attention, bad, bold, dim, good } from "./style.ts";
import { cut, duration, printable, short, usage } from "./words.ts";
import { listed, screenWidth, wrapped } from "./wrapped.ts";

type Of<T extends StoredEvent["type"]> = Extract<StoredEvent, { type: T }>;

/** The phases stand at the left edge, what happens in them below and indented. */
const phase = (word: string) => bold(word.padEnd(8));
/** Of what humans say, and of summaries, a few lines. */
const longest = 400;

/**
 * What happens in a SODA loop, as lines of a terminal, phase by phase; null for events that are told as those of any
 * loop. `view` is the loop after the event.
 */
export function sodaLines(event: StoredEvent, view: LoopView): string[] | null {
  switch (event.type) {
    case "loop.spec":
      return view.iteration === 0
        ? [`${dim("Spec")}       ${cut(event.spec.title, 120)} ${dim(printable(event.spec.path))}`]
        : [attention("The spec was changed; it is obeyed from now on.")];
    case "loop.milestone":
      return [`${dim("Milestone")}  ${event.root.id} ${cut(event.root.title, 120)}`];
    case "loop.sensed":
      return sensed(event);
    case "loop.turn.start":
      return turnStart(event, view);
    case "loop.message":
      return message(event);
    case "loop.oriented":
      return oriented(event);
    case "loop.planned":
      return [...event.changes.flatMap(changeLines), ...event.refused.flatMap(refusedLines)];
    case "loop.decided":
      return decided(event.decision, view);
    case "loop.branch.started":
      return ["", `${phase("ACT")}on ${printable(event.branch)}`];
    case "loop.tested":
      return tested(event);
    case "loop.set_aside":
      return wrapped(`set aside as ${event.ref}`, { first: `  ${attention("!")} ` });
    case "loop.task.end":
      return taskEnd(event, view);
    case "loop.branch.merged":
      return merged(event, view);
    case "loop.iteration.end":
      return iterationEnd(event, view);
    case "loop.pause.requested":
      return event.now ? null : [attention("  will pause after the step it is in")];
    case "loop.woken":
      return ["", ...wrapped(`woken: ${event.note}`, { first: `${accent("›")} `, paint: accent })];
    case "loop.summarised":
      return ["", `${dim("Summary")}    ${printable(event.path)}`];
    default:
      return null;
  }
}

function sensed({ claims }: Of<"loop.sensed">): string[] {
  const human = claims.human_input !== null && "items" in claims.human_input ? claims.human_input.items : [];
  return [
    ...listed(claimPieces(claims), { first: phase("SENSE") }),
    ...human.flatMap((input) =>
      wrapped(cut(input.content, longest), { first: `  ${accent("›")} ${humanSubject(input)}: ` }),
    ),
    ...unreadSources(claims).flatMap(([name, why]) => wrapped(`${name}: ${why}`, { first: `  ${bad("✗")} ` })),
  ];
}

function turnStart({ role, attempt, taskId }: Of<"loop.turn.start">, view: LoopView): string[] {
  const again = attempt > 1 ? dim(` once more, attempt ${attempt}`) : "";
  if (role === "orient") return ["", `${phase("ORIENT")}the claims are verified${again}`];
  const task = view.soda?.open?.tasks.find(({ id }) => id === taskId);
  const round = task !== undefined && task.rounds > 0 ? attention(` round ${task.rounds + 1}, to mend`) : "";
  const title = cut(task?.title ?? "", screenWidth() - 20);
  return ["", `  ${accent("▶")} ${taskId ?? ""} ${bold(title)}${round}${again}`];
}

/** The answers in JSON are shown as what they mean. */
function message({ message: { kind, content } }: Of<"loop.message">): string[] {
  const text = content.trim();
  if (kind !== "text" || text === "" || text.startsWith("{") || text.startsWith("```json")) return [];
  return [`  ${dim(short(text, screenWidth() - 2))}`];
}

function oriented({ orientation }: Of<"loop.oriented">): string[] {
  const { summary, criteria, gaps, confidence } = orientation;
  const satisfied = criteria.filter((verdict) => verdict.satisfied === true).length;
  return [
    ...wrapped(cut(summary, longest), { first: "  " }),
    ...criteriaLines(criteria),
    `  ${countWords(satisfied, criteria.length)}${dim(`, confidence ${confidence.toFixed(2)}`)}`,
    ...gapLines(gaps),
  ];
}

const changeMarks: Record<ItemChange["what"], string> = {
  created: "+",
  begun: "▶",
  closed: "●",
  reopened: "○",
  blocked: "⊘",
  unblocked: "○",
  reprioritised: "↕",
  commented: "›",
};

function changeLines({ id, title, what, note }: ItemChange): string[] {
  const why = note === undefined ? "" : `: ${cut(note, 160)}`;
  return wrapped(`${id} ${cut(title, 120)}${what === "created" ? "" : ` ${what}`}${why}`, {
    first: `  ${accent(changeMarks[what])} `,
  });
}

function refusedLines({ what, why }: RefusedChange): string[] {
  return wrapped(`refused: ${what}, for ${why}`, { first: `  ${attention("✗")} `, paint: dim });
}

const decisionPaint = { DONE: good, STUCK: attention, CONTINUE: accent };

function decided(decision: Decision, view: LoopView): string[] {
  const { outcome } = decision;
  const head = `${phase("DECIDE")}${decisionPaint[outcome](outcome)}`;
  if (outcome !== "CONTINUE") {
    const words = decision.outcome === "DONE" ? decision.summary : decision.reason;
    return ["", head, ...wrapped(cut(words, longest), { first: "  " })];
  }
  const { plan = null, tasks = [] } = view.soda?.open ?? {};
  return [
    "",
    head,
    ...(plan === null ? [] : wrapped(plan.intent, { first: `  ${dim("plan")} ` })),
    ...(plan === null || plan.approach === ""
      ? []
      : wrapped(cut(plan.approach, longest), { first: "       ", paint: dim })),
    ...tasks.map(({ id, title }, at) => `  ${at + 1}. ${id} ${cut(title, screenWidth() - 20)}`),
  ];
}

function tested({ taskId, result, regression }: Of<"loop.tested">): string[] {
  if (taskId === null) {
    const failing = result.kind === "ran" ? (result.failing ?? []) : [];
    return [
      `  ${dim("tests before any work:")} ${testWords(result)}`,
      ...(failing.length === 0 ? [] : wrapped(`failing before: ${failing.join(", ")}`, { first: "    ", paint: dim })),
    ];
  }
  const worse = regression === undefined ? [] : regressionLines(regression, "    ");
  const verdict = result.kind === "none" ? "" : worse.length === 0 ? `; ${good("nothing got worse")}` : "";
  return [`  ${dim("tests:")} ${testWords(result)}${verdict}`, ...worse];
}

const outcomeMarks = { completed: good("✓"), partial: attention("◐"), blocked: attention("⊘") };

function taskEnd({ taskId, outcome, reason, changes, learnings }: Of<"loop.task.end">, view: LoopView): string[] {
  const task: SodaTask | undefined = view.soda?.open?.tasks.find(({ id }) => id === taskId);
  const words = reason ?? task?.report?.summary ?? "";
  return [
    ...wrapped(`${outcome}: ${cut(words, longest)}`, {
      first: `  ${outcomeMarks[outcome]} `,
      ...(outcome === "completed" ? {} : { paint: attention }),
    }),
    ...changes.filter(({ what }) => what === "created").flatMap(changeLines),
    ...learnings.flatMap((text) => wrapped(`learned: ${cut(text, 200)}`, { first: "  ", paint: dim })),
  ];
}

function merged({ branch, head, conflict = [], changes }: Of<"loop.branch.merged">, view: LoopView): string[] {
  const { workspace } = view;
  const target = workspace !== null && "workingBranch" in workspace ? workspace.workingBranch : "the milestone branch";
  // Where the branch was when it was last saved is where it began.
  const hasWork = view.soda?.open?.branch?.head !== head;
  if (head !== null && !hasWork) return ["", dim(`  nothing to merge: no commit was made on ${printable(branch)}`)];
  if (head !== null) return ["", `  ${good(`merged into ${printable(target)}`)} ${dim(head.slice(0, 8))}`];
  return [
    "",
    ...wrapped(`conflict: ${branch} could not be merged into ${target}: ${conflict.join(", ")}`, {
      first: `  ${attention("!")} `,
      paint: attention,
    }),
    ...changes.flatMap(changeLines),
  ];
}

function iterationEnd({ outcome }: Of<"loop.iteration.end">, view: LoopView): string[] {
  const done = view.recent.at(-1);
  if (done === undefined) return [dim(`  ${outcome}`)];
  const took = duration(Date.parse(done.completedAt) - Date.parse(done.startedAt));
  return [
    "",
    ...listed([`${outcome} after ${took}`, `tokens ${usage(done.usage)}`, `in all ${usage(view.usage)}`], {
      first: "  ",
    }).map(dim),
  ];
}

/** What begins with an event, for the line that says what goes on now; null when it goes on as before. */
export function sodaDoing(event: LoopEvent): string | null {
  switch (event.type) {
    case "loop.starting":
    case "loop.milestone":
      return "sensing";
    case "loop.sensed":
      return "orienting";
    case "loop.oriented":
      return "planning";
    case "loop.branch.started":
    case "loop.task.reported":
      return "running the tests";
    case "loop.tested":
      return event.taskId === null ? "starting an executor" : "committing";
    case "loop.iteration.end":
      return "sensing";
    default:
      return null;
  }
}
