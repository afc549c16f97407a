import FileCheck from "lucide-react/icons/file-check";
import FlaskConical from "lucide-react/icons/flask-conical";
import Footprints from "lucide-react/icons/footprints";
import Hand from "lucide-react/icons/hand";
import MessageSquare from "lucide-react/icons/message-square";
import Milestone from "lucide-react/icons/milestone";
import SquareCheck from "lucide-react/icons/square-check";
import type { ReactNode } from "react";
import type { TaskEvent } from "../../../feed/log.ts";
import { meaningText } from "../../../parts/state-mark.tsx";
import { firstLine } from "../../../words/cut.ts";
import { At, FoldingRow, Row } from "../log/row-frame.tsx";
import type { StepRowProps } from "../log/step-rows.tsx";
import { TextBlock } from "../log/text-block.tsx";
import { Markdown } from "../markdown/markdown.tsx";
import { Ticked } from "../soda/ticked.tsx";
import { choiceWords } from "./hand-off-model.ts";
import { changesOf, wordsOf } from "./line-words.ts";

const glyphs: Partial<Record<TaskEvent["type"], ReactNode>> = {
  "loop.step.begun": <Footprints className="text-faint" />,
  "loop.step.verified": <FlaskConical className="text-faint" />,
  "loop.step.ticked": <SquareCheck className="text-good" />,
  "loop.handed_off": <Hand className="text-need" />,
  "loop.task.filed": <FileCheck className="text-faint" />,
};

/** What happened with a task in a line, and all there is to it when it is folded out. */
export function TaskLine({ entry: { event, at, before }, open, onToggle }: StepRowProps<"task">) {
  const { verb, text, meaning } = wordsOf(event, before);
  const isSaid = event.type === "loop.vault.looked" && event.injection !== undefined;
  const glyph = isSaid ? (
    <MessageSquare className="text-need" />
  ) : (
    (glyphs[event.type] ?? <Milestone className="text-faint" />)
  );
  const label = (
    <>
      <span className="shrink-0 font-medium">{verb}</span>
      <span className={`min-w-0 truncate ${meaningText[meaning]}`} title={text}>
        <Ticked text={firstLine(text)} />
      </span>
    </>
  );
  const details = detailsOf(event, before);
  if (details === null) {
    return (
      <Row glyph={glyph} end={<At time={at} />}>
        <p className="flex min-w-0 items-baseline gap-2 leading-5">{label}</p>
      </Row>
    );
  }
  return (
    <FoldingRow open={open} onToggle={onToggle} glyph={glyph} end={<At time={at} />} label={label}>
      <div className="flex flex-col gap-2 [overflow-wrap:anywhere]">{details}</div>
    </FoldingRow>
  );
}

function detailsOf(event: TaskEvent, before: StepRowProps<"task">["entry"]["before"]): ReactNode {
  switch (event.type) {
    case "loop.task.opened":
      return <p className="figure text-soft">{event.vault}</p>;
    case "loop.vault.looked":
      if (event.injection !== undefined) return <Markdown text={event.injection.text} />;
      return (
        <ul className="text-soft">
          {event.look !== null && changesOf(event.look, before).map(({ text }) => <li key={text}>{text}</li>)}
        </ul>
      );
    case "loop.step.begun": {
      const { path, text, verify } = event.step;
      return (
        <>
          {path.length > 0 && <p className="text-soft">{path.join(" › ")}</p>}
          <Markdown text={text} />
          {verify !== null && (
            <p className="text-soft">
              Done when <code className="figure text-ink">{verify}</code> ends with 0.
            </p>
          )}
        </>
      );
    }
    case "loop.step.reported": {
      const { summary, error, next_action: next, action } = event.report;
      return (
        <>
          <Markdown text={summary} />
          {error && <p className="text-bad">{error}</p>}
          <p className="figure text-soft">{next ? `${action}, next: ${next}` : action}</p>
        </>
      );
    }
    case "loop.step.verified":
      return <TextBlock text={event.check.output.trimEnd() || "It printed nothing."} what="what it printed" />;
    case "loop.handed_off":
      return (
        <p className="text-soft">Choices: {event.choices.map((choice) => choiceWords[choice].label).join(", ")}</p>
      );
    case "loop.task.filed":
      return event.report === null ? null : <p className="figure text-soft">{event.report}</p>;
    default:
      return null;
  }
}
