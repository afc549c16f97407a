/** A backend, a scripted model and folders to work in: what the tests of all backends share. */
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { AgentBackend, AgentEvent, SessionRequest, Turn, TurnOptions, TurnResult } from "@ralpher/contract";
import type { ModelServer } from "@ralpher/model";

export interface Heard {
  events: AgentEvent[];
  result: TurnResult;
}

export interface Stage extends AsyncDisposable {
  backend: AgentBackend;
  model: ModelServer;
  env: Record<string, string>;
  /** For a session in a new folder. */
  request(overrides?: Partial<SessionRequest>): Promise<SessionRequest>;
  /** One prompt in a session of its own, in a folder that all of these share: an agent takes its time over a new one. */
  run(prompt: string, overrides?: Partial<SessionRequest>, options?: TurnOptions): Promise<Heard>;
}

interface StageParts extends Pick<Stage, "backend" | "model" | "env"> {
  /** Holds everything, and is removed at the end. */
  root: string;
  /** What leads a session to the script. */
  defaults: Pick<SessionRequest, "backend" | "model">;
}

/** Must be closed. */
export function createStage({ backend, model, env, root, defaults }: StageParts): Stage {
  let folders = 0;

  async function request(overrides: Partial<SessionRequest> = {}): Promise<SessionRequest> {
    const directory = overrides.directory ?? (await folder(`${folders++}`));
    const signal = new AbortController().signal;
    return { ...defaults, title: "Test", idleTimeoutMs: 60_000, signal, ...overrides, directory };
  }

  async function folder(name: string): Promise<string> {
    const directory = join(root, name);
    await mkdir(directory, { recursive: true });
    return directory;
  }

  return {
    backend,
    model,
    env,
    request,
    async run(prompt, overrides, options) {
      const directory = await folder("shared");
      await using session = backend.open(await request({ directory, ...overrides }));
      return await hear(session.turn(prompt, options));
    },
    async [Symbol.asyncDispose]() {
      await backend[Symbol.asyncDispose]();
      await model[Symbol.asyncDispose]();
      await rm(root, { recursive: true });
    },
  };
}

export async function hear(turn: Turn): Promise<Heard> {
  const events: AgentEvent[] = [];
  for await (const event of turn) events.push(event);
  return { events, result: await turn.result };
}
