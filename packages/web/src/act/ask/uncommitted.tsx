import type { HandleUncommitted } from "@ralpher/contract";
import { Dialog } from "../../parts/dialog.tsx";
import { FileList } from "../../parts/file-list.tsx";
import { plural } from "../../words/count.ts";
import { Choices } from "./choices.tsx";

const choices: { value: HandleUncommitted; label: string; does: string }[] = [
  { value: "commit", label: "Commit them", does: "They become a commit on your branch, and the loop builds on it." },
  { value: "stash", label: "Stash them", does: "They are put aside, and come back when the loop ends." },
  {
    value: "ignore",
    label: "Leave them",
    does: "They stay where they are; a loop in a worktree of its own does not see them.",
  },
];

/** What is to happen to the changes in the user's checkout when a loop starts there. */
export function Uncommitted({
  directory,
  changedFiles,
  onChoose,
  onCancel,
}: {
  directory: string;
  changedFiles: string[];
  onChoose: (how: HandleUncommitted) => void;
  onCancel: () => void;
}) {
  return (
    <Dialog title="Uncommitted changes" onClose={onCancel}>
      <p className="mt-2 text-soft [overflow-wrap:anywhere]">
        <span className="figure">{directory}</span> has {plural(changedFiles.length, "changed file")}. What is to happen
        to {changedFiles.length === 1 ? "it" : "them"}?
      </p>
      <FileList files={changedFiles} className="mt-3" />
      <Choices choices={choices} onCancel={onCancel} onChoose={onChoose} />
    </Dialog>
  );
}
