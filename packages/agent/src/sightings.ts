import { expect } from "bun:test";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

const columns = [
  "structured output",
  "tools that are not allowed",
  "tokens",
  "cost",
  "answers counted",
  "cancel",
  "resume",
] as const;
type Column = (typeof columns)[number];

const guide = join(import.meta.dir, "../../../docs/agents.md");

/** What the conformance suite saw a backend do: its row in the guide's table. */
export interface Sightings {
  see(column: Column, what: string): void;
  /** Expect the guide to say the same. With RALPHER_WRITE_GUIDE=1 write it there instead. Needs a run of the whole suite. */
  compare(): Promise<void>;
}

export function createSightings(backend: string): Sightings {
  const seen = new Map<Column, string>();
  return {
    see(column, what) {
      seen.set(column, what);
    },
    async compare() {
      const row = `| ${[backend, ...columns.map((column) => seen.get(column) ?? "?")].join(" | ")} |`;
      const text = await readFile(guide, "utf8");
      const lines = text.split("\n");
      const at = lines.findIndex((line) => line.startsWith(`| ${backend} `));
      if (process.env.RALPHER_WRITE_GUIDE === "1") {
        lines[at] = row;
        await writeFile(guide, lines.join("\n"));
      } else expect(lines[at]?.replace(/ +/g, " ")).toBe(row);
    },
  };
}
