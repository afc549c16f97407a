import { useState } from "react";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Field, inputLook } from "../../parts/field.tsx";
import { FileList } from "../../parts/file-list.tsx";
import { branchActions } from "../../words/actions.ts";
import { mendWords } from "../../words/conflict.ts";
import { plural } from "../../words/count.ts";
import { act, closeQuestion, type QuestionOf, say } from "../act.ts";

/** Two branches changed the same lines. Nothing was done; the agent can mend it, or another way of updating may do. */
export function Conflict({ asked }: { asked: QuestionOf<"conflict"> }) {
  const { target, branch, into, files, tried } = asked;
  const [text, setText] = useState(() => mendWords(into, files));
  return (
    <Dialog
      title={`It conflicts with ${into}`}
      onClose={closeQuestion}
      className="m-auto w-[min(36rem,calc(100vw-2rem))] rounded-lg p-5"
    >
      <p className="mt-2 text-soft [overflow-wrap:anywhere]">
        <span className="figure">{branch}</span> and <span className="figure">{into}</span> both changed{" "}
        {plural(files.length, "file")}. Nothing was changed, in neither of them.
      </p>
      <FileList files={files} className="mt-3" />
      <form
        className="mt-4"
        onSubmit={(event) => {
          event.preventDefault();
          closeQuestion();
          void say(target, text);
        }}
      >
        <Field label="Have the agent mend it" hint="It is told this, and goes on.">
          {(ids) => (
            <textarea
              {...ids}
              value={text}
              onChange={(event) => setText(event.target.value)}
              className={`${inputLook} !min-h-24 resize-y py-2`}
            />
          )}
        </Field>
        <div className="mt-5 flex flex-wrap justify-end gap-2">
          <Button data-first-focus onClick={closeQuestion}>
            Cancel
          </Button>
          <Button onClick={() => act(target, branchActions.updateBranch)}>
            {tried === "update-branch" ? "Update another way" : "Update branch"}
          </Button>
          <Button type="submit" look="filled" disabled={text.trim() === ""}>
            Tell the agent
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
