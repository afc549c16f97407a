import { commands, type TrcCommand } from "./commands.ts";

export function usage(name: string, { words, options }: TrcCommand): string {
  const required = Object.entries(options).flatMap(([key, spec]) => (spec.required ? [`--${key} ${spec.value}`] : []));
  const placed = words.map((word) => (word.many ? `${word.name}...` : word.name));
  return ["Usage: trc", name, ...placed, ...required, "[OPTIONS]"].join(" ");
}

export function commandHelp(name: string, command: TrcCommand): string {
  const rows = Object.entries(command.options).map(([key, { short, value, help, required }]): [string, string] => [
    `${short === undefined ? "    " : `-${short}, `}--${key}${value === undefined ? "" : ` ${value}`}`,
    required ? `${help} (required)` : help,
  ]);
  return `${usage(name, command)}\n\n${command.summary}.\n\nOptions:\n${table([
    ...rows,
    ["    --json", "print JSON for scripts"],
    ["    --help", "print this"],
  ])}\n`;
}

export function overview(): string {
  const rows = Object.entries(commands).map(([name, { summary }]): [string, string] => [name, summary]);
  return `Usage: trc COMMAND [ARGS]... [OPTIONS]

Work items that live with the repository, for people and agents. The storage is Trace's.

Commands:
${table(rows)}

trc COMMAND --help lists the options; --json makes every command print JSON.
Exit codes: 0 done, 1 it could not be done, 2 wrong usage.
`;
}

function table(rows: [string, string][]): string {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join("\n");
}
