import Compass from "lucide-react/icons/compass";
import FlaskConical from "lucide-react/icons/flask-conical";
import ListTree from "lucide-react/icons/list-tree";
import Milestone from "lucide-react/icons/milestone";
import Radar from "lucide-react/icons/radar";
import ScrollText from "lucide-react/icons/scroll-text";
import type { ReactNode } from "react";
import { useParams } from "wouter";
import type { SodaEvent } from "../../../feed/log.ts";
import { meaningText } from "../../../parts/state-mark.tsx";
import { firstLine } from "../../../words/cut.ts";
import { At, FoldingRow } from "../log/row-frame.tsx";
import type { StepRowProps } from "../log/step-rows.tsx";
import { TextBlock } from "../log/text-block.tsx";
import { Markdown } from "../markdown/markdown.tsx";
import { Gaps } from "./gaps.tsx";
import { wordsOf } from "./log-words.ts";
import { ItemChanges } from "./orient-phase.tsx";
import { SenseWords } from "./sense-phase.tsx";
import { TestLine } from "./test-words.tsx";
import { Ticked } from "./ticked.tsx";

const glyphs: Partial<Record<SodaEvent["type"], ReactNode>> = {
  "loop.sensed": <Radar className="text-faint" />,
  "loop.oriented": <Compass className="text-faint" />,
  "loop.planned": <ListTree className="text-faint" />,
  "loop.tested": <FlaskConical className="text-faint" />,
  "loop.prompt": <ScrollText className="text-faint" />,
};

/** A step of a SODA iteration in a line, and all it brought when it is folded out. */
export function SodaLine({ entry: { event, at }, open, onToggle }: StepRowProps<"soda">) {
  const { verb, text, meaning } = wordsOf(event);
  return (
    <FoldingRow
      open={open}
      onToggle={onToggle}
      glyph={glyphs[event.type] ?? <Milestone className="text-faint" />}
      end={<At time={at} />}
      label={
        <>
          <span className="shrink-0 font-medium">{verb}</span>
          <span className={`min-w-0 truncate ${meaningText[meaning]}`}>
            <Ticked text={firstLine(text)} />
          </span>
        </>
      }
    >
      <div className="@container flex flex-col gap-2 [overflow-wrap:anywhere]">
        <Details event={event} />
      </div>
    </FoldingRow>
  );
}

function Details({ event }: { event: SodaEvent }) {
  const { id = "" } = useParams<{ id: string }>();
  switch (event.type) {
    case "loop.bootstrapped":
      return <p className="text-soft">{[...event.notes, event.project.home].join(" · ")}</p>;
    case "loop.spec":
      return (
        <>
          <p className="figure text-soft">{event.spec.path}</p>
          <Markdown text={event.spec.text} look={{ breaks: false, headingLevel: 3 }} />
        </>
      );
    case "loop.sensed":
      return <SenseWords claims={event.claims} />;
    case "loop.oriented": {
      const { summary, criteria, gaps } = event.orientation;
      return (
        <>
          <Markdown text={summary} />
          <Gaps gaps={gaps} />
          <ul className="text-soft">
            {criteria.map(({ criterion, satisfied, note }) => (
              <li key={criterion}>
                {satisfied === true ? "✓ " : satisfied === false ? "✕ " : "? "}
                <Ticked text={note === undefined ? criterion : `${criterion}: ${note}`} />
              </li>
            ))}
          </ul>
        </>
      );
    }
    case "loop.planned":
      return (
        <>
          {event.plan !== null && (
            <>
              <p>{event.plan.approach}</p>
              <ol className="list-decimal pl-5">
                {event.plan.tasks.map((task) => (
                  <li key={task.id}>{task.title}</li>
                ))}
              </ol>
            </>
          )}
          <ItemChanges id={id} changes={event.changes} />
          {event.refused.map(({ what, why }) => (
            <p key={what} className="text-soft">
              Refused {what}: {why}
            </p>
          ))}
        </>
      );
    case "loop.tested":
      return (
        <>
          <TestLine name={event.taskId === null ? "Tests before" : "Tests"} result={event.result} />
          {event.regression?.tests.map((name) => (
            <p key={name} className="text-bad">
              {name}
            </p>
          ))}
        </>
      );
    case "loop.task.reported":
      return <Markdown text={event.report.summary} />;
    case "loop.set_aside":
      return <p className="figure text-soft">git show {event.ref}</p>;
    case "loop.task.end":
      return (
        <>
          <p>{event.reason ?? `Work item ${event.taskId}`}</p>
          <ItemChanges id={id} changes={event.changes} />
          {event.learnings.map((text) => (
            <p key={text} className="text-soft">
              Learned: {text}
            </p>
          ))}
        </>
      );
    case "loop.branch.merged":
      return (
        <>
          <p className="figure text-soft">{event.branch}</p>
          {event.conflict?.map((path) => (
            <p key={path} className="figure text-bad">
              {path}
            </p>
          ))}
          <ItemChanges id={id} changes={event.changes} />
        </>
      );
    case "loop.summarised":
      return (
        <>
          <p className="figure text-soft">{event.path}</p>
          <Markdown text={event.text} look={{ breaks: false, headingLevel: 3 }} />
        </>
      );
    case "loop.prompt":
      return <TextBlock text={event.text} what="the prompt" />;
    default:
      return <p>{wordsOf(event).text}</p>;
  }
}
