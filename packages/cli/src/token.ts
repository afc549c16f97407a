import { randomBytes } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { Fault } from "@ralpher/contract";

const loopback = new Set(["127.0.0.1", "localhost", "::1"]);

export interface Token {
  token: string;
  path: string;
  /** It was made just now: nobody knows it yet. */
  isNew: boolean;
}

/** Does a server at this address need a token? */
export function needsToken(host: string): boolean {
  return !loopback.has(host);
}

/**
 * The token kept in the data folder, readable by its owner only; made when there is none yet.
 * @throws Fault `data_root_unusable`
 */
export function ensureToken(dataDir: string): Token {
  const path = join(dataDir, "token");
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    const token = randomBytes(24).toString("base64url");
    try {
      writeFileSync(path, `${token}\n`, { flag: "wx", mode: 0o600 });
      return { token, path, isNew: true };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
    chmodSync(path, 0o600);
    const kept = readFileSync(path, "utf8").trim();
    if (kept.length >= 8) return { token: kept, path, isNew: false };
    throw new Error(`${path} holds no token; remove it to have one made`);
  } catch (error) {
    throw new Fault("data_root_unusable", { path: dataDir, detail: (error as Error).message }, { cause: error });
  }
}

/** The server's address as others reach it: one that listens everywhere is named by the machine's own address. */
export function addressForOthers(url: string): string {
  const address = new URL(url);
  const isEverywhere = address.hostname === "0.0.0.0" || address.hostname === "[::]";
  const outside = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .find(({ family, internal }) => family === "IPv4" && !internal);
  // The address of a container is nobody's but its host's, which maps a port of its own to it.
  if (isEverywhere) address.hostname = existsSync("/.dockerenv") ? "localhost" : (outside?.address ?? "localhost");
  return address.origin;
}
