import type { LoopView, Published } from "@ralpher/contract";
import { eventLines } from "./event-lines.ts";
import { sodaDoing } from "./soda-lines.ts";
import { StatusLine } from "./status-line.ts";
import { taskDoing } from "./task-lines.ts";

/** Shows a loop's events on the terminal as they happen: lines that stay, and one that says what goes on now. */
export class Progress implements Disposable {
  readonly #status = new StatusLine();
  readonly #idleWord: string;

  /** `seesAll` is false when another process runs the loop: what it is about to do is not told over here. */
  constructor({ seesAll }: { seesAll: boolean }) {
    this.#idleWord = seesAll ? "thinking" : "working";
  }

  show(published: Published, view: LoopView): void {
    const { event } = published;
    if (event.type === "loop.tool_call.start") this.#status.tool(event.tool.name, event.tool.input);
    if (event.type === "loop.progress") this.#status.set(event.kind === "text" ? "writing" : "thinking");
    if (!published.durable) return;
    for (const line of eventLines(published.event, view)) this.#status.print(line);
    if (event.type === "loop.tool_call" || event.type === "loop.turn.start") this.#status.set(this.#idleWord);
    const next = doing(event, view);
    if (next !== null) this.#status.set(next);
  }

  /** A line that stays, among those of the events. */
  print(line: string): void {
    this.#status.print(line);
  }

  /** What goes on now. */
  say(words: string): void {
    this.#status.set(words);
  }

  [Symbol.dispose](): void {
    this.#status[Symbol.dispose]();
  }
}

function doing(event: Published["event"], view: LoopView): string | null {
  if (view.soda !== null) return sodaDoing(event);
  return view.task === null ? ralphDoing(event) : taskDoing(event);
}

const ralphDoing = ({ type }: Published["event"]) => (type === "loop.turn.end" ? "committing" : null);
