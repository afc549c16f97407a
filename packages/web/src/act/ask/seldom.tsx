import type { Question } from "../act.ts";
import { Conflict } from "./conflict.tsx";
import { Extend } from "./extend.tsx";
import { Method } from "./method.tsx";
import { PullRequestText } from "./pull-request.tsx";

/** The questions that come up seldom, in a file of code of their own. */
export default function Seldom({ asked }: { asked: Question }) {
  switch (asked.ask) {
    case "method":
      return <Method asked={asked} />;
    case "pull-request":
      return <PullRequestText asked={asked} />;
    case "extend":
      return <Extend asked={asked} />;
    case "conflict":
      return <Conflict asked={asked} />;
    default:
      return null;
  }
}
