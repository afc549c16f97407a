import { useState } from "react";
import { client, read } from "../../feed/api.ts";
import { Button } from "../../parts/button.tsx";
import { tellFailed } from "../../parts/notices.tsx";

/** A folder that is no vault: the offer to make it one. */
export function LayOut({ directory, onDone }: { directory: string; onDone: () => void }) {
  const [busy, setBusy] = useState(false);
  const layOut = async () => {
    setBusy(true);
    try {
      await read(client.vaults.$post({ json: { directory } }));
      onDone();
    } catch (error) {
      tellFailed("The vault was not laid out", error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <div
      role="status"
      className="flex flex-wrap items-center justify-between gap-3 rounded-md bg-need-tint px-3 py-2 [overflow-wrap:anywhere]"
    >
      <p className="min-w-0 flex-1 basis-60">
        <span className="font-medium text-need">This is no vault yet.</span> Folders for tasks, a config with every key
        explained and an example are put there; what is there stays.
      </p>
      <Button busy={busy} onClick={() => void layOut()}>
        Lay it out
      </Button>
    </div>
  );
}
