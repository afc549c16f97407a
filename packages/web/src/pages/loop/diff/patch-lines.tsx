import type { DiffLine } from "./patch.ts";

const looks = {
  same: "",
  add: "bg-good-tint",
  del: "bg-bad-tint",
  note: "text-soft italic",
};
const signs = { same: " ", add: "+", del: "−", note: " " };
const spoken = { same: "", add: "added: ", del: "removed: ", note: "" };

/** The lines of a small patch, one under the other. */
export function PatchLines({ lines, numbers = true }: { lines: DiffLine[]; numbers?: boolean }) {
  return (
    <div className="figure leading-5">
      {lines.map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a line has no identity but its place
        <div key={index} className={`flex ${looks[line.kind]}`}>
          {numbers && (
            <span className="w-10 shrink-0 pr-2 text-right text-soft select-none">{line.new ?? line.old}</span>
          )}
          <span aria-hidden="true" className="w-5 shrink-0 text-center text-soft select-none">
            {signs[line.kind]}
          </span>
          <span className="min-w-0 flex-1 pr-3 break-words whitespace-pre-wrap [overflow-wrap:anywhere]">
            <span className="sr-only">{spoken[line.kind]}</span>
            {line.text}
          </span>
        </div>
      ))}
    </div>
  );
}
