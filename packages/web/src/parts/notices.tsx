import CircleAlert from "lucide-react/icons/circle-alert";
import X from "lucide-react/icons/x";
import { createStore, useStore } from "../feed/store.ts";
import { IconButton } from "./button.tsx";
import { CopyButton } from "./copy-button.tsx";

interface Notice {
  id: number;
  title: string;
  text: string;
}

const notices = createStore<Notice[]>([]);
const most = 3;
let lastId = 0;

/** Tell a person that something they asked for did not work. Stays until it is put away: errors are not to be missed. */
export function tell(title: string, text: string): void {
  lastId += 1;
  const others = notices.get().filter((notice) => notice.title !== title || notice.text !== text);
  notices.set([...others, { id: lastId, title, text }].slice(-most));
}

/** Where notices appear: the bottom right corner, above everything but dialogs. */
export function Notices() {
  const shown = useStore(notices, (all) => all);
  return (
    <div aria-live="assertive" className="fixed inset-x-3 bottom-3 z-40 flex flex-col items-end gap-2 max-sm:bottom-20">
      {shown.map((notice) => (
        <div
          key={notice.id}
          className="flex w-full max-w-md animate-appear items-start gap-2.5 rounded-lg bg-bg py-2.5 pr-2 pl-3 shadow-over"
        >
          <CircleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-bad" />
          <div className="min-w-0 flex-1">
            <p className="font-medium">{notice.title}</p>
            <p className="text-soft [overflow-wrap:anywhere]">{notice.text}</p>
          </div>
          <CopyButton text={`${notice.title}: ${notice.text}`} what="the message" />
          <IconButton
            name="Put away"
            className="!size-6 touch:!size-9"
            onClick={() => notices.set(notices.get().filter(({ id }) => id !== notice.id))}
          >
            <X />
          </IconButton>
        </div>
      ))}
    </div>
  );
}
