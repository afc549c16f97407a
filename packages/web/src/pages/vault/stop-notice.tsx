import Octagon from "lucide-react/icons/octagon-pause";
import { useState } from "react";
import { Button } from "../../parts/button.tsx";
import { tellVault } from "./tell-vault.ts";

/** The vault is told to stop: why, and the way to take that back. */
export function StopNotice({
  directory,
  stopHook: { path, reason },
  onLifted,
}: {
  directory: string;
  stopHook: { path: string; reason: string };
  onLifted: () => void;
}) {
  const [busy, setBusy] = useState(false);
  const lift = async () => {
    setBusy(true);
    if (await tellVault(directory, { type: "lift" })) {
      // The button goes away, and must not take the focus with it.
      document.getElementById("page")?.focus({ preventScroll: true });
      onLifted();
    }
    setBusy(false);
  };
  return (
    <div
      role="status"
      className="flex flex-wrap items-center gap-x-3 gap-y-2 rounded-md bg-need-tint px-3 py-2 [overflow-wrap:anywhere]"
    >
      <Octagon aria-hidden="true" className="size-4 shrink-0 text-need" />
      <p className="min-w-0 flex-1 basis-60">
        <span className="font-medium text-need">The vault is told to stop: </span>
        {reason}
        <span className="figure block text-soft">{path}</span>
      </p>
      <Button busy={busy} onClick={() => void lift()}>
        Lift
      </Button>
    </div>
  );
}
