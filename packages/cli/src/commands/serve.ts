import type { LoopSummary } from "@ralpher/contract";
import { compose, openServer } from "../compose.ts";
import { ensureDashboard } from "../dashboard-files.ts";
import { command } from "../embedded.ts";
import { readEnvironment } from "../environment.ts";
import { configureLog, logger } from "../log.ts";
import { bold, dim } from "../print/style.ts";
import { cut, plural } from "../print/words.ts";
import { print } from "../session.ts";
import { addressForOthers, ensureToken, needsToken, type Token } from "../token.ts";
import { version } from "../version.ts";

const usualPort = 3000;
/** When nobody chose a port: how many to try from the usual one on. */
const tries = 50;

/** `ralpher serve` */
export async function serve(options: { host?: string | undefined; port?: number | undefined }): Promise<void> {
  const { dataDir, host, port, token, logLevel } = readEnvironment();
  const hostname = options.host ?? host;
  configureLog(logLevel);
  const chosen = options.port ?? port;
  const asked = endAsked();
  const made = token === null && needsToken(hostname) ? ensureToken(dataDir) : null;
  await using ralpher = compose({ dataDir, runs: "all" });
  const [other] = await ralpher.journal.services();
  const dashboard = Promise.withResolvers<string | null>();
  await using server = await openServer({
    hub: ralpher.hub,
    hostname,
    port: chosen ?? usualPort,
    tries: chosen === null ? tries : 1,
    token: token ?? made?.token ?? null,
    version,
    dashboard: dashboard.promise,
    onBug: (error) => logger("server").error("a bug: {error}", { error }),
  });
  // Only now that we listen: the API is there at once, and pages wait for the build.
  dashboard.resolve(ensureDashboard());
  await using _announced = await ralpher.journal.announce({ url: server.url });

  print(`${bold("Ralpher")} ${version} is at ${bold(server.url)}`);
  if (needsToken(hostname)) for (const line of wayIn(addressForOthers(server.url), made)) print(line);
  if (other !== undefined)
    print(dim(`Another server, at ${other.url}, works on the same data folder; they share the loops.`));
  print(dim(`Data in ${dataDir}. Ctrl+C ends it; loops under way go on at the next start.`));
  const tasks = (await ralpher.hub.list({})).filter(({ config }) => config.strategy === "task").filter(isGoing);
  if (tasks.length > 0) print(`Goes on with ${plural(tasks.length, "task")}: ${namesOf(tasks)}`);
  print();
  print(`Next: ${bold(`${command} demo`)} shows a whole loop, or in your own project:`);
  print(`  ${command} loop run --dir PATH --prompt "Make the tests pass" --max-iterations 10`);
  await asked;
  print(dim("\nEnding: agents are stopped, their work is kept."));
}

const isGoing = ({ state }: LoopSummary) => ["starting", "running", "waiting"].includes(state.status);

function namesOf(tasks: LoopSummary[]): string {
  const names = tasks.slice(0, 5).map(({ config }) => cut(config.name, 60));
  return [...names, ...(tasks.length > names.length ? [`and ${tasks.length - names.length} more`] : [])].join(", ");
}

/** How others come in. The token is told once, when it is new; logs are read by many. */
function wayIn(url: string, made: Token | null): string[] {
  if (made === null) return [`Others come in at ${bold(url)} with RALPHER_TOKEN.`];
  if (!made.isNew) return [`Others come in at ${bold(url)} with the token in ${made.path}.`];
  return [`Others come in at ${bold(`${url}/?token=${made.token}`)}`, dim(`The token is kept in ${made.path}.`)];
}

/** Resolves at the first signal to end; a second one ends at once. */
function endAsked(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.once(signal, () => {
      resolve();
      process.once(signal, () => process.exit(130));
    });
  }
  return promise;
}
