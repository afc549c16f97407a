import { mkdir, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Script } from "@ralpher/contract";
import { embedded } from "../embedded.ts";
import type { Call, Dialect } from "./agents.ts";

/**
 * The demo's project: Roman numerals with three faults, and tests that show them. The scripted model mends one in each
 * iteration; the agent that does the reading, editing and testing is real.
 */
const faulty = {
  write: `const signs = [
  [1000, "M"], [500, "D"], [100, "C"], [50, "L"], [10, "X"], [5, "V"], [1, "I"],
];`,
  read: `  for (const sign of text) sum += value(sign);`,
  check: `export function toRoman(number) {
  let text = "";`,
};

const mended = {
  write: `const signs = [
  [1000, "M"], [900, "CM"], [500, "D"], [400, "CD"], [100, "C"], [90, "XC"],
  [50, "L"], [40, "XL"], [10, "X"], [9, "IX"], [5, "V"], [4, "IV"], [1, "I"],
];`,
  read: `  for (const [at, sign] of [...text].entries()) {
    const next = text[at + 1];
    // A smaller sign before a larger one is taken away: IX is nine.
    sum += next !== undefined && value(sign) < value(next) ? -value(sign) : value(sign);
  }`,
  check: `export function toRoman(number) {
  if (!Number.isInteger(number) || number < 1 || number > 3999) {
    throw new RangeError(\`\${number} has no Roman numeral\`);
  }
  let text = "";`,
};

const source = `${faulty.write}

const value = (sign) => signs.find(([, text]) => text === sign)[0];

${faulty.check}
  for (const [amount, sign] of signs) {
    while (number >= amount) {
      text += sign;
      number -= amount;
    }
  }
  return text;
}

export function fromRoman(text) {
  let sum = 0;
${faulty.read}
  return sum;
}
`;

const tests = `import { expect, test } from "bun:test";
import { fromRoman, toRoman } from "../src/roman.js";

test("writes plain numerals", () => {
  expect(toRoman(1)).toBe("I");
  expect(toRoman(2026)).toBe("MMXXVI");
});

test("writes fours and nines short", () => {
  expect(toRoman(4)).toBe("IV");
  expect(toRoman(1949)).toBe("MCMXLIX");
});

test("reads what it writes", () => {
  for (let n = 1; n < 4000; n++) expect(fromRoman(toRoman(n))).toBe(n);
});

test("refuses what has no numeral", () => {
  for (const n of [0, -1, 1.5, 4000]) expect(() => toRoman(n)).toThrow(RangeError);
});
`;

const files: Record<string, string> = {
  "package.json": `${JSON.stringify({ name: "roman", type: "module", scripts: { test: "bun test" } }, null, 2)}\n`,
  "README.md": "# roman\n\nRoman numerals, there and back. `bun test` should pass.\n",
  "src/roman.js": source,
  "test/roman.test.js": tests,
};

export const demoPrompt = "Make all tests of this project pass. Run them with `bun test`. Mend one fault at a time.";
export const demoIterations = 5;

const step = (text: string, tools: Call[]): Script["conversations"][number]["steps"][number] => ({
  text,
  tools,
  repeat: 1,
  delayMs: 0,
  deltaDelayMs: 0,
});

/** What the model says and does: the same prompt each time, so the iteration's number chooses. */
export function demoScript(dialect: Dialect): Script {
  return {
    usage: { inputTokens: 1200, outputTokens: 180 },
    conversations: [
      iteration(
        dialect,
        1,
        "fours and nines",
        faulty.write,
        mended.write,
        "Numerals such as IV and CM are written right now. Reading them back is next.",
      ),
      iteration(
        dialect,
        2,
        "reading",
        faulty.read,
        mended.read,
        "Reading is right now. Numbers without a numeral are still taken; that is next.",
      ),
      iteration(
        dialect,
        3,
        "refusing",
        faulty.check,
        mended.check,
        "Numbers that have no numeral are refused, and all tests pass.\n\n<promise>COMPLETE</promise>",
      ),
    ],
  };
}

function iteration(
  { read, write, edit, run }: Dialect,
  n: number,
  topic: string,
  before: string,
  after: string,
  last: string,
): Script["conversations"][number] {
  const done = ["fours and nines", "reading", "refusing"].slice(0, n);
  const plan = `# Plan\n\n1. fours and nines\n2. reading\n3. refusing\n`;
  const status = `# Status\n\nDone: ${done.join(", ")}.\nProof: \`bun test\`.\n`;
  return {
    when: `This is iteration ${n} `,
    steps: [
      step("I look at what is there, and at the tests.", [
        read(n === 1 ? "test/roman.test.js" : ".planning/status.md"),
        read("src/roman.js"),
      ]),
      step("", [run("bun test")]),
      step(`The fault is in ${topic}.`, [edit("src/roman.js", before, after)]),
      step("", [run("bun test")]),
      step("I write down how things stand.", [
        ...(n === 1 ? [write(".planning/plan.md", plan)] : []),
        write(".planning/status.md", status),
      ]),
      step(last, []),
    ],
  };
}

/** Write the project into a folder and make it a repository with one commit. */
export async function makeDemoProject(folder: string): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), content);
  }
  const author = ["-c", "user.name=Demo", "-c", "user.email=demo@localhost", "-c", "commit.gpgsign=false"];
  for (const args of [
    ["init", "-q", "-b", "main"],
    ["add", "-A"],
    [...author, "commit", "-q", "-m", "Roman numerals, with faults"],
  ]) {
    const git = Bun.spawn(["git", ...args], { cwd: folder, stdout: "ignore", stderr: "pipe" });
    if ((await git.exited) !== 0) throw new Error(`git ${args[0]}: ${await new Response(git.stderr).text()}`);
  }
}

/** A folder with a `bun` in it, so that the demo's tests run even where none is installed. */
export async function makeBunFolder(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  const bun = join(folder, "bun");
  if (embedded === null) await symlink(process.execPath, bun);
  else {
    // The single program has a whole Bun in it, which comes out when it is asked so.
    await writeFile(bun, `#!/bin/sh\nBUN_BE_BUN=1 exec '${process.execPath.replaceAll("'", "'\\''")}' "$@"\n`, {
      mode: 0o755,
    });
  }
  return folder;
}
