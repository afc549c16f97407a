import { accessSync, constants, mkdirSync, statfsSync } from "node:fs";
import { isFault } from "@ralpher/contract";
import { askVersion, compose, gitVersion } from "../compose.ts";
import { type Environment, readEnvironment, variables } from "../environment.ts";
import { attention, bad, bold, dim, good } from "../print/style.ts";
import { plural } from "../print/words.ts";
import { print, printJson } from "../session.ts";
import { version } from "../version.ts";

interface Finding {
  what: string;
  /** `ok`; `optional`: missing, but something works without it; `missing`: Ralpher needs it. */
  state: "ok" | "optional" | "missing";
  detail: string;
  /** What to do about it. */
  todo?: string;
}

/** `ralpher doctor`: exit code 0 when a loop can run, 3 when something it needs is missing. */
export async function doctor(options: { json?: true | undefined }): Promise<void> {
  const environment = readEnvironment();
  const findings = [
    { what: "Ralpher", state: "ok" as const, detail: `${version} on Bun ${Bun.version}` },
    await checkGit(),
    checkDataFolder(environment),
    ...(await checkDatabaseAndAgents(environment)),
  ];
  const works = findings.every(({ state }) => state !== "missing");
  const values = environmentValues(environment);
  if (options.json === true) printJson({ works, findings, environment: values });
  else {
    for (const finding of findings) for (const line of lines(finding)) print(line);
    print(`\n${bold("Environment")}`);
    for (const [name, { value, set, purpose }] of Object.entries(values)) {
      print(`  ${name.padEnd(18)} ${value}${set ? "" : dim(" (default)")}  ${dim(purpose)}`);
    }
    print(works ? good("\nLoops can run.") : bad("\nLoops cannot run yet; see ✗ above."));
  }
  process.exitCode = works ? 0 : 3;
}

async function checkGit(): Promise<Finding> {
  const git = await gitVersion();
  if (git === null) {
    return {
      what: "git",
      state: "missing",
      detail: "not found",
      todo: "Install git 2.30 or newer and put it on PATH.",
    };
  }
  return { what: "git", state: "ok", detail: `${git.version} at ${git.path}` };
}

function checkDataFolder({ dataDir }: Environment): Finding {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    accessSync(dataDir, constants.W_OK);
    const { bavail, bsize } = statfsSync(dataDir);
    const free = (bavail * bsize) / 1e9;
    const detail = `${dataDir}, ${free.toFixed(1)} GB free`;
    if (free >= 0.5) return { what: "data folder", state: "ok", detail };
    return { what: "data folder", state: "optional", detail, todo: "The disk is nearly full; free some space." };
  } catch (error) {
    const todo = "Make it writable, or set RALPHER_DATA_DIR to another folder.";
    return { what: "data folder", state: "missing", detail: (error as Error).message, todo };
  }
}

async function checkDatabaseAndAgents({ dataDir }: Environment): Promise<Finding[]> {
  try {
    await using ralpher = compose({ dataDir, runs: "adopted" });
    const [server] = await ralpher.journal.services();
    const loops = await ralpher.hub.count();
    const reports = await ralpher.hub.backends();
    const agents = reports
      .filter(({ type }) => type !== "scripted")
      .map(({ type, health }): Finding => {
        if (health.state === "ready")
          return { what: type, state: "ok", detail: `${health.version} at ${health.path ?? "?"}` };
        return { what: type, state: "optional", detail: `${health.state}: ${health.detail}`, todo: health.install };
      });
    if (agents.length > 0 && agents.every(({ state }) => state !== "ok")) {
      for (const agent of agents) agent.state = "missing";
    }
    return [
      { what: "database", state: "ok", detail: plural(loops, "loop") },
      await checkServer(server?.url),
      ...agents,
    ];
  } catch (error) {
    if (!isFault(error)) throw error;
    return [{ what: "database", state: "missing", detail: error.message }];
  }
}

async function checkServer(url: string | undefined): Promise<Finding> {
  if (url === undefined) return { what: "server", state: "ok", detail: 'not running ("ralpher serve" starts it)' };
  const running = await askVersion(url);
  if (running === version) return { what: "server", state: "ok", detail: `at ${url}` };
  return {
    what: "server",
    state: "optional",
    detail: running === null ? `at ${url}, which does not answer` : `at ${url}, version ${running}`,
    todo: "End it, and start it again: ralpher serve",
  };
}

function environmentValues(environment: Environment) {
  const values: Record<keyof typeof variables, string> = {
    RALPHER_DATA_DIR: environment.dataDir,
    RALPHER_HOST: environment.host,
    RALPHER_PORT: environment.port === null ? "3000 or the next free one" : String(environment.port),
    RALPHER_TOKEN: environment.token === null ? "none" : "(set)",
    RALPHER_LOG_LEVEL: environment.logLevel,
  };
  return Object.fromEntries(
    Object.entries(variables).map(([name, purpose]) => [
      name,
      { value: values[name as keyof typeof variables], set: (process.env[name] ?? "") !== "", purpose },
    ]),
  );
}

function lines({ what, state, detail, todo }: Finding): string[] {
  const glyph = { ok: good("✓"), optional: attention("!"), missing: bad("✗") }[state];
  return [`${glyph} ${what.padEnd(12)} ${detail}`, ...(todo === undefined ? [] : [`  ${" ".repeat(12)} ${todo}`])];
}
