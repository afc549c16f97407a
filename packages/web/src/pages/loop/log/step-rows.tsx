import { type ComponentType, useEffect, useState } from "react";
import type { LogEntry } from "../../../feed/log.ts";
import { At, Row } from "./row-frame.tsx";

export interface StepRowProps<K extends LogEntry["kind"]> {
  entry: Extract<LogEntry, { kind: K }>;
  open: boolean;
  onToggle: () => void;
}

/** A line whose words come with the first such row; until then it keeps its place. */
function lazyRow<K extends LogEntry["kind"]>(load: () => Promise<ComponentType<StepRowProps<K>>>) {
  let loaded: ComponentType<StepRowProps<K>> | null = null;
  return {
    Line(props: StepRowProps<K>) {
      const [Line, setLine] = useState(() => loaded);
      // biome-ignore lint/correctness/useExhaustiveDependencies: the same function for the page's whole life
      useEffect(() => {
        if (loaded !== null) return;
        load().then(
          (code) => {
            loaded = code;
            setLine(() => code);
          },
          // Without them the line stays as it is; the page says elsewhere that the server is gone.
          () => {},
        );
      }, []);
      if (Line !== null) return <Line {...props} />;
      return (
        <Row glyph={null} end={<At time={props.entry.at} />}>
          <p className="leading-5">…</p>
        </Row>
      );
    },
  };
}

/** A step of a SODA iteration. */
export const SodaRow = lazyRow<"soda">(async () => (await import("../soda/log-line.tsx")).SodaLine).Line;

/** What happened with a task and its vault. */
export const TaskRow = lazyRow<"task">(async () => (await import("../task/task-line.tsx")).TaskLine).Line;
