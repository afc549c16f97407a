import type { UpdateMethod } from "@ralpher/contract";
import { Dialog } from "../../parts/dialog.tsx";
import { closeQuestion, type QuestionOf, send } from "../act.ts";
import { Choices } from "./choices.tsx";

const choices: { value: UpdateMethod; label: string; does: string }[] = [
  { value: "merge", label: "Merge", does: "A merge commit on the loop's branch. Its commits stay as they are." },
  { value: "rebase", label: "Rebase", does: "The loop's commits are made anew on top, in a straight line." },
];

/** How the loop's branch gets what the branch it began from has got meanwhile. */
export function Method({ asked: { target, action } }: { asked: QuestionOf<"method"> }) {
  return (
    <Dialog title={`Update the branch of “${target.name}”`} onClose={closeQuestion}>
      <p className="mt-2 text-soft">
        The branch it began from has moved on. How is the loop's branch to get that? Nothing changes if the two
        conflict.
      </p>
      <Choices
        choices={choices}
        onCancel={closeQuestion}
        onChoose={(method) => {
          closeQuestion();
          void send(target, action, { method });
        }}
      />
    </Dialog>
  );
}
