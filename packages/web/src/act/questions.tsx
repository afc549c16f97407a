import { lazy, Suspense } from "react";
import { useStore } from "../feed/store.ts";
import { closeQuestion, question, send } from "./act.ts";
import { Confirm } from "./ask/confirm.tsx";
import { Uncommitted } from "./ask/uncommitted.tsx";

/** Asked seldom: their code comes with the first of them. */
const Seldom = lazy(() => import("./ask/seldom.tsx"));

/** The dialogs that stand between a press and what it does. */
export function Questions() {
  const asked = useStore(question, (value) => value);
  if (asked === null) return null;
  if (asked.ask === "confirm") return <Confirm asked={asked} />;
  if (asked.ask === "uncommitted") {
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
  return (
    <Suspense fallback={null}>
      <Seldom key={`${asked.ask} ${asked.target.id}`} asked={asked} />
    </Suspense>
  );
}
