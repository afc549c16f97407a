import { fold, type LoopId, type LoopView, type StoredEvent } from "@ralpher/contract";
import type { Ralpher } from "../compose.ts";
import { follow } from "../follow.ts";
import { eventLines } from "../print/event-lines.ts";
import { print, printJson, withRalpher } from "../session.ts";

export interface LogsOptions {
  follow?: true | undefined;
  lines?: number | undefined;
  json?: true | undefined;
}

const pageSize = 500;

/** `ralpher loop logs` */
export async function loopLogs(text: string, options: LogsOptions): Promise<void> {
  await withRalpher(async (ralpher) => {
    const { hub } = ralpher;
    const loopId = await hub.resolve(text);
    const show = (event: StoredEvent, view: LoopView) => {
      if (options.json === true) printJson(event);
      else for (const line of eventLines(event, view)) print(line);
    };
    const view =
      options.lines === undefined
        ? await showAll(ralpher, loopId, show)
        : await showNewest(ralpher, loopId, options.lines, show);
    if (options.follow !== true || view === null) return;
    const leaving = new AbortController();
    process.once("SIGINT", () => leaving.abort());
    await follow(ralpher, loopId, {
      from: view,
      signal: leaving.signal,
      show: (published, folded) => {
        if (published.durable) show(published.event, folded);
      },
    });
  });
}

type Show = (event: StoredEvent, view: LoopView) => void;

/** From the beginning, a page at a time: a log may be larger than memory. */
async function showAll({ hub }: Ralpher, loopId: LoopId, show: Show): Promise<LoopView | null> {
  let view: LoopView | null = null;
  for (let after = 0; ; ) {
    const page = await hub.read({ loopId, after, limit: pageSize });
    for (const event of page) {
      view = fold(view, event);
      if (view !== null) show(event, view);
    }
    after = page.at(-1)?.seq ?? after;
    if (page.length < pageSize) return view;
  }
}

/** The end of the log, with the loop as it is now. */
async function showNewest({ hub }: Ralpher, loopId: LoopId, lines: number, show: Show): Promise<LoopView> {
  const view = await hub.require(loopId);
  for (const event of await hub.read({ loopId, limit: lines, newest: true, before: view.seq + 1 })) show(event, view);
  return view;
}
