import { readFile } from "node:fs/promises";
import { Fault, isUnderWay, type LoopView, parse, shortId, VaultCommand } from "@ralpher/contract";
import type { Ralpher } from "../compose.ts";
import { good } from "../print/style.ts";
import { printable } from "../print/words.ts";
import { isInHand, print, printJson, withRalpher } from "../session.ts";
import { listTaskLoops, requireVault } from "../task-loops.ts";

interface InVault {
  vault?: string | undefined;
  json?: true | undefined;
}

/** `ralpher task stop` */
export const taskStop = ({ vault: given, reason, json }: InVault & { reason?: string | undefined }) =>
  withRalpher(async (ralpher) => {
    const vault = await requireVault(ralpher, given);
    const { path } = await ralpher.hub.tellVault(vault, parse(VaultCommand, { type: "stop", reason }, "stop"));
    const stopping = await listUnderWay(ralpher, vault);
    if (json === true) return printJson({ path, stopping: stopping.map(({ view }) => view.id) });
    print(`${good("✓")} ${inVault(vault, path)} is there.`);
    if (stopping.length === 0) print("No task is being worked on; a watch takes none up until it is gone.");
    for (const { view, isRun } of stopping) {
      const when = view.iteration === 0 ? "before its first iteration" : `after iteration ${view.iteration}`;
      print(`  ${shortId(view.id)}  ${fileOf(view)}: ${isRun ? `stops ${when}` : "nobody runs it right now"}`);
    }
    print('Carry on with "ralpher task resume", which removes it, or delete it yourself.');
  });

/** `ralpher task inject` */
export async function taskInject(
  words: string[],
  options: InVault & { file?: string | undefined; priority?: "normal" | "high" | undefined },
): Promise<void> {
  const text = await textOf(words, options.file);
  if (text.trim() === "") throw unusable("(root)", "there is nothing to say");
  const command = parse(VaultCommand, { type: "inject", text, priority: options.priority }, "message");
  await withRalpher(async (ralpher) => {
    const vault = await requireVault(ralpher, options.vault);
    const { path } = await ralpher.hub.tellVault(vault, command);
    const readers = await Promise.all(
      (await listUnderWay(ralpher, vault)).map(async ({ view }) => {
        const { waitingPrompt } = await ralpher.hub.task(view.id);
        return { id: view.id, file: fileOf(view), afterIteration: waitingPrompt?.afterIteration ?? null };
      }),
    );
    if (options.json === true) return printJson({ path, readers });
    print(`${good("✓")} It waits in ${inVault(vault, path)}.`);
    for (const { id, file, afterIteration } of readers) {
      // Whoever looks just now may have taken it already.
      const when =
        afterIteration === null
          ? "has read it"
          : `reads it ${afterIteration === 0 ? "before its first iteration" : `after iteration ${afterIteration}`}`;
      print(`  ${shortId(id)}  ${file} ${when}`);
    }
    if (readers.length > 1) print("The first of them to come by takes it.");
    if (readers.length === 0) print(await whenNobody(ralpher, vault));
  });
}

async function whenNobody({ hub }: Ralpher, vault: string): Promise<string> {
  const every = (await hub.vault(vault)).config?.check_reinject_every_n_iterations ?? 1;
  const when = every === 1 ? "before its next iteration" : `after iteration ${every}, ${2 * every} and so on`;
  return `No task is being worked on. A new one begins with it; one that goes on reads it ${when}.`;
}

/** The words themselves, a file's, or standard input's. @throws Fault `invalid_input` */
async function textOf(words: string[], file: string | undefined): Promise<string> {
  if ((words.length === 0) === (file === undefined))
    throw unusable("(root)", "give either words, or --file, or - for standard input");
  try {
    if (file === "-" || (file === undefined && words.length === 1 && words[0] === "-")) return await Bun.stdin.text();
    return file === undefined ? words.join(" ") : await readFile(file, "utf8");
  } catch (error) {
    throw unusable("--file", (error as Error).message);
  }
}

function unusable(path: string, message: string): Fault {
  return new Fault("invalid_input", { what: "message", issues: [{ path, message }] });
}

async function listUnderWay(ralpher: Ralpher, vault: string): Promise<{ view: LoopView; isRun: boolean }[]> {
  const found: { view: LoopView; isRun: boolean }[] = [];
  for (const { config } of await listTaskLoops(ralpher, vault)) {
    const view = await ralpher.hub.require(config.id);
    if (isUnderWay(view)) found.push({ view, isRun: await isInHand(ralpher, view.id) });
  }
  return found;
}

const fileOf = ({ config: { strategy } }: LoopView) => printable(strategy.type === "task" ? strategy.file : "");
const inVault = (vault: string, path: string) => printable(`${vault}${path}`);
