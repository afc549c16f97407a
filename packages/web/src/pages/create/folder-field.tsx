import type { DirectoryReport } from "@ralpher/contract";
import CircleCheck from "lucide-react/icons/circle-check";
import CircleX from "lucide-react/icons/circle-x";
import TriangleAlert from "lucide-react/icons/triangle-alert";
import { useEffect, useMemo, useState } from "react";
import { client, read } from "../../feed/api.ts";
import { useStore } from "../../feed/store.ts";
import { useAsked } from "../../feed/use-asked.ts";
import { Combo } from "../../parts/combo.tsx";
import { CommandLine } from "../../parts/command-line.tsx";
import { Field } from "../../parts/field.tsx";
import { meaningText } from "../../parts/state-mark.tsx";
import { loopsFeed } from "../../shell/feeds.ts";
import { cleanPath } from "./draft.ts";
import type { FolderWords } from "./folder-words.ts";

/** A pause in typing. */
const checkMs = 300;
const completeMs = 120;
/** So long without a key, and the folder is the one that is meant. */
const settledMs = 1_500;

/** The folder to work on, with completion; looked at as one types. */
export function FolderField({
  value,
  onChange,
  words: wordsOf,
  about = "The repository it works on.",
  wrong,
}: {
  value: string;
  onChange: (text: string) => void;
  /** What a folder is like for what is made. */
  words: (report: DirectoryReport, path: string) => FolderWords;
  /** What the folder is to be. */
  about?: string;
  wrong: string | undefined;
}) {
  const typed = value.trim();
  const absolute = typed.startsWith("/") || typed.startsWith("~");
  const found = useAsked(
    absolute ? typed : null,
    (prefix, options) => read(client.directories.$get({ query: { prefix } }, options)),
    { waitMs: completeMs, keep: true },
  );
  const path = cleanPath(value);
  const report = useAsked(
    path.startsWith("/") ? path : null,
    (folder, options) => read(client.directory.$get({ query: { path: folder } }, options)),
    { waitMs: checkMs, keep: true },
  );
  const settled = useSettled(value);
  const recent = useRecentFolders();
  const options =
    found.state === "here" && absolute
      ? found.value.every((entry) => entry.path === typed)
        ? // Nothing to complete: a list would only hide what the folder is like.
          []
        : found.value.map((entry) => ({ value: entry.path, hint: entry.repository ? "repository" : undefined }))
      : typed === ""
        ? recent.map((folder) => ({ value: folder, hint: "used lately" }))
        : [];
  const words = report.state === "here" && path !== "" ? wordsOf(report.value as DirectoryReport, path) : null;
  const notAbsolute = typed !== "" && !typed.startsWith("/") ? "Write the whole path, beginning with /." : undefined;
  const error = wrong ?? notAbsolute;
  return (
    <Field label="Folder" error={error} className={error === undefined ? "" : "pb-[1.375rem]"}>
      {(ids) => (
        <>
          <Combo
            ids={ids}
            mono
            focused
            value={value}
            placeholder="/home/you/project"
            listName="Folders"
            options={options}
            onChange={onChange}
            onTake={(folder) => {
              const chosen = options.find((option) => option.value === folder);
              const whole = chosen?.hint !== undefined;
              onChange(whole ? folder : `${folder}/`);
              return !whole;
            }}
          />
          {error === undefined && (
            // Two lines have their place from the start, so that the goal under them does not jump while one types.
            <div role="status" className="mt-1.5 min-h-[2.25rem] text-small">
              {words === null ? (
                <p className="text-soft">{about}</p>
              ) : (
                <Verdict words={words} settled={settled === value} />
              )}
            </div>
          )}
        </>
      )}
    </Field>
  );
}

const glyphs = { good: CircleCheck, "needs-you": TriangleAlert, bad: CircleX };

/** `settled`: nobody types any more, so that a command may take its place. */
function Verdict({ words, settled }: { words: FolderWords; settled: boolean }) {
  const Glyph = glyphs[words.meaning];
  return (
    <>
      <p className="flex items-start gap-1.5 text-small [overflow-wrap:anywhere]">
        <Glyph aria-hidden="true" className={`mt-px size-3.5 shrink-0 ${meaningText[words.meaning]}`} />
        <span className={words.meaning === "bad" ? "text-bad" : "text-soft"}>{words.text}</span>
      </p>
      {words.command !== undefined && settled && (
        <div className="mt-2">
          <CommandLine command={words.command} />
        </div>
      )}
    </>
  );
}

/** The text as it was when it last stayed the same for a while. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), settledMs);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}

const mostRecent = 8;

/** The folders of the loops there are, the newest first. */
function useRecentFolders(): string[] {
  const loops = useStore(loopsFeed.state, (state) => state.loops);
  return useMemo(
    () =>
      [
        ...new Set(
          [...loops.values()]
            .sort((a, b) => (a.config.createdAt < b.config.createdAt ? 1 : -1))
            .map(({ config }) => config.directory),
        ),
      ].slice(0, mostRecent),
    [loops],
  );
}
