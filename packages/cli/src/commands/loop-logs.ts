import { fold, type LoopView, type StoredEvent } from "@ralpher/contract";
import { follow } from "../follow.ts";
import { eventLines } from "../print/event-lines.ts";
import { print, printJson, withRalpher } from "../session.ts";

export interface LogsOptions {
  follow?: true | undefined;
  lines?: number | undefined;
  json?: true | undefined;
}

/** `ralpher loop logs` */
export async function loopLogs(text: string, options: LogsOptions): Promise<void> {
  await withRalpher(async (ralpher) => {
    const { hub } = ralpher;
    const loopId = await hub.resolve(text);
    const show = (event: StoredEvent, view: LoopView) => {
      if (options.json === true) printJson(event);
      else for (const line of eventLines(event, view)) print(line);
    };
    const all = await hub.read({ loopId, limit: 1_000_000 });
    const first = all.length - (options.lines ?? all.length);
    let view: LoopView | null = null;
    for (const [index, event] of all.entries()) {
      view = fold(view, event);
      if (view !== null && index >= first) show(event, view);
    }
    if (options.follow !== true) return;
    const leaving = new AbortController();
    process.once("SIGINT", () => leaving.abort());
    await follow(ralpher, loopId, {
      after: all.at(-1)?.seq ?? 0,
      signal: leaving.signal,
      show: (published, folded) => {
        if (published.durable) show(published.event, folded);
      },
    });
  });
}
