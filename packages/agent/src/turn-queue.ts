import { type SessionRequest, type Turn, type TurnOptions, unknownUsage } from "@ralpher/contract";
import { missingDirectory } from "./missing-directory.ts";
import { createTurn, type TurnWriter } from "./turn-writer.ts";

/** See a turn through: the writer gets its events and its result. Never throws. */
export type RunTurn = (writer: TurnWriter, prompt: string, options: TurnOptions) => Promise<void>;

/** The turns of one session: each begins when the one before it is over, however they were asked for. */
export interface TurnQueue {
  /** The turn, which fails at once when the session's folder is not there. */
  add(prompt: string, options?: TurnOptions): Turn;
  /** Resolves when all turns so far are over. */
  settled(): Promise<void>;
}

export function createTurnQueue({ directory }: Pick<SessionRequest, "directory">, runTurn: RunTurn): TurnQueue {
  let last: Promise<void> = Promise.resolve();

  async function run(writer: TurnWriter, prompt: string, options: TurnOptions): Promise<void> {
    const failure = await missingDirectory(directory);
    if (failure === null) await runTurn(writer, prompt, options);
    else writer.finish({ outcome: "failed", failure, usage: unknownUsage });
  }

  return {
    add(prompt, options = {}) {
      const writer = createTurn();
      last = last.then(() => run(writer, prompt, options));
      return writer.turn;
    },
    settled: () => last,
  };
}
