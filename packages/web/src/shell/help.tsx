import { keyHelp } from "../keys/key-help.ts";
import { Button } from "../parts/button.tsx";
import { Dialog } from "../parts/dialog.tsx";

/** All keys, on one card. */
export function Help({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Keys" onClose={onClose}>
      <dl className="mt-3 grid grid-cols-[auto_1fr] items-baseline gap-x-5 gap-y-1.5">
        {keyHelp.map(({ keys, does }) => (
          <div key={does} className="contents">
            <dt className="flex gap-1">
              {keys.map((key) => (
                <kbd
                  key={key}
                  className="figure min-w-6 rounded-sm bg-panel px-1.5 py-0.5 text-center ring-1 ring-line"
                >
                  {key}
                </kbd>
              ))}
            </dt>
            <dd className="text-soft">{does}</dd>
          </div>
        ))}
      </dl>
      <div className="mt-5 flex justify-end">
        <Button data-first-focus onClick={onClose}>
          Close
        </Button>
      </div>
    </Dialog>
  );
}
