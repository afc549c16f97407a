import { createReadStream } from "node:fs";
import { Fault, LoopImport, parse, parseJson, shortId, toLoop } from "@ralpher/contract";
import { good } from "../print/style.ts";
import { cut, plural } from "../print/words.ts";
import { print, printJson, withRalpher } from "../session.ts";

const megabyte = 1024 * 1024;
/** A loop without its history is far smaller. In bytes. */
const largestLoop = 16 * megabyte;

/** `ralpher loop import` */
export async function loopImport(file: string, { json }: { json?: true | undefined }): Promise<void> {
  await withRalpher(async ({ hub }) => {
    const bytes = read(file);
    const first = (await bytes.next()).value ?? new Uint8Array();
    const all = startingWith(first, bytes);
    const view = await hub.importLoop(isPacked(first) ? all : parse(LoopImport, await readJson(all), "loop"));
    if (json === true) return printJson(toLoop(view));
    const id = shortId(view.id);
    print(`${good("✓")} Loop ${id}, ${cut(view.config.name, 80)}, ${plural(view.iteration, "iteration")}.`);
    // Nobody should learn of it by starting the loop.
    const { command } = view.config.backend;
    if (command !== undefined)
      print(`It brings a command of its own, which a start runs: ${cut(command.join(" "), 500)}`);
    print(`It rests; its branch is not here. Begin with a new one: ralpher loop start ${id}`);
  });
}

async function* read(file: string): AsyncGenerator<Uint8Array, void, void> {
  try {
    yield* file === "-" ? process.stdin : createReadStream(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).syscall === undefined) throw error;
    throw wrong((error as Error).message, error);
  }
}

async function* startingWith(
  first: Uint8Array,
  rest: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, void> {
  yield first;
  yield* rest;
}

/** The two bytes that every gzip file begins with. */
const isPacked = (bytes: Uint8Array): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b;

async function readJson(bytes: AsyncIterable<Uint8Array>): Promise<unknown> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of bytes) {
    pieces.push(piece);
    size += piece.length;
    if (size > largestLoop) throw new Fault("too_large", { what: "loop", limit: `${largestLoop / megabyte} MB` });
  }
  return parseJson(Buffer.concat(pieces).toString(), "file", "it is neither a bundle nor JSON");
}

function wrong(message: string, cause: unknown): Fault {
  return new Fault("invalid_input", { what: "file", issues: [{ path: "(root)", message }] }, { cause });
}
