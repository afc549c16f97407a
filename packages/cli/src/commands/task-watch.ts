import { resolve } from "node:path";
import { type BackendType, CreateLoopRequest, Fault, fullStop, parse, shortId } from "@ralpher/contract";
import { type AgentChoice, backendOf, requireModel } from "../agent-options.ts";
import type { Ralpher } from "../compose.ts";
import { bold, dim } from "../print/style.ts";
import { noteLine, taskLine, watchLine } from "../print/task-watch.ts";
import { actionLine, printable } from "../print/words.ts";
import { onOutputGone, print, printJson, withRalpher } from "../session.ts";
import { taskName } from "../task-loops.ts";
import { TaskWatching } from "../task-watching.ts";

export interface TaskWatchOptions extends AgentChoice {
  parallel?: number | undefined;
  model?: string | undefined;
  json?: true | undefined;
}

/** `ralpher task watch` */
export async function taskWatch(directory: string, options: TaskWatchOptions): Promise<void> {
  const backend = parse(CreateLoopRequest.shape.backend, await backendOf(options), "agent");
  const { agent, model, parallel, json } = options;
  await withRalpher(async (ralpher) => {
    const { hub } = ralpher;
    const vault = await hub.findVault(resolve(directory));
    const { config } = await hub.vault(vault);
    if (config !== null) await requireAgent(ralpher, agent ?? config.agent, options.agentCommand);
    const specs = printable(config?.specs_folder ?? "/Specs").replace(/^\//, "");
    const asked = endAsked();
    using watching = await TaskWatching.start(ralpher, vault, (event, view) => {
      if (json === true) return printJson(event);
      const line = watchLine(event, view);
      const { strategy } = view.config;
      if (line !== null && strategy.type === "task") print(taskLine(event.at, taskName(strategy.file), line));
    });
    await using _watch = await hub.watchVault(vault, {
      ...(agent === undefined ? {} : { backend }),
      ...(model === undefined ? {} : { model: requireModel(model) }),
      ...(parallel === undefined ? {} : { parallel }),
      onNote: (note) => {
        if (json === true) printJson({ note });
        else print(noteLine(note, new Date().toISOString()));
      },
    });
    if (json !== true) {
      print(`Watching ${bold(printable(vault))}: tasks that are put into ${bold(specs)} are taken up.`);
      print(dim("Ctrl+C ends it; tasks under way go on the next time."));
    }
    await asked;
    if (json === true) return;
    const left = watching.underWay().map(({ config: { strategy } }) => (strategy.type === "task" ? strategy.file : ""));
    print(dim("\nEnding: agents are stopped, their work is kept."));
    if (left.length === 0) return;
    print(`Ready to go on: ${printable(left.join(", "))}`);
    print(actionLine(["With all", commandOf(vault, options)]));
    for (const { id } of watching.underWay()) print(actionLine(["With one", `ralpher task resume ${shortId(id)}`]));
  });
}

/** The same watch once more, from anywhere. */
function commandOf(vault: string, { agent, agentCommand, script, model, parallel }: TaskWatchOptions): string {
  const given: [string, string | number | undefined][] = [
    ["--agent", agent],
    ["--agent-command", agentCommand],
    ["--script", script === undefined ? undefined : resolve(script)],
    ["--model", model],
    ["--parallel", parallel],
  ];
  const words = given.flatMap(([name, value]) => (value === undefined ? [] : [name, quoted(String(value))]));
  return ["ralpher task watch", quoted(vault), ...words].join(" ");
}

const quoted = (text: string) => (/^[\w./:@-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`);

/**
 * It would be refused with every file. A command line of one's own is for each start to try.
 * @throws Fault `agent_missing`, `agent_failed`
 */
async function requireAgent({ hub }: Ralpher, named: BackendType | undefined, command: string | undefined) {
  if (command !== undefined) return;
  const type = named ?? (await hub.settings()).backend;
  const health = (await hub.backends()).find((report) => report.type === type)?.health;
  if (health === undefined || health.state === "ready") return;
  if (health.state === "missing") throw new Fault("agent_missing", { agent: type, install: health.install });
  throw new Fault("agent_failed", { agent: type, detail: `${fullStop(health.detail)} ${health.install}` });
}

/** Resolves at the first signal to end, or when nobody reads any longer; a second Ctrl+C ends at once. */
function endAsked(): Promise<void> {
  const { promise, resolve: ask } = Promise.withResolvers<void>();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.once(signal, () => {
      ask();
      process.once(signal, () => process.exit(130));
    });
  }
  onOutputGone(ask);
  return promise;
}
