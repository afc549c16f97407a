import type { DependencyKind, WorkBoard, WorkItem } from "@ralpher/contract";
import Plus from "lucide-react/icons/plus";
import X from "lucide-react/icons/x";
import { useState } from "react";
import { Button, IconButton } from "../../parts/button.tsx";
import { Combo } from "../../parts/combo.tsx";
import { Field, inputLook } from "../../parts/field.tsx";
import { fuzzyFind } from "../../words/fuzzy.ts";
import { ItemMark } from "./item-mark.tsx";
import type { ItemChanges } from "./items-api.ts";
import { parentOf } from "./tree-model.ts";

interface Props {
  item: WorkItem;
  board: WorkBoard;
  changes: ItemChanges;
  /** Do a change; a refusal is told. Resolves with whether it was done. */
  onChange: (work: () => Promise<unknown>) => Promise<boolean>;
  onPick: (id: string) => void;
  onAddChild: () => void;
}

/** What an item belongs to, waits for, holds up and consists of; each leads there. */
export function ItemRelations(props: Props) {
  const { item, board, changes, onChange, onAddChild } = props;
  const [adding, setAdding] = useState(false);
  const byId = new Map(board.items.map((each) => [each.id, each]));
  const of = (type: DependencyKind) =>
    item.dependencies.filter((each) => each.type === type).map(({ dependsOnId }) => dependsOnId);
  const others = (type: DependencyKind) =>
    board.items
      .filter(({ dependencies }) => dependencies.some((each) => each.type === type && each.dependsOnId === item.id))
      .map(({ id }) => id);
  const remove = (id: string) => () => void onChange(() => changes.removeDependency(item.id, id));
  const parent = parentOf(item);
  const list = { byId, onPick: props.onPick };
  return (
    <div className="flex flex-col gap-3">
      {parent !== null && (
        <List
          {...list}
          title="Part of"
          ids={[parent]}
          onRemove={() => () => void onChange(() => changes.reparent(item.id, null))}
        />
      )}
      <List {...list} title="Waits for" ids={of("blocks")} onRemove={remove} />
      <List {...list} title="Related to" ids={of("related")} onRemove={remove} />
      <List {...list} title="Holds up" ids={others("blocks")} />
      <List {...list} title="Consists of" ids={others("parent")} />
      <div className="-ml-3 flex flex-wrap gap-1">
        <Button look="quiet" onClick={onAddChild}>
          <Plus aria-hidden="true" />
          Add under it
        </Button>
        <Button look="quiet" aria-expanded={adding} onClick={() => setAdding(!adding)}>
          <Plus aria-hidden="true" />
          Dependency
        </Button>
      </div>
      {adding && <AddDependency {...props} onClose={() => setAdding(false)} />}
    </div>
  );
}

function List({
  title,
  ids,
  byId,
  onPick,
  onRemove,
}: {
  title: string;
  ids: string[];
  byId: Map<string, WorkItem>;
  onPick: (id: string) => void;
  onRemove?: (id: string) => () => void;
}) {
  if (ids.length === 0) return null;
  return (
    <section aria-label={title}>
      <h3 className="text-small text-soft">{title}</h3>
      <ul>
        {ids.map((id) => {
          const other = byId.get(id);
          return (
            <li key={id} className="flex min-h-7 items-center gap-1.5">
              {other !== undefined && <ItemMark status={other.status} />}
              {other === undefined ? (
                <span className="figure min-w-0 flex-1 truncate text-soft">{id}</span>
              ) : (
                <button
                  type="button"
                  onClick={() => onPick(id)}
                  title={id}
                  className={`min-w-0 flex-1 truncate rounded-sm text-left underline-offset-2 hover:underline touch:py-2 ${other.status === "closed" ? "text-soft" : ""}`}
                >
                  {other.title}
                </button>
              )}
              {onRemove !== undefined && (
                <IconButton
                  name={`${title} ${other?.title ?? id}: take it away`}
                  className="!size-6 touch:!size-11"
                  onClick={onRemove(id)}
                >
                  <X />
                </IconButton>
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}

const kinds: { kind: DependencyKind; label: string }[] = [
  { kind: "blocks", label: "waits for" },
  { kind: "parent", label: "is a part of" },
  { kind: "related", label: "is related to" },
];
const mostOffered = 20;

function AddDependency({ item, board, changes, onChange, onClose }: Props & { onClose: () => void }) {
  const [kind, setKind] = useState<DependencyKind>("blocks");
  const [text, setText] = useState("");
  const others = board.items.filter(({ id }) => id !== item.id);
  const options = fuzzyFind(text, others, ({ id, title }) => `${title} ${id}`)
    .slice(0, mostOffered)
    .map(({ id, title }) => ({ value: id, label: title, hint: id }));
  const chosen = others.find(({ id }) => id === text.trim());
  const add = async () => {
    if (chosen === undefined) return;
    const { id } = chosen;
    const done = await onChange(() =>
      kind === "parent" ? changes.reparent(item.id, id) : changes.addDependency(item.id, id, kind),
    );
    if (done) onClose();
  };
  return (
    <form
      className="flex flex-wrap items-end gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        void add();
      }}
    >
      <Field label="It">
        {(ids) => (
          <select
            {...ids}
            value={kind}
            onChange={(event) => setKind(event.target.value as DependencyKind)}
            className={inputLook}
          >
            {kinds.map((each) => (
              <option key={each.kind} value={each.kind}>
                {each.label}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field label="Which" className="flex-1 basis-52">
        {(ids) => (
          <Combo
            ids={ids}
            value={text}
            onChange={setText}
            options={options}
            placeholder="Title or id"
            listName="Work items"
            focused
          />
        )}
      </Field>
      <Button type="submit" disabled={chosen === undefined}>
        Add
      </Button>
    </form>
  );
}
