import { useState } from "react";
import { Button } from "../../parts/button.tsx";
import { Check } from "../../parts/check.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import type { ActionName } from "../../words/actions.ts";
import { closeQuestion, type QuestionOf, send } from "../act.ts";

const consequences: Partial<Record<ActionName, string>> = {
  stop: "The agent is ended now, in the middle of what it does. What it has done so far is kept, and you can start the loop again.",
  accept: "Its branch is merged into the branch it began from. Nothing changes if the two conflict.",
  discard: "Its branch and its worktree are removed and nothing is merged. You can have them back with Restore.",
  delete: "The loop, its log and its worktree are removed. This cannot be taken back.",
};

/** A yes or a no. */
export function Confirm({ asked: { target, action } }: { asked: QuestionOf<"confirm"> }) {
  const [squash, setSquash] = useState(action.body?.squash === true);
  const accepts = action.name === "accept";
  return (
    <Dialog title={`${action.label} “${target.name}”?`} onClose={closeQuestion}>
      <p className="mt-2 text-soft">{consequences[action.name]}</p>
      {accepts && (
        <Check
          checked={squash}
          onChange={setSquash}
          label="Squash"
          hint="One plain commit with all the changes, in place of a merge commit."
          className="mt-4"
        />
      )}
      <div className="mt-5 flex justify-end gap-2">
        {/* Enter must not destroy: the way back has the focus. */}
        <Button data-first-focus onClick={closeQuestion}>
          Cancel
        </Button>
        <Button
          look={accepts ? "filled" : "danger"}
          onClick={() => {
            closeQuestion();
            void send(target, action, squash ? { squash: true } : {});
          }}
        >
          {action.label}
        </Button>
      </div>
    </Dialog>
  );
}
