import type { ToolCall } from "@ralpher/contract";
import { CopyButton } from "../../../parts/copy-button.tsx";
import { exactCount } from "../../../words/count.ts";

/** What a tool was given and what came of it, whole, as it was. */
export function ToolDetails({ tool }: { tool: ToolCall }) {
  const input = inputText(tool.input);
  const cut = tool.outputBytes > new TextEncoder().encode(tool.output).length;
  return (
    <div className="flex flex-col gap-2">
      {input !== "" && <Block title="Input" text={input} />}
      <Block
        title={cut ? `Output, shortened from ${exactCount(tool.outputBytes)} bytes` : "Output"}
        text={tool.output === "" ? "(nothing)" : tool.output}
        bad={tool.status === "error"}
      />
    </div>
  );
}

/** An input as a person would write it down: a line a field, texts as they are. */
function inputText(input: unknown): string {
  if (input === null || input === undefined) return "";
  if (typeof input !== "object" || Array.isArray(input)) return JSON.stringify(input, null, 2);
  return Object.entries(input)
    .map(([name, value]) => {
      if (typeof value !== "string") return `${name}: ${JSON.stringify(value, null, 2)}`;
      return value.includes("\n") ? `${name}:\n${value.replace(/^/gm, "  ")}` : `${name}: ${value}`;
    })
    .join("\n");
}

function Block({ title, text, bad = false }: { title: string; text: string; bad?: boolean }) {
  return (
    <section className="relative" aria-label={title}>
      <p className="pb-0.5 text-small text-soft">{title}</p>
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        tabIndex={0}
        className={`figure max-h-96 overflow-auto rounded-md bg-panel py-2 pr-9 pl-3 leading-5 break-words whitespace-pre-wrap ${bad ? "text-bad" : ""}`}
      >
        {text}
      </pre>
      <CopyButton
        text={text}
        what={`the ${title.split(",")[0]?.toLowerCase()}`}
        className="!absolute top-6 right-1 bg-panel"
      />
    </section>
  );
}
