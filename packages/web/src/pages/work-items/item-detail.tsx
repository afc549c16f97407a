import type { Comment, WorkBoard, WorkItem } from "@ralpher/contract";
import ArrowLeft from "lucide-react/icons/arrow-left";
import Pencil from "lucide-react/icons/pencil";
import X from "lucide-react/icons/x";
import { type RefObject, useState } from "react";
import { useAsked } from "../../feed/use-asked.ts";
import { Ago } from "../../parts/ago.tsx";
import { Button, IconButton } from "../../parts/button.tsx";
import { CopyButton } from "../../parts/copy-button.tsx";
import { inputLook } from "../../parts/field.tsx";
import { GrowingText } from "../../parts/growing-text.tsx";
import { tellFailed } from "../../parts/notices.tsx";
import { Markdown } from "../loop/markdown/markdown.tsx";
import { allPriorities } from "./item-forms.tsx";
import { ItemMark, priorityTitle, statusWords } from "./item-mark.tsx";
import { ItemRelations } from "./item-relations.tsx";
import { type ItemChanges, readItem } from "./items-api.ts";
import { withTitles } from "./tree-model.ts";

interface Props {
  item: WorkItem;
  board: WorkBoard;
  directory: string;
  changes: ItemChanges;
  /** Read the items again, after something was changed. */
  refresh: () => Promise<void>;
  onPick: (id: string | null) => void;
  onEdit: () => void;
  onClose: () => void;
  onAddChild: () => void;
  /** Where one writes a comment, for the key that leads there. */
  writing: RefObject<HTMLFormElement | null>;
}

/** One item: what it is, how it stands, what it has to do with others, and what was said about it. */
export function ItemDetail(props: Props) {
  const { item, board, directory, changes, refresh, onPick, onEdit, onClose } = props;
  const [busy, setBusy] = useState(false);
  const blocked = board.blocked.find(({ id }) => id === item.id)?.reason;
  const isClosed = item.status === "closed";
  const onChange = async (work: () => Promise<unknown>): Promise<boolean> => {
    setBusy(true);
    try {
      await work();
      await refresh();
      return true;
    } catch (error) {
      tellFailed(`“${item.title}” was not changed`, error);
      return false;
    } finally {
      setBusy(false);
    }
  };
  return (
    <article aria-label={item.title} className="flex flex-col gap-4 px-4 py-4 lg:px-5">
      <header className="flex flex-col gap-2">
        <div className="flex items-center gap-1">
          <IconButton name="All work items" className="-ml-2 @4xl:hidden" onClick={() => onPick(null)}>
            <ArrowLeft />
          </IconButton>
          <span className="figure min-w-0 truncate text-soft" title={item.id}>
            {item.id}
          </span>
          <CopyButton text={item.id} what="the id" />
          <span className="flex-1" />
          <IconButton name="Edit" onClick={onEdit}>
            <Pencil />
          </IconButton>
          <IconButton name="Close this view" className="max-lg:hidden" onClick={() => onPick(null)}>
            <X />
          </IconButton>
        </div>
        <h2 className="text-title font-semibold [overflow-wrap:anywhere]">{item.title}</h2>
        {blocked !== undefined && (
          <p className="text-bad [overflow-wrap:anywhere]">
            Blocked: {withTitles(blocked, new Map(board.items.map((each) => [each.id, each])))}
          </p>
        )}
        {board.ready.includes(item.id) && <p className="text-good">Ready: nothing stands in its way.</p>}
        <div className="flex flex-wrap items-center gap-2">
          <ItemMark status={item.status} />
          {isClosed ? (
            <span className="text-soft">Closed {item.closedAt !== null && <Ago at={item.closedAt} />}</span>
          ) : (
            <select
              aria-label="Status"
              value={item.status}
              disabled={busy}
              onChange={(event) =>
                void onChange(() => changes.change(item.id, { status: event.target.value as WorkItem["status"] }))
              }
              className={`${inputLook} !w-auto`}
            >
              {(["open", "in_progress", "blocked"] as const).map((status) => (
                <option key={status} value={status}>
                  {statusWords[status]}
                </option>
              ))}
            </select>
          )}
          <select
            aria-label="Priority"
            value={item.priority}
            disabled={busy}
            onChange={(event) => void onChange(() => changes.change(item.id, { priority: Number(event.target.value) }))}
            className={`${inputLook} !w-auto`}
          >
            {allPriorities.map((priority) => (
              <option key={priority} value={priority}>
                {priorityTitle(priority)}
              </option>
            ))}
          </select>
          <span className="flex-1" />
          {isClosed ? (
            <Button busy={busy} onClick={() => void onChange(() => changes.reopen(item.id))}>
              Reopen
            </Button>
          ) : (
            <Button busy={busy} onClick={onClose} title="Close it (x)">
              Close
            </Button>
          )}
        </div>
      </header>
      {item.description.trim() === "" ? (
        <p className="text-soft">No description.</p>
      ) : (
        <Markdown text={item.description} look={{ breaks: false, headingLevel: 3 }} />
      )}
      <ItemRelations
        item={item}
        board={board}
        changes={changes}
        onChange={onChange}
        onPick={onPick}
        onAddChild={props.onAddChild}
      />
      <Said
        key={item.id}
        item={item}
        board={board}
        directory={directory}
        onSend={(text) => onChange(() => changes.comment(item.id, text))}
        writing={props.writing}
      />
      <p className="text-small text-soft">
        Made <Ago at={item.createdAt} />, changed <Ago at={item.updatedAt} />
      </p>
    </article>
  );
}

