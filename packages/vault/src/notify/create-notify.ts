import type { Notification, RunProgram, TaskConfig, VaultProblem } from "@ralpher/contract";
import { configFile } from "../config/config-keys.ts";
import { postNote } from "./post-note.ts";
import { splitCommand } from "./split-command.ts";

const timeoutMs = 30_000;

export type Notify = (config: TaskConfig, note: Notification) => Promise<VaultProblem[]>;

/** Tell a human in the ways the config names, all at once. That there is no desktop is said once. */
export function createNotify(root: string, runProgram: RunProgram): Notify {
  let isDesktopTold = false;

  async function run(command: [string, ...string[]], env: Record<string, string | undefined>): Promise<string | null> {
    const signal = new AbortController().signal;
    const { exitCode, timedOut } = await runProgram({ command, directory: root, env, timeoutMs, signal });
    // What it printed may hold what nobody else should read.
    if (timedOut) return `${command[0]} took longer than ${timeoutMs / 1000} s`;
    if (exitCode === 127) return `${command[0]} was not found`;
    return exitCode === 0 ? null : `${command[0]} ended with ${exitCode ?? "a signal"}`;
  }

  async function onDesktop(note: Notification): Promise<string | null> {
    const command = desktopCommand(note);
    const problem =
      command === null ? "there is neither notify-send nor osascript on PATH" : await run(command, withoutToken);
    if (problem === null || isDesktopTold) return null;
    isDesktopTold = true;
    return problem;
  }

  async function byCommand(line: string, note: Notification): Promise<string | null> {
    const command = splitCommand(line);
    if (command === null) return "notify_command names no program, or a quote in it is never closed";
    return await run(command, {
      ...withoutToken,
      RALPHER_EVENT: note.event,
      RALPHER_TITLE: plain(note.title),
      RALPHER_MESSAGE: plain(note.message),
      RALPHER_PATH: plain(note.path),
    });
  }

  return async (config, note) => {
    if (!config[`notify_on_${note.event}`]) return [];
    const { notify_desktop, notify_webhook, notify_command } = config;
    const told = await Promise.all([
      notify_desktop ? onDesktop(note) : null,
      notify_webhook === undefined ? null : postNote(notify_webhook, note),
      notify_command === undefined ? null : byCommand(notify_command, note),
    ]);
    return told.flatMap((message) => (message === null ? [] : [{ path: configFile, message }]));
  };
}

/** Who holds the server's token may do everything; a program that shows a note needs it for nothing. */
const withoutToken = { RALPHER_TOKEN: undefined };

function desktopCommand({ title, message }: Notification): [string, ...string[]] | null {
  const send = Bun.which("notify-send");
  if (send !== null) {
    // Its body is markup.
    const body = message.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
    return [send, "--app-name=Ralpher", "--", plain(title), plain(body)];
  }
  const script = Bun.which("osascript");
  const show = "on run argv\ndisplay notification (item 2 of argv) with title (item 1 of argv)\nend run";
  return script === null ? null : [script, "-e", show, plain(title), plain(message)];
}

/** No program takes a zero byte in an argument or a variable. */
const plain = (text: string) => text.replaceAll("\0", "");
