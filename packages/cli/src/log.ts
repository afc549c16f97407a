import { configureSync, getLogger, getTextFormatter, type Logger } from "@logtape/logtape";
import type { Environment } from "./environment.ts";

/** Send Ralpher's own log to standard error, a line an entry. */
export function configureLog(level: Environment["logLevel"]): void {
  const write = getTextFormatter({ timestamp: "rfc3339" });
  configureSync({
    reset: true,
    sinks: { stderr: (record) => process.stderr.write(write(record)) },
    loggers: [
      { category: "ralpher", lowestLevel: level, sinks: ["stderr"] },
      { category: ["logtape", "meta"], lowestLevel: "error", sinks: ["stderr"] },
    ],
  });
}

export function logger(part: string): Logger {
  return getLogger(["ralpher", part]);
}
