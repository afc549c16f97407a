import type { CaptureRecord } from "@ralpher/contract";
import { accent, attention, bad, bold, dim, good } from "./style.ts";
import { toolLine } from "./tool-line.ts";
import { duration, moment, printable, usage } from "./words.ts";

/** A record of a captured conversation as lines of a terminal. `full`: tools with their whole input and output. */
export function recordLines(record: CaptureRecord, full: boolean): string[] {
  switch (record.type) {
    case "header": {
      const { agentType, role, backend, model, directory, at, title } = record;
      const by = model === undefined ? backend : `${backend}, ${model.providerID}/${model.modelID}`;
      return [
        `${bold(printable(title))}  ${dim([agentType, role].filter((word) => word !== undefined).join(" "))}`,
        dim(`${moment(at)} · ${by} · ${directory}`),
      ];
    }
    case "prompt":
      return [
        "",
        accent(record.wantsOutput ? "Prompt, for a structured answer" : "Prompt"),
        ...indented(record.text),
        "",
      ];
    case "session":
      return [dim(`  session ${printable(record.session.id)}`)];
    case "message":
      return record.kind === "text" ? indented(record.text) : indented(record.text).map(dim);
    case "tool":
      return full
        ? [
            toolLine(record.tool, ""),
            ...indented(textOf(record.tool.input), 6).map(dim),
            ...indented(record.tool.output, 6),
          ]
        : [toolLine(record.tool, "")];
    case "notice":
      return [attention(`  ! ${printable(record.text)}`)];
    case "outcome": {
      const last = dim(`${duration(record.durationMs)}, ${usage(record.usage)}`);
      if (record.outcome === "failed") {
        return [`${bad(`  ✗ ${record.failure?.reason}: ${printable(record.failure?.message ?? "")}`)}  ${last}`];
      }
      const answer = record.structured === undefined ? [] : indented(JSON.stringify(record.structured, null, 2));
      return [...answer, `${good("  ✓ done")}  ${last}`];
    }
    case "end":
      return ["", dim(`In all ${duration(record.durationMs)}, ${usage(record.usage)}`)];
  }
}

const textOf = (input: unknown) => (typeof input === "string" ? input : JSON.stringify(input, null, 2));

function indented(text: string, by = 2): string[] {
  const trimmed = printable(text).trim();
  return trimmed === "" ? [] : trimmed.split("\n").map((line) => " ".repeat(by) + line);
}
