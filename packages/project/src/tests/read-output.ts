import { stripVTControlCharacters } from "node:util";
import { readBun } from "./runners/bun.ts";
import { readCargo } from "./runners/cargo.ts";
import { readGo } from "./runners/go.ts";
import { readJest } from "./runners/jest.ts";
import { readMocha } from "./runners/mocha.ts";
import { readNodeSpec } from "./runners/node-spec.ts";
import { readPytest } from "./runners/pytest.ts";
import { readTap } from "./runners/tap.ts";
import { readUnittest } from "./runners/unittest.ts";
import { readVitest } from "./runners/vitest.ts";
import type { Reader, Told } from "./told.ts";

const readers: Reader[] = [
  readBun,
  readVitest,
  readJest,
  readMocha,
  readNodeSpec,
  readTap,
  readPytest,
  readUnittest,
  readCargo,
  readGo,
];

/**
 * What the tests' output says, whatever command ran them: a script may run several runners, whose numbers are added up.
 * Null when it is of no runner that is known. Pure. `directory`: where they ran, which is left out of names.
 */
export function readOutput(output: string, directory: string): Told | null {
  const lines = stripVTControlCharacters(output).split(/\r?\n/);
  const told = readers.map((read) => read(lines)).filter((one) => one !== null);
  if (told.length === 0) return null;
  return {
    passed: told.some(({ passed }) => passed === null)
      ? null
      : told.reduce((sum, { passed }) => sum + (passed ?? 0), 0),
    failed: told.reduce((sum, { failed }) => sum + failed, 0),
    failing: [...new Set(told.flatMap(({ failing }) => failing).map((name) => name.replaceAll(`${directory}/`, "")))],
    hasNone: told.every(({ hasNone }) => hasNone),
  };
}
