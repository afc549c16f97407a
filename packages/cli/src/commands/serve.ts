import { compose, openServer } from "../compose.ts";
import { ensureDashboard } from "../dashboard-files.ts";
import { readEnvironment } from "../environment.ts";
import { configureLog, logger } from "../log.ts";
import { bold, dim } from "../print/style.ts";
import { print } from "../session.ts";
import { version } from "../version.ts";

const usualPort = 3000;
/** When nobody chose a port: how many to try from the usual one on. */
const tries = 50;

/** `ralpher serve` */
export async function serve(options: { host?: string | undefined; port?: number | undefined }): Promise<void> {
  const { dataDir, host, port, token, logLevel } = readEnvironment();
  configureLog(logLevel);
  const chosen = options.port ?? port;
  const asked = endAsked();
  await using ralpher = compose({ dataDir, runs: "all" });
  const [other] = await ralpher.journal.services();
  const dashboard = Promise.withResolvers<string | null>();
  await using server = await openServer({
    hub: ralpher.hub,
    hostname: options.host ?? host,
    port: chosen ?? usualPort,
    tries: chosen === null ? tries : 1,
    token,
    version,
    dashboard: dashboard.promise,
    onBug: (error) => logger("server").error("a bug: {error}", { error }),
  });
  // Only now that we listen: the API is there at once, and pages wait for the build.
  dashboard.resolve(ensureDashboard());
  await using _announced = await ralpher.journal.announce({ url: server.url });

  print(`${bold("Ralpher")} ${version} is at ${bold(server.url)}`);
  if (other !== undefined)
    print(dim(`Another server, at ${other.url}, works on the same data folder; they share the loops.`));
  print(dim(`Data in ${dataDir}. Ctrl+C ends it; loops under way go on at the next start.`));
  print();
  print(`Next: ${bold("bin/ralpher demo")} shows a whole loop, or in your own project:`);
  print(`  bin/ralpher loop run --dir PATH --prompt "Make the tests pass" --max-iterations 10`);
  await asked;
  print(dim("\nEnding: agents are stopped, their work is kept."));
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