function Said({
  item,
  board,
  directory,
  onSend,
  writing,
}: {
  item: WorkItem;
  board: WorkBoard;
  directory: string;
  onSend: (text: string) => Promise<boolean>;
  writing: Props["writing"];
}) {
  const [text, setText] = useState("");
  const [busy, setBusy] = useState(false);
  // The board has the project's newest comments; all of one item's are asked for when there are more than it shows.
  const asked = useAsked(
    `${item.id} ${item.updatedAt} ${board.stamp}`,
    (_, { init }) => readItem(directory, item.id, init.signal),
    { keep: true },
  );
  const comments: Comment[] =
    asked.state === "here" ? asked.value.comments : board.comments.filter(({ itemId }) => itemId === item.id);
  const send = async () => {
    if (text.trim() === "" || busy) return;
    setBusy(true);
    if (await onSend(text.trim())) setText("");
    setBusy(false);
  };
  return (
    <section aria-label="Comments" className="flex flex-col gap-3">
      <h3 className="text-small text-soft">
        Comments <span className="figure">{comments.length === 0 ? "" : comments.length}</span>
      </h3>
      <ul className="flex flex-col gap-3">
        {comments.map((comment, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: comments are only ever added, at the end
          <li key={index} className="border-l-2 border-line pl-3">
            <p className="flex items-baseline gap-2 text-small text-soft">
              <span className={comment.source === "user" ? "font-medium text-ink" : ""}>
                {comment.source === "user" ? "You" : comment.source}
              </span>
              <Ago at={comment.createdAt} />
            </p>
            <Markdown text={comment.content} />
          </li>
        ))}
      </ul>
      <form
        ref={writing}
        className="flex items-end gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
      >
        <GrowingText
          value={text}
          onChange={setText}
          onSend={() => void send()}
          onEscape={() => (document.activeElement as HTMLElement | null)?.blur()}
          aria-label={`Comment on ${item.title}`}
          placeholder="Say something about it; loops read it"
          className="flex-1 py-1.5"
        />
        <Button type="submit" busy={busy} disabled={text.trim() === ""}>
          Comment
        </Button>
      </form>
    </section>
  );
}
