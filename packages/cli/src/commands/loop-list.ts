import { type LoopSummary, shortId } from "@ralpher/contract";
import { columns } from "../print/columns.ts";
import { attention, dim } from "../print/style.ts";
import { cut, status, usage } from "../print/words.ts";
import { isInHand, print, printJson, withRalpher } from "../session.ts";

/** `ralpher loop list` */
export async function loopList(options: { all?: true | undefined; json?: true | undefined }): Promise<void> {
  await withRalpher(async (ralpher) => {
    const { hub } = ralpher;
    const all = await hub.list();
    const loops = options.all === true ? all : all.filter(({ state }) => !dealtWith(state.status));
    if (options.json === true) return printJson(loops);
    const rows = await Promise.all(
      loops.map(async (loop) => cells(loop, !isActive(loop) || (await isInHand(ralpher, loop.config.id)))),
    );
    for (const line of columns(rows)) print(line);
    const hidden = all.length - loops.length;
    if (hidden > 0) print(dim(`${hidden} accepted or discarded; --all shows them.`));
    const total = await hub.count();
    if (total > all.length) print(dim(`The newest ${all.length} of ${total} were looked at.`));
    if (all.length === 0) print('There are no loops yet. Try: ralpher demo, or ralpher loop run --prompt "…"');
  });
}

const dealtWith = (status: LoopSummary["state"]["status"]) => status === "accepted" || status === "discarded";

const isActive = ({ state: { status } }: LoopSummary) =>
  status === "starting" || status === "running" || status === "waiting";

function cells({ config, state }: LoopSummary, isFine: boolean): string[] {
  const { currentIteration: n } = state;
  return [
    shortId(config.id),
    isFine ? status(state.status) : attention("‖ interrupted"),
    config.maxIterations === undefined ? `${n}` : `${n}/${config.maxIterations}`,
    cut(config.name, 50),
    dim(usage(state.usage)),
    dim(cut(state.reason ?? state.lastText ?? "", 60)),
  ];
}
