import type { LoopSummary } from "@ralpher/contract";
import type { Theme } from "../theme.ts";
import type { Action } from "../words/actions.ts";
import { actionsFor, branchActions } from "../words/actions.ts";
import { cutPath } from "../words/cut.ts";
import { fuzzyScore } from "../words/fuzzy.ts";
import { standingOf } from "../words/state.ts";
import { vaultHref, vaultsOf } from "../words/vaults.ts";

/** Something the palette can do. `find` is what typed words are held against. */
export type PaletteItem = { key: string; label: string; find: string; hint?: string | undefined } & (
  | { kind: "go"; path: string }
  | { kind: "loop"; loop: LoopSummary }
  | { kind: "act"; loop: LoopSummary; action: Action }
  | { kind: "theme"; theme: Theme }
  | { kind: "help" }
  | { kind: "page"; href: string }
);

export interface PaletteGroup {
  title: string;
  items: PaletteItem[];
}

const go = (label: string, path: string, hint?: string, more = ""): PaletteItem => ({
  kind: "go",
  key: path,
  label,
  path,
  hint,
  find: `${label} ${more}`,
});

const places: PaletteItem[] = [
  go("New loop", "/new", "c", "create add start"),
  go("Loops", "/", "g l", "overview all home"),
  go("Needs you", "/#needs-you", "g n", "questions review"),
  go("Vaults", "/vault", "g v", "tasks folders files specs"),
  go("Work items", "/work-items", "g w", "tasks issues trace trc"),
  go("Settings", "/settings", "g s", "preferences notifications default backend model import"),
  { kind: "page", key: "docs", label: "API documentation", href: "/api/docs", find: "API documentation openapi rest" },
];

const looks: PaletteItem[] = [
  ...(["system", "light", "dark"] as const).map(
    (theme): PaletteItem => ({
      kind: "theme",
      key: `theme ${theme}`,
      label: `Theme: ${theme === "system" ? "as the system" : theme}`,
      theme,
      find: `theme ${theme} appearance colour mode`,
    }),
  ),
  { kind: "help", key: "help", label: "Keys", hint: "?", find: "keys help shortcuts keyboard" },
];

/** More loops than this are found by typing more. */
const mostLoops = 30;

/** What the palette offers for what was typed, in groups, the best of each first. `here` is the loop at hand. */
export function paletteGroups(typed: string, loops: LoopSummary[], here: LoopSummary | null): PaletteGroup[] {
  const groups: (PaletteGroup & { best: number })[] = [];
  const add = (title: string, items: PaletteItem[], most = items.length) => {
    const scored = items.flatMap((item) => {
      const score = fuzzyScore(typed, item.find);
      return score === null ? [] : [{ item, score }];
    });
    if (typed.trim() !== "") scored.sort((a, b) => b.score - a.score);
    const first = scored[0];
    if (first === undefined) return;
    groups.push({ title, items: scored.slice(0, most).map(({ item }) => item), best: first.score });
  };
  if (here !== null) add(`“${here.config.name}”`, actionItems(here));
  const vaults = vaultsOf(loops).map((directory) =>
    go(`Vault ${cutPath(directory, 40)}`, vaultHref(directory), undefined, `${directory} tasks`),
  );
  if (typed.trim() === "") {
    add("Go to", places);
    add("Vaults", vaults, 3);
    add("Loops", loops.map(loopItem), 8);
    add("Looks", looks);
    return groups;
  }
  add("Loops", loops.map(loopItem), mostLoops);
  add("Go to", places);
  add("Vaults", vaults);
  add("Looks", looks);
  return groups.sort((a, b) => Math.floor(b.best) - Math.floor(a.best));
}

function loopItem(loop: LoopSummary): PaletteItem {
  const { id, name, directory, goal } = loop.config;
  return {
    kind: "loop",
    key: id,
    label: name,
    hint: cutPath(directory, 36),
    loop,
    find: `${name} ${directory} ${goal ?? ""}`,
  };
}

function actionItems(loop: LoopSummary): PaletteItem[] {
  const { asked, mergeable, status } = loop.state;
  const { name, id } = loop.config;
  const { strategy, calledOff } = standingOf(loop);
  const offered = actionsFor(status, { asked, mergeable, strategy, calledOff });
  const branch = mergeable && status !== "accepted" && status !== "discarded" ? Object.values(branchActions) : [];
  const items = [...offered, ...branch].map(
    (action): PaletteItem => ({
      kind: "act",
      key: `${action.name} ${action.label}`,
      label: action.label,
      loop,
      action,
      find: `${action.label} ${action.name} ${name}`,
    }),
  );
  const { directory } = loop.config;
  const vault = strategy === "task" ? [go("Its vault", vaultHref(directory), undefined, `vault ${name}`)] : [];
  // What destroys is never the first that a key would take.
  const isEnd = (item: PaletteItem) => item.kind === "act" && item.action.name === "delete";
  const rest = items.filter((item) => !isEnd(item));
  return [...rest, ...vault, go("Duplicate", `/new?from=${id}`, undefined, `copy ${name}`), ...items.filter(isEnd)];
}
