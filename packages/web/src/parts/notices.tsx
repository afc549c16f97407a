import CircleAlert from "lucide-react/icons/circle-alert";
import CircleCheck from "lucide-react/icons/circle-check";
import X from "lucide-react/icons/x";
import { useEffect } from "react";
import { Refusal, reasonOf } from "../feed/refusal.ts";
import { createStore, useStore } from "../feed/store.ts";
import { IconButton } from "./button.tsx";
import { CopyButton } from "./copy-button.tsx";

/** What one can do about a notice: a press, or a page elsewhere. */
export type NoticeOffer = { label: string } & ({ run: () => void } | { href: string });

interface Notice {
  id: number;
  kind: "trouble" | "done";
  title: string;
  text: string;
  offer?: NoticeOffer | undefined;
  /** What it is about: newer news of the same makes older ones untrue. */
  about?: string | undefined;
  /** It is only so while the server does not answer. */
  offline?: boolean;
}

const notices = createStore<Notice[]>([]);
const most = 3;
/** Good news leaves by itself; with an offer it stays long enough to be read and reached. */
const shownMs = { plain: 5_000, offering: 12_000 };
let lastId = 0;

/** Tell a person that something they asked for did not work. Stays until it is put away: errors are not to be missed. */
export function tell(title: string, text: string): void {
  add({ kind: "trouble", title, text });
}

/** Tell a person why something they asked for failed. What the server's silence was to blame for goes when it answers. */
export function tellFailed(title: string, error: unknown): void {
  const offline = error instanceof Refusal && error.code === "unreachable";
  add({ kind: "trouble", title, text: reasonOf(error), offline });
}

/** The server answers again. */
export function putAwayOffline(): void {
  if (notices.get().some(({ offline }) => offline)) notices.set(notices.get().filter(({ offline }) => !offline));
}

/** Say that something is done, and offer what may come next. Leaves by itself, or when there is newer news `about` it. */
export function announce(title: string, text: string, offer?: NoticeOffer, about?: string): void {
  add({ kind: "done", title, text, offer, about });
}

function add(notice: Omit<Notice, "id">): void {
  lastId += 1;
  const others = notices
    .get()
    .filter(({ title, text, about }) =>
      about !== undefined && about === notice.about ? false : title !== notice.title || text !== notice.text,
    );
  notices.set([...others, { id: lastId, ...notice }].slice(-most));
}

function putAway(id: number): void {
  notices.set(notices.get().filter((notice) => notice.id !== id));
}

/** Where notices appear: the bottom right corner, above everything but dialogs. */
export function Notices() {
  const shown = useStore(notices, (all) => all);
  const of = (kind: Notice["kind"]) =>
    shown.filter((notice) => notice.kind === kind).map((notice) => <Card key={notice.id} notice={notice} />);
  return (
    <div className="pointer-events-none fixed inset-x-3 bottom-3 z-40 flex flex-col items-end gap-2 max-sm:bottom-20">
      <div aria-live="polite" className="flex w-full flex-col items-end gap-2">
        {of("done")}
      </div>
      <div aria-live="assertive" className="flex w-full flex-col items-end gap-2">
        {of("trouble")}
      </div>
    </div>
  );
}

const offerLook = "rounded-sm font-medium text-run underline-offset-2 hover:underline touch:py-2";

function Card({ notice }: { notice: Notice }) {
  const { id, kind, title, text, offer } = notice;
  useEffect(() => {
    if (kind === "trouble") return;
    const timer = setTimeout(() => putAway(id), offer === undefined ? shownMs.plain : shownMs.offering);
    return () => clearTimeout(timer);
  }, [id, kind, offer]);
  return (
    <div className="pointer-events-auto flex w-full max-w-md animate-appear items-start gap-2.5 rounded-lg bg-bg py-2.5 pr-2 pl-3 shadow-over">
      {kind === "trouble" ? (
        <CircleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-bad" />
      ) : (
        <CircleCheck aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-good" />
      )}
      <div className="min-w-0 flex-1">
        <p className="line-clamp-2 font-medium [overflow-wrap:anywhere]">{title}</p>
        {text !== "" && <p className="text-soft [overflow-wrap:anywhere]">{text}</p>}
        {offer !== undefined && "href" in offer && (
          <a href={offer.href} target="_blank" rel="noreferrer" className={offerLook} onClick={() => putAway(id)}>
            {offer.label}
          </a>
        )}
      </div>
      {offer !== undefined && "run" in offer && (
        <button
          type="button"
          className={`${offerLook} px-1.5`}
          onClick={() => {
            putAway(id);
            offer.run();
          }}
        >
          {offer.label}
        </button>
      )}
      {kind === "trouble" && <CopyButton text={`${title}: ${text}`} what="the message" />}
      <IconButton name="Put away" className="!size-6 touch:!size-9" onClick={() => putAway(id)}>
        <X />
      </IconButton>
    </div>
  );
}
