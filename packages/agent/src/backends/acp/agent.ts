import { basename } from "node:path";
import type { ClientConnection } from "@agentclientprotocol/sdk";
import type { TurnFailure } from "@ralpher/contract";
import type { z } from "zod";
import { drain, type LastLines } from "../../last-lines.ts";
import { type Guarded, startGuarded } from "../../process/guard.ts";
import { startOpencode } from "../../programs/opencode/first-start.ts";
import { Unusable } from "../../unusable.ts";
import { failureOfRefusal } from "./failure.ts";
import { InitializeResult, PermissionRequest, WriteRequest } from "./messages.ts";
import type { Permission } from "./permission.ts";
import { type CommandLine, installHint, requireProgram } from "./program.ts";
import { createWire, splitLines } from "./wire.ts";

/** Who hears what an agent says while a turn is under way. */
export interface AgentListener {
  update(sessionId: string, update: unknown): void;
  /** A notification beside the protocol. */
  extension(method: string, params: unknown): void;
  /** A line of the agent's standard error. */
  log(line: string): void;
  permission(request: PermissionRequest): Promise<Permission>;
  /** Returns why it may not be written, in a sentence for the agent; null when it was. */
  write(request: WriteRequest): string | null;
}

export interface AgentOptions {
  command: CommandLine;
  /** Where it runs: absolute path. */
  cwd: string;
  env: Record<string, string | undefined>;
  /** How long it may take to answer what it is asked before the first prompt. */
  startTimeoutMs: number;
  /** Ends it while it starts. */
  stop: AbortSignal;
}

type Sdk = typeof import("@agentclientprotocol/sdk");

const protocolVersion = 1;

/** We have no editor whose files would differ from those on disk, and no terminal. */
const introduction = {
  protocolVersion,
  clientCapabilities: { session: { notices: {} } },
  clientInfo: { name: "ralpher", version: "1" },
};

// A program that first says something else than the protocol may only be greeting; then it has so long to answer.
const patienceMs = 3000;

/**
 * Start an agent's program and shake hands. It cannot outlive this process. Whoever opened it ends it.
 * @throws Unusable
 */
export async function openAgent(options: AgentOptions): Promise<Agent> {
  const { command, env, stop } = options;
  const path = requireProgram(command, env);
  // Only now, for it takes a while to load, and who never uses such an agent need not wait for it.
  const sdk = await import("@agentclientprotocol/sdk");
  const start = () => startAgent(sdk, path, options);
  return isOpencode(command) ? await startOpencode(env, start, stop) : await start();
}

const isOpencode = ([program]: CommandLine) => /^opencode(\.exe)?$/.test(basename(program));

async function startAgent(
  sdk: Sdk,
  path: string,
  { command, cwd, env, startTimeoutMs, stop }: AgentOptions,
): Promise<Agent> {
  if (stop.aborted) throw new Unusable({ reason: "aborted", message: "The turn was ended." });
  const guarded = startGuarded({ argv: [path, ...command.slice(1)], cwd, env, hasInput: true });
  const agent = new Agent(sdk, guarded, command);
  const end = () => void agent.end();
  stop.addEventListener("abort", end, { once: true });
  try {
    agent.about = await agent.greet(startTimeoutMs);
    return agent;
  } catch (error) {
    await agent.end();
    throw error;
  } finally {
    stop.removeEventListener("abort", end);
  }
}

/** An agent's process that speaks the protocol. */
export class Agent {
  about: InitializeResult = { protocolVersion };
  listener: AgentListener | null = null;
  readonly #sdk: Sdk;
  readonly #guarded: Guarded;
  readonly #command: CommandLine;
  readonly #connection: ClientConnection;
  readonly #ended = new AbortController();
  readonly #lastWords: LastLines;
  /** Rejects when it says what is no message before it has said any. */
  readonly #nonsense = Promise.withResolvers<never>();
  #nonsenseTimer: Timer | undefined;
  #isGreeted = false;

  constructor(sdk: Sdk, guarded: Guarded, command: CommandLine) {
    this.#sdk = sdk;
    this.#guarded = guarded;
    this.#command = command;
    this.#lastWords = drain(
      guarded.stderr,
      splitLines((line) => this.listener?.log(line)),
    );
    this.#nonsense.promise.catch(() => {});
    this.#connection = this.#connect();
    void guarded.exited.then((code) => this.#ended.abort(this.#explain(code)));
  }

  /** Aborts when its process has ended. Its reason is the `TurnFailure` of the turn under way. */
  get ended(): AbortSignal {
    return this.#ended.signal;
  }

