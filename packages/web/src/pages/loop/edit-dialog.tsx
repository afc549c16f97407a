import type { LoopView, UpdateLoopRequest } from "@ralpher/contract";
import { useState } from "react";
import { changeLoop } from "../../feed/loop-api.ts";
import { Refusal, reasonOf } from "../../feed/refusal.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Field, inputLook } from "../../parts/field.tsx";
import { GrowingText } from "../../parts/growing-text.tsx";
import { ModelField } from "../../parts/model-field.tsx";
import { exactCount } from "../../words/count.ts";
import { changesOf, type EditForm, formOf } from "./edit-form.ts";

/** Change what a loop is to do and how far it may go; a turn under way goes on by the old words. */
export function EditDialog({ view, onClose }: { view: LoopView; onClose: () => void }) {
  const { strategy } = view.config;
  const own = strategy.type === "ralph";
  const [before] = useState(() => formOf(view.config));
  const [form, setForm] = useState(before);
  const [wrong, setWrong] = useState<Record<string, string>>({});
  const [busy, setBusy] = useState(false);
  const put = (name: keyof EditForm) => (value: string) => setForm((old) => ({ ...old, [name]: value }));

  const save = async () => {
    const { changes, problems } = changesOf(before, form);
    setWrong(problems);
    if (Object.keys(problems).length > 0 || busy) return;
    if (Object.keys(changes).length === 0) return onClose();
    setBusy(true);
    try {
      await changeLoop(view.id, changes as UpdateLoopRequest);
      onClose();
    } catch (error) {
      setWrong(problemsOf(error));
    } finally {
      setBusy(false);
    }
  };

  return (
    <Dialog
      title={`Edit “${view.config.name}”`}
      onClose={onClose}
      className="m-auto max-h-[90dvh] w-[min(44rem,calc(100vw-1.5rem))] overflow-y-auto rounded-lg p-5"
    >
      <p className="mt-1 text-soft">The next iteration goes by it; what is under way is not disturbed.</p>
      <form
        className="mt-4 flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <Field label="Name" error={wrong.name}>
          {(ids) => (
            <input
              {...ids}
              value={form.name}
              maxLength={200}
              onChange={(event) => put("name")(event.target.value)}
              className={inputLook}
            />
          )}
        </Field>
        {own ? (
          <Field label="Goal" error={wrong.prompt} aside={`${exactCount(form.prompt.length)} characters`}>
            {(ids) => (
              <GrowingText
                {...ids}
                autoFocus
                value={form.prompt}
                onChange={put("prompt")}
                onSend={() => void save()}
                className="!max-h-[40dvh] min-h-32 py-2"
              />
            )}
          </Field>
        ) : (
          <p className="text-soft [overflow-wrap:anywhere]">
            {strategy.type === "task"
              ? `It works off ${strategy.file}, which is read before each step; change the steps there.`
              : `It works off its spec; change that in ${view.soda?.spec?.path ?? "its file"}, which is read before each iteration.`}
          </p>
        )}
        <div className="grid gap-4 sm:grid-cols-2">
          <Field
            label="Most iterations"
            error={wrong.maxIterations}
            hint={strategy.type === "task" ? "Empty: as its vault says." : "Empty: without a limit."}
          >
            {(ids) => (
              <input
                {...ids}
                inputMode="numeric"
                value={form.maxIterations}
                onChange={(event) => put("maxIterations")(event.target.value)}
                className={`figure ${inputLook}`}
              />
            )}
          </Field>
          <ModelField
            value={form.model}
            onChange={put("model")}
            backend={view.config.backend.type}
            directory={view.config.directory}
            preset={undefined}
            wrong={wrong.model}
          />
          <Field
            label="Failures in a row"
            error={wrong.failureThreshold}
            hint={`So many failed iterations end the loop.${strategy.type === "task" ? " Empty: as its vault says." : ""}`}
          >
            {(ids) => (
              <input
                {...ids}
                inputMode="numeric"
                value={form.failureThreshold}
                onChange={(event) => put("failureThreshold")(event.target.value)}
                className={`figure ${inputLook}`}
              />
            )}
          </Field>
          <Field
            label="Silence, in seconds"
            error={wrong.idleTimeoutSeconds}
            hint="An agent that says nothing for so long is ended."
          >
            {(ids) => (
              <input
                {...ids}
                inputMode="decimal"
                value={form.idleTimeoutSeconds}
                onChange={(event) => put("idleTimeoutSeconds")(event.target.value)}
                className={`figure ${inputLook}`}
              />
            )}
          </Field>
        </div>
        {own && (
          <Field
            label="Stop pattern"
            error={wrong.stopPattern}
            hint="The loop is done when the agent's last words match this regular expression."
          >
            {(ids) => (
              <input
                {...ids}
                value={form.stopPattern}
                onChange={(event) => put("stopPattern")(event.target.value)}
                className={`figure ${inputLook}`}
              />
            )}
          </Field>
        )}
        {wrong[""] !== undefined && (
          <p role="alert" className="text-bad [overflow-wrap:anywhere]">
            {wrong[""]}
          </p>
        )}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="filled" busy={busy}>
            Save
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

/** What the server found wrong, each with its field; what belongs to none is under the empty name. */
function problemsOf(error: unknown): Record<string, string> {
  const issues = error instanceof Refusal ? error.data.issues : null;
  if (!Array.isArray(issues) || issues.length === 0) return { "": reasonOf(error) };
  return Object.fromEntries(issues.map(({ path, message }) => [String(path).split(".")[0] ?? "", String(message)]));
}
