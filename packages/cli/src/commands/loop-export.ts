import { createWriteStream } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { resolve } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { Fault, type LoopId, toLoop } from "@ralpher/contract";
import type { Ralpher } from "../compose.ts";
import { good } from "../print/style.ts";
import { print, printJson, withRalpher } from "../session.ts";

export interface ExportOptions {
  bundle?: true | undefined;
  output?: string | undefined;
  json?: true | undefined;
}

/** `ralpher loop export` */
export async function loopExport(text: string, { bundle, output, json }: ExportOptions): Promise<void> {
  if (bundle === true && output === undefined && process.stdout.isTTY === true) {
    throw wrong("--bundle", "it is packed, and no text for a terminal; give -o FILE, or pipe it somewhere");
  }
  await withRalpher(async (ralpher) => {
    const loopId = await ralpher.hub.resolve(text);
    const pieces = bundle === true ? ralpher.hub.exportBundle(loopId) : asText(ralpher, loopId);
    if (output === undefined) return await toStdout(pieces);
    const path = resolve(output);
    await toFile(pieces, path);
    if (json === true) return printJson({ loopId, path, bytes: Bun.file(path).size });
    print(
      `${good("✓")} ${path} (${Math.ceil(Bun.file(path).size / 1024)} kB). Elsewhere: ralpher loop import ${output}`,
    );
  });
}

async function* asText({ hub }: Ralpher, loopId: LoopId): AsyncGenerator<Uint8Array, void, void> {
  yield Buffer.from(`${JSON.stringify(toLoop(await hub.require(loopId)), null, 2)}\n`);
}

async function toStdout(pieces: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const piece of pieces) {
    if (!process.stdout.write(piece)) await new Promise<void>((drained) => process.stdout.once("drain", drained));
  }
}

/** The file is there when all of it is, and not before. */
async function toFile(pieces: AsyncIterable<Uint8Array>, path: string): Promise<void> {
  const unfinished = `${path}.part`;
  try {
    // Conversations are nobody else's business.
    await pipeline(Readable.from(pieces), createWriteStream(unfinished, { mode: 0o600 }));
    await rename(unfinished, path);
  } catch (error) {
    await rm(unfinished, { force: true });
    if ((error as NodeJS.ErrnoException).syscall === undefined) throw error;
    throw wrong("--output", (error as Error).message);
  }
}

function wrong(path: string, message: string): Fault {
  return new Fault("invalid_input", { what: "export", issues: [{ path, message }] });
}
