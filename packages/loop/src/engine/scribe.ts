import type { AgentEvent, EventBody } from "@ralpher/contract";
import type { EphemeralBody, Execution } from "./execution.ts";

/** What an agent does in so many milliseconds is written down in one go: no eye can tell, and a flood costs little. */
const windowMs = 10;
/** An agent that is faster than the disk is made to wait when so much is unwritten. */
const mostUnwritten = 2_000;

/** Something not yet whole: a message being written (its deltas merged), or a tool that runs. */
type Unfinished = Extract<EphemeralBody, { type: "loop.progress" } | { type: "loop.tool_call.start" }>;

/**
 * Writes down what an agent does in one turn, in order. Durable events of a window go into one transaction; what is
 * still unfinished at its end is shown to those who watch.
 */
export class Scribe implements Disposable {
  readonly #execution: Execution;
  readonly #iteration: number;
  #durable: EventBody[] = [];
  readonly #unfinished = new Map<string, Unfinished>();
  /** Last pieces of texts that are whole by now: shown before the whole, so that the pieces alone are all of it, too. */
  #lastPieces: Unfinished[] = [];
  #timer: ReturnType<typeof setTimeout> | null = null;
  #writing: Promise<unknown> = Promise.resolve();
  #trouble: { error: unknown } | null = null;

  constructor(execution: Execution, iteration: number) {
    this.#execution = execution;
    this.#iteration = iteration;
  }

  /** Take one thing the agent did. Resolves at once, unless the disk cannot keep up. @throws what recording threw */
  async add(event: AgentEvent): Promise<void> {
    this.#take(event);
    this.#timer ??= setTimeout(() => void this.#write(), windowMs);
    if (this.#durable.length >= mostUnwritten) await this.#write();
    if (this.#trouble !== null) throw this.#trouble.error;
  }

  /** Take something that we did ourselves in between. */
  note(event: EventBody): void {
    this.#durable.push(event);
  }

  /** Write down the rest together with how the turn ended. @throws what recording threw */
  async end(last: EventBody[]): Promise<void> {
    this.#durable.push(...last);
    this.#unfinished.clear();
    await this.#write();
    if (this.#trouble !== null) throw this.#trouble.error;
  }

  [Symbol.dispose](): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
  }

  #take(event: AgentEvent): void {
    const iteration = this.#iteration;
    switch (event.type) {
      case "session.start":
        this.#durable.push({ type: "loop.session", iteration, session: event.session });
        return;
      case "notice":
        this.#durable.push({ type: "loop.notice", iteration, text: event.text });
        return;
      case "message.delta": {
        const { messageId, kind, delta } = event;
        const known = this.#unfinished.get(messageId);
        const content = (known?.type === "loop.progress" ? known.content : "") + delta;
        this.#unfinished.set(messageId, { type: "loop.progress", iteration, messageId, kind, content });
        return;
      }
      case "message.complete": {
        const { messageId: id, kind, text: content } = event;
        const lastPiece = this.#unfinished.get(id);
        if (lastPiece !== undefined) this.#lastPieces.push(lastPiece);
        this.#unfinished.delete(id);
        this.#durable.push({ type: "loop.message", iteration, message: { id, role: "assistant", kind, content } });
        return;
      }
      case "tool.start": {
        const { callId: id, name, input } = event;
        this.#unfinished.set(id, { type: "loop.tool_call.start", iteration, tool: { id, name, input } });
        return;
      }
      case "tool.complete":
        this.#unfinished.delete(event.tool.id);
        this.#durable.push({ type: "loop.tool_call", iteration, tool: event.tool });
    }
  }

  #write(): Promise<unknown> {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    const durable = this.#durable;
    const lastPieces = this.#lastPieces;
    const unfinished = [...this.#unfinished.values()];
    this.#durable = [];
    this.#lastPieces = [];
    this.#unfinished.clear();
    const { record, show } = this.#execution;
    this.#writing = this.#writing.then(async () => {
      for (const body of lastPieces) show(body);
      if (durable.length > 0 && this.#trouble === null) await record(durable);
      for (const body of unfinished) show(body);
    });
    this.#writing = this.#writing.catch((error) => {
      this.#trouble ??= { error };
    });
    return this.#writing;
  }
}
