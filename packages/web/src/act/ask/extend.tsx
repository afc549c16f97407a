import { useState } from "react";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Field, inputLook } from "../../parts/field.tsx";
import { closeQuestion, type QuestionOf } from "../act.ts";
import { extend } from "./answered.ts";

/** How many more iterations a loop at its limit gets. */
export function Extend({ asked: { target, action } }: { asked: QuestionOf<"extend"> }) {
  const [text, setText] = useState("10");
  const more = /^\d{1,6}$/.test(text.trim()) ? Number(text) : 0;
  return (
    <Dialog title={`Let “${target.name}” go on`} onClose={closeQuestion}>
      <form
        className="mt-3"
        onSubmit={(event) => {
          event.preventDefault();
          if (more < 1) return;
          closeQuestion();
          void extend(target, action, more);
        }}
      >
        <Field
          label="More iterations"
          hint="Its limit is raised by so many, and it starts."
          error={more < 1 ? "A whole number, 1 or more." : undefined}
        >
          {(ids) => (
            <input
              {...ids}
              data-first-focus
              inputMode="numeric"
              value={text}
              onChange={(event) => setText(event.target.value)}
              className={`${inputLook} figure w-28`}
            />
          )}
        </Field>
        <div className="mt-5 flex justify-end gap-2">
          <Button onClick={closeQuestion}>Cancel</Button>
          <Button type="submit" look="filled" disabled={more < 1}>
            {action.label}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
