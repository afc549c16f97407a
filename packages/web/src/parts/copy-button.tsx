import Check from "lucide-react/icons/check";
import Copy from "lucide-react/icons/copy";
import { useEffect, useState } from "react";
import { IconButton } from "./button.tsx";

const shownMs = 1_500;

/** Puts `text` on the clipboard and says that it did. `what` completes the sentence "Copy …". */
export function CopyButton({ text, what, className = "" }: { text: string; what: string; className?: string }) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), shownMs);
    return () => clearTimeout(timer);
  }, [copied]);
  return (
    <IconButton
      name={copied ? "Copied" : `Copy ${what}`}
      className={`relative z-10 !size-6 touch:!size-9 [&_svg]:!size-3.5 ${className}`}
      onClick={(event) => {
        event.stopPropagation();
        writeToClipboard(text).then(
          () => setCopied(true),
          () => setCopied(false),
        );
      }}
    >
      {copied ? <Check className="text-good" /> : <Copy />}
    </IconButton>
  );
}

/** The clipboard of the page, or the old way where the browser keeps the new one for https. */
async function writeToClipboard(text: string): Promise<void> {
  if (navigator.clipboard !== undefined) return navigator.clipboard.writeText(text);
  const area = document.createElement("textarea");
  area.value = text;
  area.className = "fixed opacity-0";
  document.body.append(area);
  area.select();
  document.execCommand("copy");
  area.remove();
}
