import { toLoop } from "@ralpher/contract";
import { ending } from "../print/ending.ts";
import { bold, dim } from "../print/style.ts";
import { cut, duration, plural, short } from "../print/words.ts";
import { isInHand, print, printJson, withRalpher } from "../session.ts";

/** `ralpher loop show` */
export async function loopShow(text: string, options: { json?: true | undefined }): Promise<void> {
  await withRalpher(async (ralpher) => {
    const { hub } = ralpher;
    const view = await hub.require(await hub.resolve(text));
    if (options.json === true) return printJson(toLoop(view));
    const { config, workspace } = view;
    print(bold(cut(config.name, 200)));
    print(dim(config.id));
    print(`Folder     ${cut(config.directory, 500)}`);
    if (workspace !== null && workspace.kind !== "plain") {
      print(`Branch     ${workspace.workingBranch} → ${workspace.originalBranch}`);
      if (workspace.kind === "worktree") print(`Worktree   ${workspace.directory}`);
    }
    const model =
      config.model === undefined ? "its own choice of model" : `${config.model.providerID}/${config.model.modelID}`;
    print(`Agent      ${config.backend.type}, ${model}`);
    if (view.lastText !== null) print(`Last said  ${short(view.lastText, 100)}`);
    for (const done of view.recent.slice(-10)) {
      const took = duration(Date.parse(done.completedAt) - Date.parse(done.startedAt));
      const work = `${plural(done.toolCallCount, "tool call")}, ${plural(done.commits, "commit")}`;
      print(`  ${String(done.iteration).padStart(3)}  ${done.outcome.padEnd(11)} ${dim(`${took}, ${work}`)}`);
    }
    for (const line of ending(view, await isInHand(ralpher, view.id))) print(line);
  });
}
