import type { LucideIcon } from "lucide-react";
import ArrowUpFromLine from "lucide-react/icons/arrow-up-from-line";
import FastForward from "lucide-react/icons/fast-forward";
import GitMerge from "lucide-react/icons/git-merge";
import GitPullRequest from "lucide-react/icons/git-pull-request";
import Pause from "lucide-react/icons/pause";
import Play from "lucide-react/icons/play";
import RefreshCw from "lucide-react/icons/refresh-cw";
import RotateCcw from "lucide-react/icons/rotate-ccw";
import Square from "lucide-react/icons/square";
import Trash2 from "lucide-react/icons/trash-2";
import Undo2 from "lucide-react/icons/undo-2";
import { useStore } from "../feed/store.ts";
import { Button, type ButtonLook, IconButton } from "../parts/button.tsx";
import type { Action, ActionName } from "../words/actions.ts";
import { act, type Target, underWay } from "./act.ts";

export const actionGlyphs: Record<ActionName, LucideIcon> = {
  start: Play,
  pause: Pause,
  resume: Play,
  stop: Square,
  "stop-vault": Square,
  extend: FastForward,
  accept: GitMerge,
  "update-branch": RefreshCw,
  push: ArrowUpFromLine,
  "pull-request": GitPullRequest,
  discard: Undo2,
  restore: RotateCcw,
  delete: Trash2,
};

/** The button for one action on one loop. `compact` leaves only the glyph. */
export function ActionButton({
  target,
  action,
  look = "outlined",
  compact = false,
  className = "",
}: {
  target: Target;
  action: Action;
  look?: ButtonLook;
  compact?: boolean;
  className?: string;
}) {
  const busy = useStore(underWay, (keys) => keys.has(`${target.id}/${action.name}`));
  const Glyph = actionGlyphs[action.name];
  const glyph = <Glyph aria-hidden="true" />;
  const press = () => act(target, action);
  if (compact) {
    return (
      <IconButton
        name={`${action.label} ${target.name}`}
        title={action.label}
        look={look}
        busy={busy}
        className={className}
        onClick={press}
      >
        {glyph}
      </IconButton>
    );
  }
  return (
    <Button look={look} busy={busy} className={className} onClick={press}>
      {glyph}
      {action.label}
    </Button>
  );
}
