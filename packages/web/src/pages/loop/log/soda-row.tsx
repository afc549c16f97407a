import { type ComponentType, useEffect, useState } from "react";
import type { SodaEvent } from "../../../feed/log.ts";
import { At, Row } from "./row-frame.tsx";

export interface SodaRowProps {
  event: SodaEvent;
  /** Epoch milliseconds. */
  at: number;
  open: boolean;
  onToggle: () => void;
}

let Loaded: ComponentType<SodaRowProps> | null = null;

/** A step of a SODA iteration. Its words come with the first such row; until then the line keeps its place. */
export function SodaRow(props: SodaRowProps) {
  const [Line, setLine] = useState(() => Loaded);
  useEffect(() => {
    if (Loaded !== null) return;
    import("../soda/log-line.tsx").then(
      ({ SodaLine }) => {
        Loaded = SodaLine;
        setLine(() => SodaLine);
      },
      // Without them the line stays as it is; the page says elsewhere that the server is gone.
      () => {},
    );
  }, []);
  if (Line !== null) return <Line {...props} />;
  return (
    <Row glyph={null} end={<At time={props.at} />}>
      <p className="leading-5">…</p>
    </Row>
  );
}
