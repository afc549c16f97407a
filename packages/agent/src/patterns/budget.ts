import type { AgentEvent, TurnFailure } from "@ralpher/contract";

/** What an invocation may use up; what is absent is unlimited. */
export interface Budget {
  /** Answers of the model, over all its prompts. Agents that do not tell their answers apart are not held to it. */
  turns?: number | undefined;
  /** Milliseconds, waits between attempts included. */
  timeMs?: number | undefined;
  /** US dollars. Agents that do not tell what they cost are not held to it. */
  usd?: number | undefined;
}

/** Watches what an invocation uses up, and says when it is too much. Whoever started it stops it. */
export interface BudgetWatch extends Disposable {
  /** Aborts when the budget is used up. Its reason is the `TurnFailure`. */
  readonly signal: AbortSignal;
  /** Another prompt is about to be sent; not when nothing is left. */
  beginTurn(): void;
  note(event: AgentEvent): void;
  /** A turn has ended; the next one's answers count from 1 again. */
  endTurn(costUsd: number | null): void;
}

export function startBudgetWatch({ turns = Number.POSITIVE_INFINITY, timeMs, usd }: Budget): BudgetWatch {
  const over = new AbortController();
  let answers = 0;
  let answersNow = 0;
  let cost = 0;
  const end = (message: string) => over.abort({ reason: "budget", message } satisfies TurnFailure);
  const timer =
    timeMs === undefined
      ? undefined
      : setTimeout(() => end(`The budget of ${timeMs / 1000} s is used up.`), Math.min(timeMs, 2 ** 31 - 1));

  function checkCost(spent: number): void {
    if (usd !== undefined && spent >= usd) end(`The budget of $${usd} is used up: it cost $${spent.toFixed(4)}.`);
  }

  return {
    signal: over.signal,
    beginTurn() {
      if (answers >= turns) end(`The budget of ${turns} turns is used up.`);
    },
    note(event) {
      if (event.type === "usage") {
        answersNow = event.answers;
        checkCost(cost + (event.usage.costUsd ?? 0));
      } else if (answers + answersNow >= turns && goesOn(event)) end(`The budget of ${turns} turns is used up.`);
    },
    endTurn(costUsd) {
      answers += answersNow;
      answersNow = 0;
      cost += costUsd ?? 0;
      checkCost(cost);
    },
    [Symbol.dispose]: () => clearTimeout(timer),
  };
}

/** After its last answer an agent still closes what it had begun; with these it begins something new. */
function goesOn({ type }: AgentEvent): boolean {
  return type === "message.delta" || type === "tool.start";
}
