import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { CreateLoopRequest, shortId, toLoop } from "@ralpher/contract";
import { compose, openModel, openServer } from "../compose.ts";
import { ensureDashboard } from "../dashboard-files.ts";
import { type DemoAgentType, dialectOf, prepareDemoAgent } from "../demo/agents.ts";
import { demoIterations, demoPrompt, demoScript, makeBunFolder, makeDemoProject } from "../demo/project.ts";
import { command } from "../embedded.ts";
import { readEnvironment } from "../environment.ts";
import { exitCodeOf, interrupted } from "../exit.ts";
import { follow } from "../follow.ts";
import { configureLog, logger } from "../log.ts";
import { ending } from "../print/ending.ts";
import { Progress } from "../print/progress.ts";
import { bad, bold, dim, good } from "../print/style.ts";
import { duration } from "../print/words.ts";
import { print, printJson } from "../session.ts";
import { version } from "../version.ts";
import { statLines } from "./loop-diff.ts";

/**
 * `ralpher demo`: a throw-away project, the scripted model, the real agent, and one whole loop. Everything, the data
 * folder included, lies in one temporary folder.
 */
export async function demo(options: {
  agent: DemoAgentType;
  keep?: true | undefined;
  json?: true | undefined;
}): Promise<void> {
  configureLog(readEnvironment().logLevel);
  const say = options.json === true ? () => {} : print;
  const root = await mkdtemp(join(tmpdir(), "ralpher-demo-"));
  let keepFiles = options.keep === true;
  const began = Date.now();
  const leaving = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => leaving.abort());
  try {
    const project = join(root, "project");
    const home = join(root, "home");
    const dataDir = join(root, "data");
    await mkdir(home);
    await makeDemoProject(project);
    say(`${bold("A small project whose tests fail")}  ${project}`);
    const bin = await makeBunFolder(join(root, "bin"));
    const withBun = (path = "") => [bin, path].join(delimiter);
    await using model = await openModel(demoScript(dialectOf(options.agent)));
    const agent = await prepareDemoAgent(options.agent, { home, modelUrl: model.url, path: withBun });
    await using ralpher = compose({ dataDir, runs: "all", agents: agent.agents });
    const { hub } = ralpher;
    await using server = options.keep === true ? await openDashboard(hub) : null;
    if (server !== null) say(`Dashboard  ${bold(server.url)}`);
    say(dim(`The real ${agent.program} works; only the model is scripted. No key, no network.`));

    const created = await hub.create(
      CreateLoopRequest.parse({
        name: "Demo: make the tests pass",
        directory: project,
        prompt: demoPrompt,
        maxIterations: demoIterations,
        ...agent.settings,
        start: {},
      }),
    );
    using progress = new Progress({ seesAll: true });
    const { id } = created;
    const view = await follow(ralpher, id, {
      from: created,
      signal: leaving.signal,
      show: (published, folded) => {
        if (options.json === true) {
          if (published.durable) printJson(published.event);
        } else progress.show(published, folded);
      },
    });
    progress[Symbol.dispose]();
    if (view === null || leaving.signal.aborted) {
      process.exitCode = interrupted;
      return;
    }
    for (const line of ending(view).slice(0, 3)) say(line);
    say(`\n${bold("The work")}`);
    const files = await hub.diff(id);
    for (const line of statLines(files)) say(line);
    const worktree = view.workspace?.directory ?? project;
    const passed = await runTests(worktree, withBun(process.env.PATH), say);
    say(dim(`\nThe whole took ${duration(Date.now() - began)}.`));
    if (options.json === true)
      printJson({ ...toLoop(view), files, testsPassed: passed, durationMs: Date.now() - began });
    process.exitCode = passed ? exitCodeOf(view.phase.status) : 11;

    const accept = `RALPHER_DATA_DIR=${dataDir} ${command} loop accept ${shortId(id)}`;
    if (server === null) {
      say(`In a project of yours you would now look at it and take it over: ralpher loop diff, ralpher loop accept.`);
      say(dim("This one was thrown away; ralpher demo --keep leaves project and dashboard open."));
      return;
    }
    say(`\nTake it over:  ${bold(accept)}`);
    say(`or press Accept at ${bold(`${server.url}/${id}`)} . Ctrl+C ends the dashboard; the files stay in ${root} .`);
    await untilAborted(leaving.signal);
  } catch (error) {
    keepFiles = false;
    throw error;
  } finally {
    if (!keepFiles) await rm(root, { recursive: true, force: true });
  }
}

async function openDashboard(hub: Parameters<typeof openServer>[0]["hub"]) {
  const onBug = (error: unknown) => logger("server").error("a bug: {error}", { error });
  const common = { hub, hostname: "127.0.0.1", port: 3000, tries: 50, token: null, version, onBug };
  return await openServer({ ...common, dashboard: ensureDashboard() });
}

/** Run the project's own tests on what the loop made: the proof that does not ask the agent. */
async function runTests(folder: string, path: string, say: (line: string) => void): Promise<boolean> {
  const env = { ...process.env, PATH: path, NO_COLOR: "1" };
  const tests = Bun.spawn(["bun", "test"], { cwd: folder, env, stdout: "ignore", stderr: "pipe" });
  const output = await new Response(tests.stderr).text();
  const passed = (await tests.exited) === 0;
  say(`\n${bold("Its tests")}  ${passed ? good("✓ pass") : bad("✗ fail")}`);
  for (const line of output.split("\n").filter((text) => /^\((pass|fail)\)/.test(text))) say(dim(`  ${line}`));
  return passed;
}

function untilAborted(signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  if (signal.aborted) resolve();
  signal.addEventListener("abort", () => resolve(), { once: true });
  return promise;
}
