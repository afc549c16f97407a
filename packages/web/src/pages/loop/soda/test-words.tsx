import type { TestResult } from "@ralpher/contract";
import { testWords } from "./test-result.ts";

/** A run of the tests: the figures, and folded away what it printed. */
export function TestLine({ name, result }: { name: string; result: TestResult }) {
  const words = testWords(result);
  if (words === null || result.kind === "none") {
    return <p className="text-soft">{name}: nothing says how to run tests here.</p>;
  }
  return (
    <details className="group/test">
      <summary className="w-fit cursor-pointer rounded-sm touch:py-2">
        <span className="text-soft">{name}: </span>
        <span className={words.good ? "text-good" : "text-bad"}>{words.text}</span>
      </summary>
      <div className="mt-1 rounded-md bg-panel px-3 py-2">
        <p className="figure text-soft">{result.command}</p>
        <pre
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
          tabIndex={0}
          className="figure mt-1 max-h-60 overflow-auto whitespace-pre-wrap"
        >
          {result.tail}
        </pre>
      </div>
    </details>
  );
}
