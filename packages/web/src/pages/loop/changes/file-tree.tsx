import { useVirtualizer } from "@tanstack/react-virtual";
import Check from "lucide-react/icons/check";
import ChevronRight from "lucide-react/icons/chevron-right";
import { useMemo, useRef, useState } from "react";
import { plural } from "../../../words/count.ts";
import { type TreeNode, treeLines } from "./files.ts";
import { StatusLetter } from "./status-letter.tsx";

const linePx = 28;

/** The changed files as a tree. A press on a file shows its changes. */
export function FileTree({
  tree,
  current,
  isViewed,
  onFile,
}: {
  tree: TreeNode[];
  /** The file whose changes are at the top of the list beside it. */
  current: string | null;
  isViewed: (path: string, blob: string) => boolean;
  onFile: (path: string) => void;
}) {
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set());
  const lines = useMemo(() => treeLines(tree, folded), [tree, folded]);
  const scroller = useRef<HTMLElement>(null);
  const virtualizer = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => linePx,
    overscan: 20,
    paddingStart: 8,
    paddingEnd: 8,
  });
  const toggle = (path: string) => {
    const next = new Set(folded);
    if (!next.delete(path)) next.add(path);
    setFolded(next);
  };
  return (
    <nav ref={scroller} aria-label="Changed files" className="h-full overflow-y-auto">
      <ul className="relative w-full" style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map((item) => {
          const line = lines[item.index];
          if (line === undefined) return null;
          const { node, depth } = line;
          const inset = { paddingLeft: 12 + depth * 12 };
          return (
            <li
              key={node.path}
              className="absolute inset-x-0 top-0"
              style={{ transform: `translateY(${item.start}px)` }}
            >
              {node.kind === "folder" ? (
                <button
                  type="button"
                  aria-expanded={!folded.has(node.path)}
                  onClick={() => toggle(node.path)}
                  style={inset}
                  className="flex h-7 w-full items-center gap-1.5 pr-3 text-left text-soft -outline-offset-2 hover:bg-raise"
                >
                  <ChevronRight
                    aria-hidden="true"
                    className={`size-3.5 shrink-0 transition-transform duration-100 ${folded.has(node.path) ? "" : "rotate-90"}`}
                  />
                  <span className="min-w-0 truncate" title={node.path}>
                    {node.name}
                  </span>
                  <span className="figure ml-auto" title={plural(node.files, "file")}>
                    {node.files}
                  </span>
                </button>
              ) : (
                <button
                  type="button"
                  aria-current={node.path === current || undefined}
                  onClick={() => onFile(node.path)}
                  style={inset}
                  className={`flex h-7 w-full items-center gap-1.5 pr-3 text-left -outline-offset-2 hover:bg-raise ${node.path === current ? "bg-raise font-medium" : ""}`}
                >
                  <StatusLetter status={node.file.status} />
                  <span
                    className={`min-w-0 truncate ${isViewed(node.path, node.file.blob) ? "text-soft" : ""}`}
                    title={node.path}
                  >
                    {node.name}
                  </span>
                  <span className="figure ml-auto flex shrink-0 items-center gap-1.5">
                    {isViewed(node.path, node.file.blob) && (
                      <Check role="img" aria-label="viewed" className="size-3.5 text-good" />
                    )}
                    {node.file.additions > 0 && <span className="text-good">+{node.file.additions}</span>}
                    {node.file.deletions > 0 && <span className="text-bad">−{node.file.deletions}</span>}
                  </span>
                </button>
              )}
            </li>
          );
        })}
      </ul>
    </nav>
  );
}
