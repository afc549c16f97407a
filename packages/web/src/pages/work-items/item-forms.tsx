import { priorities, type WorkItem } from "@ralpher/contract";
import { type ReactNode, useState } from "react";
import { Refusal, reasonOf } from "../../feed/refusal.ts";
import { Button } from "../../parts/button.tsx";
import { Check } from "../../parts/check.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Field, inputLook } from "../../parts/field.tsx";
import { GrowingText } from "../../parts/growing-text.tsx";
import { priorityTitle } from "./item-mark.tsx";
import type { ItemChanges } from "./items-api.ts";

export const allPriorities = Array.from({ length: priorities.most + 1 }, (_, n) => n);

/** Sends what a form asks for; what is refused is told in the form. */
function useSending(onDone: () => void) {
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<unknown>(null);
  const send = async (work: () => Promise<unknown>) => {
    if (busy) return;
    setBusy(true);
    setRefusal(null);
    try {
      await work();
      onDone();
    } catch (error) {
      setRefusal(error);
    } finally {
      setBusy(false);
    }
  };
  return { busy, refusal, send };
}

function Form({ refusal, onSend, children }: { refusal: unknown; onSend: () => void; children: ReactNode }) {
  return (
    <form
      className="mt-4 flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        onSend();
      }}
    >
      {children}
      {refusal !== null && (
        <p role="alert" className="text-small text-bad [overflow-wrap:anywhere]">
          {reasonOf(refusal)}
        </p>
      )}
    </form>
  );
}

const wide = "m-auto max-h-[90dvh] w-[min(40rem,calc(100vw-1.5rem))] overflow-y-auto rounded-lg p-5";

/** Make an item, under another or at the top. Resolves the new item's id to `onMade`. */
export function NewItemDialog({
  under,
  changes,
  onMade,
  onClose,
}: {
  under: WorkItem | null;
  changes: ItemChanges;
  onMade: (id: string) => Promise<void>;
  onClose: () => void;
}) {
  const [title, setTitle] = useState("");
  const [description, setDescription] = useState("");
  const [priority, setPriority] = useState<number>(priorities.usual);
  const { busy, refusal, send } = useSending(onClose);
  const create = () => {
    if (title.trim() === "") return;
    void send(async () => {
      const parent = under === null ? {} : { parentId: under.id };
      const { id } = await changes.create({
        title: title.trim(),
        description: description.trim(),
        priority,
        ...parent,
      });
      await onMade(id);
    });
  };
  return (
    <Dialog title={under === null ? "New work item" : `New under “${under.title}”`} onClose={onClose} className={wide}>
      <Form refusal={refusal} onSend={create}>
        <Field label="Title">
          {(ids) => (
            <input
              {...ids}
              data-first-focus
              value={title}
              maxLength={500}
              autoComplete="off"
              placeholder="Say which file is missing"
              onChange={(event) => setTitle(event.target.value)}
              className={inputLook}
            />
          )}
        </Field>
        <Field label="Description" hint="Why, where, and how to tell that it is done.">
          {(ids) => (
            <GrowingText {...ids} value={description} onChange={setDescription} onSend={create} className="!min-h-24" />
          )}
        </Field>
        <PriorityField value={priority} onChange={setPriority} />
        <Ending busy={busy} disabled={title.trim() === ""} label="Create" onClose={onClose} />
      </Form>
    </Dialog>
  );
}

/** Change an item's title and description. */
export function EditItemDialog({
  item,
  changes,
  onDone,
  onClose,
}: {
  item: WorkItem;
  changes: ItemChanges;
  onDone: () => Promise<void>;
  onClose: () => void;
}) {
  const [title, setTitle] = useState(item.title);
  const [description, setDescription] = useState(item.description);
  const { busy, refusal, send } = useSending(onClose);
  const save = () => {
    if (title.trim() === "") return;
    void send(async () => {
      await changes.change(item.id, { title: title.trim(), description });
      await onDone();
    });
  };
  return (
    <Dialog title="Edit the work item" onClose={onClose} className={wide}>
      <Form refusal={refusal} onSend={save}>
        <Field label="Title">
          {(ids) => (
            <input
              {...ids}
              data-first-focus
              value={title}
              maxLength={500}
              autoComplete="off"
              onChange={(event) => setTitle(event.target.value)}
              className={inputLook}
            />
          )}
        </Field>
        <Field label="Description" hint="Markdown.">
          {(ids) => (
            <GrowingText {...ids} value={description} onChange={setDescription} onSend={save} className="!min-h-40" />
          )}
        </Field>
        <Ending busy={busy} disabled={title.trim() === ""} label="Save" onClose={onClose} />
      </Form>
    </Dialog>
  );
}

/** Close an item, with the reason as a comment. One with open children needs a second yes. */
export function CloseItemDialog({
  item,
  changes,
  onDone,
  onClose,
}: {
  item: WorkItem;
  changes: ItemChanges;
  onDone: () => Promise<void>;
  onClose: () => void;
}) {
  const [message, setMessage] = useState("");
  const [force, setForce] = useState(false);
  const { busy, refusal, send } = useSending(onClose);
  const hasOpen = refusal instanceof Refusal && refusal.code === "open_children";
  const close = () =>
    void send(async () => {
      await changes.close(item.id, { ...(message.trim() === "" ? {} : { message }), ...(force ? { force } : {}) });
      await onDone();
    });
  return (
    <Dialog title={`Close “${item.title}”?`} onClose={onClose} className={wide}>
      <Form refusal={refusal} onSend={close}>
        <Field label="Why" hint="It becomes a comment. It may stay empty.">
          {(ids) => <GrowingText {...ids} data-first-focus value={message} onChange={setMessage} onSend={close} />}
        </Field>
        {(hasOpen || force) && (
          <Check
            checked={force}
            onChange={setForce}
            label="Close it all the same"
            hint="What is open under it stays open."
          />
        )}
        <Ending busy={busy} disabled={hasOpen && !force} label="Close it" onClose={onClose} />
      </Form>
    </Dialog>
  );
}

function PriorityField({ value, onChange }: { value: number; onChange: (priority: number) => void }) {
  return (
    <Field label="Priority" className="max-w-60">
      {(ids) => (
        <select {...ids} value={value} onChange={(event) => onChange(Number(event.target.value))} className={inputLook}>
          {allPriorities.map((priority) => (
            <option key={priority} value={priority}>
              {priorityTitle(priority).replace("Priority ", "")}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

function Ending({
  busy,
  disabled,
  label,
  onClose,
}: {
  busy: boolean;
  disabled: boolean;
  label: string;
  onClose: () => void;
}) {
  return (
    <div className="flex justify-end gap-2">
      <Button onClick={onClose}>Cancel</Button>
      <Button type="submit" look="filled" busy={busy} disabled={disabled}>
        {label}
      </Button>
    </div>
  );
}
