import { useMemo } from "react";
import { Link, useLocation, useSearch } from "wouter";
import { useStore } from "../../feed/store.ts";
import { inputLook } from "../../parts/field.tsx";
import { loopsFeed } from "../../shell/feeds.ts";
import { useTabFace } from "../../shell/tab-face.ts";
import { cutPath } from "../../words/cut.ts";
import { BoardView } from "./board-view.tsx";

/** The work items of a project: `?directory=` says of which, `&item=` which one is at the side. */
export function WorkItemsPage() {
  const query = new URLSearchParams(useSearch());
  const [, navigate] = useLocation();
  const folders = useFolders();
  const status = useStore(loopsFeed.state, (state) => state.status);
  const directory = query.get("directory") ?? folders[0] ?? null;
  useTabFace("Work items · Ralpher", "quiet");
  const show = (folder: string, item: string | null) =>
    navigate(`/work-items?${new URLSearchParams({ directory: folder, ...(item === null ? {} : { item }) })}`, {
      replace: true,
    });

  if (directory === null) {
    if (status === "loading") return null;
    return (
      <div className="mx-auto flex max-w-lg flex-col items-start gap-3 px-4 py-16">
        <h1 className="text-title font-semibold">No project yet</h1>
        <p className="text-soft">
          Work items belong to a project. Those of the folders that loops work on are shown here.
        </p>
        <Link href="/new" className="rounded-sm underline underline-offset-2">
          Make a loop
        </Link>
      </div>
    );
  }
  const choices = folders.includes(directory) ? folders : [directory, ...folders];
  return (
    <div className="flex h-full flex-col">
      <div className="flex shrink-0 flex-wrap items-center gap-x-4 gap-y-1.5 px-4 pt-3 lg:px-6">
        <h1 className="text-title font-semibold">Work items</h1>
        <select
          aria-label="Project"
          title={directory}
          value={directory}
          onChange={(event) => show(event.target.value, null)}
          className={`${inputLook} figure !w-auto max-w-full`}
        >
          {choices.map((folder) => (
            <option key={folder} value={folder}>
              {cutPath(folder, 60)}
            </option>
          ))}
        </select>
      </div>
      <div className="relative min-h-0 flex-1">
        <div className="absolute inset-0">
          <BoardView
            key={directory}
            directory={directory}
            selected={query.get("item")}
            onSelect={(item) => show(directory, item)}
          />
        </div>
      </div>
    </div>
  );
}

/** The folders of the loops there are, the most lately used first. */
function useFolders(): string[] {
  const loops = useStore(loopsFeed.state, (state) => state.loops);
  return useMemo(() => {
    const newest = [...loops.values()].sort((a, b) => (lastOf(a) < lastOf(b) ? 1 : -1));
    return [...new Set(newest.map(({ config }) => config.directory))];
  }, [loops]);
}

const lastOf = ({ config, state }: { config: { createdAt: string }; state: { lastActivityAt?: string | undefined } }) =>
  state.lastActivityAt ?? config.createdAt;
