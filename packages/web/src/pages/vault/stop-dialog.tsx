import { useState } from "react";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Field, inputLook } from "../../parts/field.tsx";

/** Whether the tasks of a vault are to stop, and why; nobody has to say. */
export function StopDialog({
  title,
  about,
  onStop,
  onClose,
}: {
  title: string;
  /** What comes of it, in a sentence or two. */
  about: string;
  onStop: (reason: string | undefined) => void;
  onClose: () => void;
}) {
  const [reason, setReason] = useState("");
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          onClose();
          onStop(reason.trim() || undefined);
        }}
      >
        <p className="mt-2 mb-4 text-soft">{about}</p>
        <Field label="Why" hint="It stands in the stop report.">
          {(ids) => (
            <input
              {...ids}
              data-first-focus
              value={reason}
              maxLength={2_000}
              placeholder="Nobody has to say"
              onChange={(event) => setReason(event.target.value)}
              className={inputLook}
            />
          )}
        </Field>
        <div className="mt-5 flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="filled">
            Stop after this iteration
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
