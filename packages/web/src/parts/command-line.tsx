import { CopyButton } from "./copy-button.tsx";

/** A command to type in a terminal, with a copy. */
export function CommandLine({ command }: { command: string }) {
  return (
    <div className="flex max-w-full items-center gap-2 rounded-md bg-panel py-1.5 pr-1.5 pl-3 ring-1 ring-line">
      <code className="figure min-w-0 flex-1 leading-5 [overflow-wrap:anywhere]">
        <span aria-hidden="true" className="text-soft select-none">
          ${" "}
        </span>
        {command}
      </code>
      <CopyButton text={command} what={`the command ${command}`} />
    </div>
  );
}