  /** @throws Unusable */
  async greet(timeoutMs: number): Promise<InitializeResult> {
    const asked = this.request("initialize", introduction, InitializeResult, timeoutMs);
    const about = await Promise.race([asked, this.#nonsense.promise]).finally(() => {
      clearTimeout(this.#nonsenseTimer);
      this.#isGreeted = true;
    });
    if (about.protocolVersion === protocolVersion) return about;
    const message = `The agent speaks version ${about.protocolVersion} of the Agent Client Protocol; we speak ${protocolVersion}.`;
    throw new Unusable({ reason: "protocol", message });
  }

  /**
   * Ask the agent, and check its answer. It may take as long as it likes unless a limit is given.
   * @throws Unusable
   */
  async request<T>(method: string, params: unknown, answer: z.ZodType<T>, timeoutMs?: number): Promise<T> {
    const asked = this.#ask(method, params);
    const { data, error } = answer.safeParse(
      timeoutMs === undefined ? await asked : await inTime(asked, method, timeoutMs),
    );
    if (error === undefined) return data;
    throw new Unusable({
      reason: "protocol",
      message: `The agent's answer to ${method} cannot be read: ${error.message}`,
    });
  }

  notify(method: string, params: unknown): void {
    // One that has ended needs no telling.
    this.#connection.agent.notify(method, params).catch(() => {});
  }

  /** End the process and everything it started. Resolves when nothing is left. Idempotent. */
  async end(): Promise<void> {
    await this.#guarded.end();
  }

  /** The same at once. The session can be taken up again as far as the agent has written it down. */
  async kill(): Promise<void> {
    try {
      process.kill(-this.#guarded.group, "SIGKILL");
    } catch {
      // It has ended by itself.
    }
    await this.#guarded.end();
  }

  async #ask(method: string, params: unknown): Promise<unknown> {
    try {
      return await this.#connection.agent.request<unknown>(method, params);
    } catch (error) {
      if (error instanceof this.#sdk.RequestError) throw new Unusable(failureOfRefusal(error), { cause: error });
      // The connection broke: no more can come of it, and how the process ended says why.
      await this.end();
      throw new Unusable(this.#ended.signal.reason, { cause: error });
    }
  }

  #connect(): ClientConnection {
    const wire = createWire(this.#guarded, {
      notification: (method, params) => {
        if (method !== "session/update") this.listener?.extension(method, params);
        else if (isUpdate(params)) this.listener?.update(params.sessionId, params.update);
      },
      nonsense: (line) => this.#doubt(line),
    });
    const { client, RequestError } = this.#sdk;
    const nobody = () => RequestError.invalidRequest(undefined, "no prompt is under way");
    return (
      client({ name: "ralpher" })
        .onRequest("session/request_permission", PermissionRequest, async ({ params }) => {
          if (this.listener === null) throw nobody();
          return await this.listener.permission(params);
        })
        // Some agents let the client write although it never said that it can.
        .onRequest("fs/write_text_file", WriteRequest, ({ params }) => {
          if (this.listener === null) throw nobody();
          const refusal = this.listener.write(params);
          if (refusal !== null) throw RequestError.invalidRequest(undefined, refusal);
          return {};
        })
        .connect(wire)
    );
  }

  #doubt(line: string): void {
    if (this.#isGreeted) return;
    const message = `The program does not speak the Agent Client Protocol. It said: ${line.trim().slice(0, 500)}`;
    this.#nonsenseTimer ??= setTimeout(
      () => this.#nonsense.reject(new Unusable({ reason: "protocol", message })),
      patienceMs,
    );
  }

  #explain(code: number): TurnFailure {
    const said = this.#lastWords.text();
    // The shell's words for a program that cannot be started.
    if (code === 126 || code === 127) {
      const message = `${this.#command[0]} cannot be started. ${said} ${installHint(this.#command)}`;
      return { reason: "missing", message: message.replace(/\s+/g, " ") };
    }
    return { reason: "crashed", message: `The agent ended unexpectedly (exit code ${code}). ${said}`.trim() };
  }
}

function isUpdate(params: unknown): params is { sessionId: string; update: unknown } {
  return typeof params === "object" && params !== null && "sessionId" in params && "update" in params;
}

async function inTime<T>(asked: Promise<T>, method: string, timeoutMs: number): Promise<T> {
  const late = Promise.withResolvers<never>();
  const message = `The agent did not answer ${method} within ${timeoutMs / 1000} s.`;
  const timer = setTimeout(() => late.reject(new Unusable({ reason: "timeout", message })), timeoutMs);
  asked.catch(() => {});
  try {
    return await Promise.race([asked, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
