import { closeQuestion, type Question, send } from "../act.ts";
import { Confirm } from "./confirm.tsx";
import { Conflict } from "./conflict.tsx";
import { Extend } from "./extend.tsx";
import { Method } from "./method.tsx";
import { PullRequestText } from "./pull-request.tsx";
import { StopVault } from "./stop-vault.tsx";
import { Uncommitted } from "./uncommitted.tsx";

/** The dialog for each question, in a file of code of their own: none is asked while a page is opened. */
export function Asked({ asked }: { asked: Question }) {
  switch (asked.ask) {
    case "confirm":
      return <Confirm asked={asked} />;
    case "uncommitted": {
      const { target, action, directory, changedFiles } = asked;
      return (
        <Uncommitted
          directory={directory}
          changedFiles={changedFiles}
          onCancel={closeQuestion}
          onChoose={(handleUncommitted) => {
            closeQuestion();
            void send(target, action, { handleUncommitted });
          }}
        />
      );
    }
    case "method":
      return <Method asked={asked} />;
    case "pull-request":
      return <PullRequestText asked={asked} />;
    case "extend":
      return <Extend asked={asked} />;
    case "stop-vault":
      return <StopVault asked={asked} />;
    case "conflict":
      return <Conflict asked={asked} />;
  }
}
