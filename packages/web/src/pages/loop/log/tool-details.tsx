import type { ToolCall } from "@ralpher/contract";
import { exactCount } from "../../../words/count.ts";
import { PatchLines } from "../diff/patch-lines.tsx";
import { TextBlock } from "./text-block.tsx";
import { type Edit, editsOf, plainInput } from "./tool-edits.ts";

/** What a tool was given and what came of it, whole, as it was; an edit as what it changed. */
export function ToolDetails({ tool }: { tool: ToolCall }) {
  const edits = editsOf(tool.input);
  const input = plainInput(tool.input, edits.length > 0);
  const cut = tool.outputBytes > new TextEncoder().encode(tool.output).length;
  return (
    <div className="flex flex-col gap-2">
      {edits.length > 0 && (
        <Part title={edits.length === 1 ? "Change" : `${edits.length} changes`}>
          <div className="flex flex-col gap-2">
            {edits.map((edit, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: an edit has no identity but its place
              <Change key={index} edit={edit} />
            ))}
          </div>
        </Part>
      )}
      {input !== "" && (
        <Part title="Input">
          <TextBlock text={input} what="the input" />
        </Part>
      )}
      <Part title={cut ? `Output, shortened from ${exactCount(tool.outputBytes)} bytes` : "Output"}>
        <TextBlock
          text={tool.output === "" ? "(nothing)" : tool.output}
          what="the output"
          bad={tool.status === "error"}
        />
      </Part>
    </div>
  );
}

function Part({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <section aria-label={title}>
      <p className="pb-0.5 text-small text-soft">{title}</p>
      {children}
    </section>
  );
}

function Change({ edit }: { edit: Edit }) {
  return (
    <div
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
      className="max-h-96 overflow-auto rounded-md bg-panel py-1"
    >
      <PatchLines lines={edit.lines} numbers={false} />
    </div>
  );
}
