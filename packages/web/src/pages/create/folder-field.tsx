import type { DirectoryReport } from "@ralpher/contract";
import CircleCheck from "lucide-react/icons/circle-check";
import CircleX from "lucide-react/icons/circle-x";
import TriangleAlert from "lucide-react/icons/triangle-alert";
import { useMemo } from "react";
import { client, read } from "../../feed/api.ts";
import { useStore } from "../../feed/store.ts";
import { useAsked } from "../../feed/use-asked.ts";
import { Combo } from "../../parts/combo.tsx";
import { CommandLine } from "../../parts/command-line.tsx";
import { Field } from "../../parts/field.tsx";
import { meaningText } from "../../parts/state-mark.tsx";
import { loopsFeed } from "../../shell/feeds.ts";
import { cleanPath } from "./draft.ts";
import { type FolderWords, folderWords } from "./folder-words.ts";

/** A pause in typing. */
const checkMs = 300;
const completeMs = 120;

/** The folder to work on, with completion; looked at as one types. */
export function FolderField({
  value,
  onChange,
  git,
  wrong,
}: {
  value: string;
  onChange: (text: string) => void;
  git: boolean;
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
  const recent = useRecentFolders();
  const options =
    found.state === "here" && absolute
      ? found.value.map((entry) => ({ value: entry.path, hint: entry.repository ? "repository" : undefined }))
      : typed === ""
        ? recent.map((folder) => ({ value: folder, hint: "used lately" }))
        : [];
  const words = report.state === "here" && path !== "" ? folderWords(report.value as DirectoryReport, path, git) : null;
  const notAbsolute = typed !== "" && !absolute ? "The whole path, from / on." : undefined;
  return (
    <Field label="Folder" error={wrong ?? notAbsolute} hint={words === null ? "The repository it works on." : null}>
      {(ids) => (
        <>
          <Combo
            ids={ids}
            mono
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
          {words !== null && wrong === undefined && <Verdict words={words} />}
        </>
      )}
    </Field>
  );
}

const glyphs = { good: CircleCheck, "needs-you": TriangleAlert, bad: CircleX };

function Verdict({ words }: { words: FolderWords }) {
  const Glyph = glyphs[words.meaning];
  return (
    <div role="status" className="mt-1.5">
      <p className="flex items-start gap-1.5 text-small [overflow-wrap:anywhere]">
        <Glyph aria-hidden="true" className={`mt-px size-3.5 shrink-0 ${meaningText[words.meaning]}`} />
        <span className={words.meaning === "bad" ? "text-bad" : "text-soft"}>{words.text}</span>
      </p>
      {words.command !== undefined && (
        <div className="mt-2">
          <CommandLine command={words.command} />
        </div>
      )}
    </div>
  );
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
