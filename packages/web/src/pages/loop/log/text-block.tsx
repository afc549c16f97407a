import { CopyButton } from "../../../parts/copy-button.tsx";

/** Text as it was, with a copy; it scrolls by itself when it is long. */
export function TextBlock({ text, what, bad = false }: { text: string; what: string; bad?: boolean }) {
  return (
    <div className="relative">
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        tabIndex={0}
        className={`figure max-h-96 overflow-auto rounded-md bg-panel py-2 pr-9 pl-3 leading-5 break-words whitespace-pre-wrap ${bad ? "text-bad" : ""}`}
      >
        {text}
      </pre>
      <CopyButton text={text} what={what} className="!absolute top-1 right-1 bg-panel" />
    </div>
  );
}
