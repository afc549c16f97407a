import X from "lucide-react/icons/x";
import { useNow } from "../../../feed/clock.ts";
import { firstLine } from "../../../words/cut.ts";
import { formatElapsed } from "../../../words/duration.ts";
import { TextBlock } from "../log/text-block.tsx";
import { Markdown } from "../markdown/markdown.tsx";
import { Ticked } from "../soda/ticked.tsx";
import { CheckLine } from "./check-line.tsx";
import type { Working } from "./task-model.ts";

/** What the iteration under way has come to: what the agent says of it, and whether the check agrees. */
export function WorkingNote({ working: { does, report, check }, since }: { working: Working; since: string | null }) {
  return (
    <div className="mt-1 flex flex-col gap-1.5">
      <p className="text-small text-run">
        <span>{does}</span>
        {since !== null && <Since at={Date.parse(since)} />}
      </p>
      {report !== null && <Markdown text={report.summary} />}
      {report?.error != null && report.error !== "" && <p className="text-bad">{report.error}</p>}
      {check !== null && <CheckLine check={check} />}
    </div>
  );
}

function Since({ at }: { at: number }) {
  return (
    <span aria-hidden="true" className="text-soft">
      {" "}
      · {formatElapsed(useNow(1_000) - at)}
    </span>
  );
}

/** Why a step is not done yet, after an earlier iteration. */
export function EarlierNote({ text }: { text: string }) {
  const first = firstLine(text);
  const isAll = text.trim() === first;
  const line = (
    <>
      <X aria-hidden="true" className="mr-1.5 inline size-3.5 align-[-2px] text-bad" />
      <span className="sr-only">Not done yet: </span>
      <Ticked text={first} />
    </>
  );
  if (isAll) return <p className="mt-1 text-soft">{line}</p>;
  return (
    <details className="mt-1">
      <summary className="w-fit max-w-full cursor-pointer list-none rounded-sm text-soft hover:text-ink touch:py-2 [&::-webkit-details-marker]:hidden">
        {line} <span className="text-small text-faint underline underline-offset-2">all of it</span>
      </summary>
      <div className="mt-1.5">
        <TextBlock text={text} what="what came of it" />
      </div>
    </details>
  );
}
