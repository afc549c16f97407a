import { type LoopSummary, shortId } from "@ralpher/contract";
import { dim } from "../print/style.ts";
import { cut, status, usage } from "../print/words.ts";
import { print, printJson, withRalpher } from "../session.ts";

/** `ralpher loop list` */
export async function loopList(options: { all?: true | undefined; json?: true | undefined }): Promise<void> {
  await withRalpher(async ({ hub }) => {
    const all = await hub.list();
    const loops = options.all === true ? all : all.filter(({ state }) => !dealtWith(state.status));
    if (options.json === true) return printJson(loops);
    for (const loop of loops) print(line(loop));
    const hidden = all.length - loops.length;
    if (hidden > 0) print(dim(`${hidden} accepted or discarded; --all shows them.`));
    if (all.length === 0) print('There are no loops yet. Try: ralpher demo, or ralpher loop run --prompt "…"');
  });
}

const dealtWith = (status: LoopSummary["state"]["status"]) => status === "accepted" || status === "discarded";

function line({ config, state }: LoopSummary): string {
  const n =
    config.maxIterations === undefined
      ? `${state.currentIteration}`
      : `${state.currentIteration}/${config.maxIterations}`;
  const said = state.reason ?? state.lastText ?? "";
  return [
    shortId(config.id),
    status(state.status),
    n,
    cut(config.name, 50),
    dim(cut(said, 60)),
    dim(usage(state.usage)),
  ].join("  ");
}
