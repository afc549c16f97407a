import {
  addUsage,
  firstLine,
  type IterationDetail,
  type Journal,
  type LoopId,
  type LoopView,
  openIteration,
  type StoredEvent,
  unknownUsage,
} from "@ralpher/contract";

/** What an iteration is made of, but for what its agent said and did, which may be thousands of events. */
const milestones = [
  "loop.turn.start",
  "loop.turn.end",
  "loop.interrupted",
  "loop.git.commit",
  "loop.iteration.end",
  "loop.step.begun",
  "loop.step.reported",
] as const satisfies StoredEvent["type"][];
/** The agent's last words are looked for in so many of its newest messages; the others are thoughts. */
const messagesLookedAt = 10;
const eventsAtOnce = 500;

type Start = Extract<StoredEvent, { type: "loop.iteration.start" }>;

/** See Hub. */
export async function readIterations(
  journal: Journal,
  view: LoopView,
  { before, limit = 50 }: { before?: number | undefined; limit?: number | undefined } = {},
): Promise<IterationDetail[]> {
  const { id: loopId } = view;
  const end = before ?? view.seq + 1;
  const starts = (await journal.read({
    loopId,
    types: ["loop.iteration.start"],
    before: end,
    newest: true,
    limit,
  })) as Start[];
  const details: IterationDetail[] = [];
  for (const [index, start] of starts.entries()) {
    const range = { loopId, after: start.seq, before: starts[index + 1]?.seq ?? end };
    details.push(await readIteration(journal, view, start, range));
  }
  return details.length < limit ? [...(await foreignIterations(journal, loopId, end)), ...details] : details;
}

interface Range {
  loopId: LoopId;
  after: number;
  before: number;
}

async function readIteration(journal: Journal, view: LoopView, start: Start, range: Range): Promise<IterationDetail> {
  const detail: IterationDetail = {
    seq: start.seq,
    iteration: start.iteration,
    startedAt: start.at,
    messageCount: await journal.tally({ ...range, types: ["loop.message"] }),
    toolCallCount: await journal.tally({ ...range, types: ["loop.tool_call"] }),
    usage: unknownUsage,
    prompt: null,
    attempts: 0,
    commits: [],
  };
  let lastAt = start.at;
  for (let { after } = range; ; ) {
    const page = await journal.read({ ...range, after, types: [...milestones], limit: eventsAtOnce });
    for (const event of page) add(detail, event);
    after = page.at(-1)?.seq ?? after;
    lastAt = page.at(-1)?.at ?? lastAt;
    if (page.length < eventsAtOnce) break;
  }
  const lastText = await readLastText(journal, range);
  if (lastText !== null) detail.lastText = lastText;
  const isOpen = openIteration(view)?.number === detail.iteration && view.iteration === detail.iteration;
  // It never came to its end here: the loop was taken out of its hands, or came from elsewhere like this.
  if (detail.outcome === undefined && !isOpen) {
    detail.outcome = "interrupted";
    detail.completedAt = lastAt;
  }
  return detail;
}

function add(detail: IterationDetail, event: StoredEvent): void {
  switch (event.type) {
    case "loop.turn.start":
      detail.prompt = event.prompt;
      detail.attempts = Math.max(detail.attempts, event.attempt);
      if (event.said !== undefined && event.said.length > 0) detail.said = event.said.length;
      delete detail.failure;
      break;
    case "loop.turn.end":
      detail.usage = addUsage(detail.usage, event.usage);
      if (event.failure !== undefined) detail.failure = event.failure;
      break;
    case "loop.interrupted":
      detail.usage = addUsage(detail.usage, event.usage ?? unknownUsage);
      break;
    case "loop.git.commit":
      detail.commits.push(event.commit);
      break;
    case "loop.step.begun":
      detail.step = event.step.key;
      break;
    case "loop.step.reported":
      detail.report = event.report;
      break;
    case "loop.iteration.end":
      detail.outcome = event.outcome;
      detail.completedAt = event.at;
  }
}

async function readLastText(journal: Journal, range: Range): Promise<string | null> {
  const newest = await journal.read({ ...range, types: ["loop.message"], newest: true, limit: messagesLookedAt });
  const said = newest.findLast((event) => event.type === "loop.message" && event.message.kind === "text");
  if (said?.type !== "loop.message") return null;
  return firstLine(said.message.content, 200);
}

/** Of a loop that came without its history there are only the summaries it brought; all of them lie where it came in. */
async function foreignIterations(journal: Journal, loopId: LoopId, before: number): Promise<IterationDetail[]> {
  const [event] = await journal.read({ loopId, before, limit: 1 });
  if (event?.type !== "loop.imported") return [];
  const { state, seq } = event;
  return state.recentIterations.map((summary) => ({
    ...summary,
    seq,
    prompt: null,
    attempts: 1,
    commits: (state.git?.commits ?? []).filter(({ iteration }) => iteration === summary.iteration),
  }));
}
