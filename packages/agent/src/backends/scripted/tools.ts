import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import type { ScriptedTool, SessionRequest, ToolCall, ToolKind } from "@ralpher/contract";
import { startGuarded } from "../../process/guard.ts";
import { boundOutput } from "../../tool-output.ts";
import { refusalOf } from "../../tools/judge.ts";

type Performed = { status: ToolCall["status"]; output: string };
type Place = Pick<SessionRequest, "directory" | "tools" | "env">;
type Tool = (input: Record<string, unknown>, place: Place, signal: AbortSignal) => Promise<Performed>;

/** The tools that are really performed; any other name is reported with an empty output. */
const tools: Record<string, Tool> = {
  async write(input, { directory }) {
    const path = resolve(directory, text(input, "filePath"));
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text(input, "content"));
    return { status: "completed", output: "Wrote file successfully." };
  },
  async read(input, { directory }) {
    return { status: "completed", output: await readFile(resolve(directory, text(input, "filePath")), "utf8") };
  },
  async bash(input, { directory, env }, signal) {
    const command = startGuarded({
      // Both outputs in the order they were written.
      argv: ["sh", "-c", 'exec sh -c "$1" 2>&1', "sh", text(input, "command")],
      cwd: directory,
      env: { ...process.env, ...env },
    });
    const end = () => void command.end();
    signal.addEventListener("abort", end, { once: true });
    // Aborted before there was anything to end.
    if (signal.aborted) end();
    const [output, code] = await Promise.all([new Response(command.stdout).text(), command.exited]);
    signal.removeEventListener("abort", end);
    return { status: code === 0 ? "completed" : "error", output };
  },
};

const kinds: Partial<Record<string, ToolKind>> = { write: "edit", read: "read", bash: "run" };

/** Perform a tool call as an agent would, if it is allowed. A tool that fails is a call with status `error`; never throws. */
export async function runTool(call: ScriptedTool, id: string, place: Place, signal: AbortSignal): Promise<ToolCall> {
  const started = performance.now();
  const { status, output } = await perform(call, place, signal);
  const durationMs = Math.round(performance.now() - started);
  return { id, name: call.name, input: call.input, ...boundOutput(output), status, durationMs };
}

async function perform(call: ScriptedTool, place: Place, signal: AbortSignal): Promise<Performed> {
  if (call.rawInput !== undefined) return { status: "error", output: `These are no arguments: ${call.rawInput}` };
  const refusal = findRefusal(call, place);
  if (refusal !== null) return { status: "error", output: refusal };
  const tool = tools[call.name];
  if (tool === undefined) return { status: "completed", output: "" };
  try {
    return await tool(call.input, place, signal);
  } catch (error) {
    return { status: "error", output: String(error) };
  }
}

function findRefusal({ name, input }: ScriptedTool, { tools: access, directory }: Place): string | null {
  const { command, filePath } = input;
  return refusalOf(access, directory, {
    kind: kinds[name] ?? null,
    name,
    command: typeof command === "string" ? command : undefined,
    paths: typeof filePath === "string" ? [filePath] : [],
  });
}

function text(input: Record<string, unknown>, name: string): string {
  const value = input[name];
  if (typeof value !== "string") throw new TypeError(`The input "${name}" must be a text.`);
  return value;
}
