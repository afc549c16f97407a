import type { LineProblem } from "@ralpher/contract";
import { isFault } from "@ralpher/contract/fault";
import { printable } from "../print/printable.ts";
import { noteForLoops, notesVariable } from "./agents-notes.ts";
import { readArguments, UsageError } from "./arguments.ts";
import { commands, type Outcome } from "./commands.ts";
import { openItems } from "./compose.ts";
import { faultWords } from "./fault-words.ts";

/** Run `trc` with these arguments in the current folder. Resolves to the exit code when everything is written. */
export async function trc(args: string[]): Promise<number> {
  const [name = "", ...rest] = args;
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  const beforeDashes = rest.includes("--") ? rest.slice(0, rest.indexOf("--")) : rest;
  if (command === undefined || beforeDashes.includes("--help")) return await help(name, command);
  const spec = { ...command, options: { ...command.options, json: { help: "" } } };
  try {
    const given = readArguments(spec, rest);
    await using items = openItems(process.cwd(), tellProblem);
    const outcome = await command.run(given, items).catch((error): Outcome => {
      if (!isFault(error)) throw error;
      const words = faultWords(error, { command: name, id: given.words[0] });
      return { lines: [`Error: ${words}`], json: error.toJSON(), code: 1 };
    });
    const notes = process.env[notesVariable];
    if (notes !== undefined && notes !== "" && outcome.done !== undefined) noteForLoops(notes, outcome.done);
    for (const note of outcome.notes ?? []) process.stderr.write(`${printable(note)}\n`);
    await write(given.has("json") ? JSON.stringify(outcome.json, null, 2) : printable(outcome.lines.join("\n")));
    return outcome.code ?? 0;
  } catch (error) {
    if (error instanceof UsageError) {
      const { usage } = await import("./help.ts");
      const words = `${usage(name, command)}\nTry 'trc ${name} --help' for help.\n\nError: ${error.message}\n`;
      process.stderr.write(printable(words));
      return 2;
    }
    process.stderr.write(`trc: this is a bug in Ralpher:\n${Bun.inspect(error)}\n`);
    return 1;
  }
}

async function help(name: string, command: (typeof commands)[string] | undefined): Promise<number> {
  const { commandHelp, overview } = await import("./help.ts");
  if (command !== undefined) await write(commandHelp(name, command).trimEnd());
  else if (name === "--help" || name === "help") await write(overview().trimEnd());
  else {
    const wrong = name === "" ? "Missing command." : `No such command '${printable(name)}'.`;
    process.stderr.write(`${overview()}\nError: ${wrong}\n`);
    return 2;
  }
  return 0;
}

function tellProblem({ path, line, why }: LineProblem): void {
  process.stderr.write(
    printable(`Warning: ${path}, line ${line}: ${why}. It is kept in rejected.jsonl beside it when that is written.\n`),
  );
}

/** A reader that has seen enough, as `head`, is no error. */
async function write(text: string): Promise<void> {
  if (text === "") return;
  try {
    await Bun.write(Bun.stdout, `${text}\n`);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EPIPE") throw error;
  }
}
