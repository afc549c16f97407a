import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { parse } from "@ralpher/contract";
import { z } from "zod";

const Variables = z.object({
  RALPHER_DATA_DIR: z.string().optional(),
  RALPHER_HOST: z.string().optional(),
  RALPHER_PORT: z.string().regex(/^\d+$/, "is not a port").transform(Number).pipe(z.number().max(65535)).optional(),
  RALPHER_TOKEN: z.string().min(8, "is too short for a secret: 8 characters at least").optional(),
  RALPHER_LOG_LEVEL: z.enum(["debug", "info", "warning", "error"]).optional(),
});

export interface Environment {
  dataDir: string;
  host: string;
  /** Null: nobody chose one. */
  port: number | null;
  token: string | null;
  logLevel: "debug" | "info" | "warning" | "error";
}

/** What each variable is for; `ralpher doctor` lists them. */
export const variables = {
  RALPHER_DATA_DIR: "the one folder for everything Ralpher keeps",
  RALPHER_HOST: "address the server listens on",
  RALPHER_PORT: "port the server listens on",
  RALPHER_TOKEN: "secret that lets others in; for any address but loopback one is made when it is not set",
  RALPHER_LOG_LEVEL: "debug, info, warning or error",
} as const;

/** The settings of the environment. An empty variable counts as not set. @throws Fault `invalid_input` */
export function readEnvironment(env: Record<string, string | undefined> = process.env): Environment {
  const set = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ""));
  const read = parse(Variables, set, "environment");
  return {
    dataDir: resolve(read.RALPHER_DATA_DIR ?? join(homedir(), ".ralpher")),
    host: read.RALPHER_HOST ?? "127.0.0.1",
    port: read.RALPHER_PORT ?? null,
    token: read.RALPHER_TOKEN ?? null,
    logLevel: read.RALPHER_LOG_LEVEL ?? "info",
  };
}
