import { Fault } from "@ralpher/contract";
import { RE2JS, RE2JSSyntaxException } from "re2js";

/**
 * A stop pattern, ready to be tried on an assistant's final text. RE2, so that no pattern of any user can hang us: time
 * is linear in the text. Trailing white space of the text does not count.
 * @throws Fault `invalid_input` saying what is wrong with the pattern
 */
export function compileStopPattern(pattern: string): (finalText: string) => boolean {
  const compiled = compile(pattern);
  return (finalText) => compiled.matcher(finalText.trimEnd()).find();
}

function compile(pattern: string): RE2JS {
  try {
    return RE2JS.compile(pattern);
  } catch (error) {
    if (!(error instanceof RE2JSSyntaxException)) throw error;
    const message = `${error.message} (RE2 syntax: no look-around, no back-references)`;
    throw new Fault(
      "invalid_input",
      { what: "stop pattern", issues: [{ path: "stopPattern", message }] },
      { cause: error },
    );
  }
}
