import { dim } from "./style.ts";
import { toolObject } from "./tool-line.ts";
import { cut, duration } from "./words.ts";

const frames = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];

/**
 * One line at the bottom of a terminal that says what is going on right now; nothing at all when standard output is not
 * a terminal. Call `print` for lines that stay.
 */
export class StatusLine implements Disposable {
  readonly #isOn = process.stdout.isTTY === true;
  readonly #timer: ReturnType<typeof setInterval> | null;
  #text = "";
  #since = Date.now();
  #frame = 0;

  constructor() {
    this.#timer = this.#isOn ? setInterval(() => this.#draw(), 120) : null;
  }

  print(line: string): void {
    process.stdout.write(`${this.#isOn ? "\r\x1b[2K" : ""}${line}\n`);
    this.#draw();
  }

  /** A tool began. */
  tool(name: string, input: unknown): void {
    this.#set(`${name} ${toolObject(input)}`.trim());
  }

  /** The agent thinks or writes; `words` is how its text ends so far. */
  set(text: string): void {
    this.#set(text);
  }

  [Symbol.dispose](): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    if (this.#isOn) process.stdout.write("\r\x1b[2K");
  }

  #set(text: string): void {
    if (text === this.#text) return;
    this.#text = text;
    this.#since = Date.now();
    this.#draw();
  }

  #draw(): void {
    if (!this.#isOn || this.#text === "") return;
    this.#frame = (this.#frame + 1) % frames.length;
    const width = Math.max(20, (process.stdout.columns ?? 80) - 20);
    const waited = Date.now() - this.#since;
    process.stdout.write(
      `\r\x1b[2K${dim(`${frames[this.#frame]} ${cut(this.#text, width)}${waited > 2000 ? ` · ${duration(waited)}` : ""}`)}`,
    );
  }
}
