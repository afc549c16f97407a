import { useEffect, useState } from "react";
import { readLoop } from "../../feed/api.ts";
import { Button } from "../../parts/button.tsx";
import { Check } from "../../parts/check.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Field, inputLook } from "../../parts/field.tsx";
import { closeQuestion, type QuestionOf, send } from "../act.ts";

/** What a pull request of the loop's branch says. */
export function PullRequestText({ asked: { target, action } }: { asked: QuestionOf<"pull-request"> }) {
  const [title, setTitle] = useState(target.name);
  const [body, setBody] = useState("");
  const [draft, setDraft] = useState(false);
  useEffect(() => {
    const closing = new AbortController();
    readLoop(target.id, closing.signal).then(
      ({ config }) => setBody((typed) => (typed === "" ? config.prompt : typed)),
      // The field stays empty; the server fills in the goal by itself.
      () => {},
    );
    return () => closing.abort();
  }, [target.id]);
  return (
    <Dialog
      title="Pull request"
      onClose={closeQuestion}
      className="m-auto w-[min(36rem,calc(100vw-2rem))] rounded-lg p-5"
    >
      <p className="mt-1 text-soft">
        The loop's branch is pushed first. Where “gh” is not logged in, you get the page that makes the pull request.
      </p>
      <form
        className="mt-4 flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          closeQuestion();
          const words = { ...(title.trim() === "" ? {} : { title }), ...(body.trim() === "" ? {} : { body }) };
          void send(target, action, { ...words, draft });
        }}
      >
        <Field label="Title">
          {(ids) => (
            <input {...ids} value={title} onChange={(event) => setTitle(event.target.value)} className={inputLook} />
          )}
        </Field>
        <Field label="Text">
          {(ids) => (
            <textarea
              {...ids}
              value={body}
              onChange={(event) => setBody(event.target.value)}
              className={`${inputLook} !min-h-32 resize-y py-2`}
            />
          )}
        </Field>
        <Check checked={draft} onChange={setDraft} label="As a draft" />
        <div className="flex justify-end gap-2">
          <Button onClick={closeQuestion}>Cancel</Button>
          <Button type="submit" look="filled">
            Push and make it
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
