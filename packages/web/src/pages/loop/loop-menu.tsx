import type { LoopView } from "@ralpher/contract";
import Copy from "lucide-react/icons/copy";
import Download from "lucide-react/icons/download";
import Ellipsis from "lucide-react/icons/ellipsis";
import Pencil from "lucide-react/icons/pencil";
import { useState } from "react";
import { useLocation } from "wouter";
import { act } from "../../act/act.ts";
import { actionGlyphs } from "../../act/action-button.tsx";
import { lazyPage } from "../../parts/lazy-page.tsx";
import { Menu, type MenuItem } from "../../parts/menu.tsx";
import { type Action, branchActions } from "../../words/actions.ts";

const editor = lazyPage(async () => (await import("./edit-dialog.tsx")).EditDialog);

export interface LoopMenuProps {
  view: LoopView;
  rest: Action[];
  /** It opens upwards. */
  up?: boolean;
  startsOpen?: boolean;
}

/** Everything one can do with a loop that does not stand beside it as a button; `rest` are actions without one. */
export function LoopMenu({ view, rest, up = false, startsOpen = false }: LoopMenuProps) {
  const [editing, setEditing] = useState(false);
  const [, navigate] = useLocation();
  const { id, config, phase } = view;
  const target = { id, name: config.name };
  const over = phase.status === "accepted" || phase.status === "discarded";
  const of = (action: Action): MenuItem => {
    const Glyph = actionGlyphs[action.name];
    return {
      label: action.label,
      glyph: <Glyph aria-hidden="true" />,
      danger: action.name === "discard" || action.name === "delete",
      run: () => act(target, action),
    };
  };
  const isEnd = ({ name }: Action) => name === "discard" || name === "delete";
  const hasBranch = view.workspace !== null && view.workspace.kind !== "plain" && phase.status !== "discarded";
  const atRest = !["starting", "running", "waiting"].includes(phase.status);
  const branch: Action[] = [
    ...(hasBranch && atRest && !over ? [branchActions.updateBranch] : []),
    ...(hasBranch && view.commitCount > 0 ? [branchActions.push, branchActions.pullRequest] : []),
  ];
  return (
    <>
      <Menu
        name="More"
        up={up}
        startsOpen={startsOpen}
        glyph={<Ellipsis />}
        groups={[
          rest.filter((action) => !isEnd(action)).map(of),
          [
            ...(over
              ? []
              : [
                  {
                    label: view.config.strategy.type === "ralph" ? "Edit goal and limits" : "Edit limits",
                    glyph: <Pencil aria-hidden="true" />,
                    run: () => setEditing(true),
                  },
                ]),
            { label: "Duplicate", glyph: <Copy aria-hidden="true" />, run: () => navigate(`/new?from=${id}`) },
          ],
          branch.map(of),
          [
            {
              label: "Export as JSON",
              glyph: <Download aria-hidden="true" />,
              href: `/api/loops/${id}/export`,
              download: true,
            },
            {
              label: "Export with history",
              glyph: <Download aria-hidden="true" />,
              href: `/api/loops/${id}/export?bundle=true`,
              download: true,
            },
          ],
          rest.filter(isEnd).map(of),
        ]}
      />
      {editing && <editor.Page view={view} onClose={() => setEditing(false)} />}
    </>
  );
}
