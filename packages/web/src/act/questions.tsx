import type { HandleUncommitted } from "@ralpher/contract";
import { useStore } from "../feed/store.ts";
import { Button } from "../parts/button.tsx";
import { Dialog } from "../parts/dialog.tsx";
import type { ActionName } from "../words/actions.ts";
import { plural } from "../words/count.ts";
import { type Question, question, send } from "./act.ts";

const consequences: Partial<Record<ActionName, string>> = {
  stop: "The agent is ended now, in the middle of what it does. What it has done so far is kept, and you can start the loop again.",
  accept:
    "Its branch is merged into the branch it began from, with a merge commit. “ralpher loop diff” in a terminal shows what it changed.",
  discard:
    "Its branch and its worktree are removed and nothing is merged. What was in them stays findable in git, under refs/ralpher/trash.",
  delete: "The loop, its log and its worktree are removed. This cannot be taken back.",
};

const choices: { how: HandleUncommitted; label: string; does: string }[] = [
  { how: "commit", label: "Commit them", does: "They become a commit on your branch, and the loop builds on it." },
  { how: "stash", label: "Stash them", does: "They are put aside, and come back when the loop ends." },
  {
    how: "ignore",
    label: "Leave them",
    does: "They stay where they are; a loop in a worktree of its own does not see them.",
  },
];

const close = () => question.set(null);

/** The dialogs that stand between a press and what it does. */
export function Questions() {
  const asked = useStore(question, (value) => value);
  if (asked === null) return null;
  return asked.ask === "confirm" ? <Confirm asked={asked} /> : <Uncommitted asked={asked} />;
}

function Confirm({ asked: { target, action } }: { asked: Extract<Question, { ask: "confirm" }> }) {
  return (
    <Dialog title={`${action.label} “${target.name}”?`} onClose={close}>
      <p className="mt-2 text-soft">{consequences[action.name]}</p>
      <div className="mt-5 flex justify-end gap-2">
        {/* Enter must not destroy: the way back has the focus. */}
        <Button autoFocus onClick={close}>
          Cancel
        </Button>
        <Button
          look={action.name === "accept" ? "filled" : "danger"}
          onClick={() => {
            close();
            void send(target, action);
          }}
        >
          {action.label}
        </Button>
      </div>
    </Dialog>
  );
}

function Uncommitted({ asked }: { asked: Extract<Question, { ask: "uncommitted" }> }) {
  const { target, action, directory, changedFiles } = asked;
  const shown = changedFiles.slice(0, 8);
  return (
    <Dialog title="Uncommitted changes" onClose={close}>
      <p className="mt-2 text-soft [overflow-wrap:anywhere]">
        <span className="figure">{directory}</span> has {plural(changedFiles.length, "changed file")}. What is to happen
        to them?
      </p>
      <ul className="figure mt-3 rounded-md bg-panel px-3 py-2">
        {shown.map((file) => (
          <li key={file} className="truncate" title={file}>
            {file}
          </li>
        ))}
        {changedFiles.length > shown.length && (
          <li className="text-soft">and {changedFiles.length - shown.length} more</li>
        )}
      </ul>
      <div className="mt-4 flex flex-col gap-2">
        {choices.map(({ how, label, does }) => (
          <button
            key={how}
            type="button"
            className="rounded-md border border-edge px-3 py-1.5 text-left hover:bg-raise"
            onClick={() => {
              close();
              void send(target, action, { handleUncommitted: how });
            }}
          >
            <span className="block font-medium">{label}</span>
            <span className="block text-soft">{does}</span>
          </button>
        ))}
      </div>
      <div className="mt-4 flex justify-end">
        <Button autoFocus onClick={close}>
          Cancel
        </Button>
      </div>
    </Dialog>
  );
}
