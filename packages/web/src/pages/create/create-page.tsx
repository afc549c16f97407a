import type { HandleUncommitted, StartRequest } from "@ralpher/contract";
import ChevronRight from "lucide-react/icons/chevron-right";
import Play from "lucide-react/icons/play";
import { useRef, useState } from "react";
import { useLocation, useSearch } from "wouter";
import { Uncommitted } from "../../act/ask/uncommitted.tsx";
import { client, read } from "../../feed/api.ts";
import { Refusal } from "../../feed/refusal.ts";
import { useAsked } from "../../feed/use-asked.ts";
import { AgentChoice } from "../../parts/agent-choice.tsx";
import { Button } from "../../parts/button.tsx";
import { ModelField } from "../../parts/model-field.tsx";
import { useTabFace } from "../../shell/tab-face.ts";
import { usableOf } from "../../words/model.ts";
import { cleanPath, type Draft, draftIn, isAdvanced, requestOf, type Wrongs } from "./draft.ts";
import { FolderField } from "./folder-field.tsx";
import { folderWords, vaultFolderWords } from "./folder-words.ts";
import { MoreFields } from "./more-fields.tsx";
import { NeededField } from "./needed-field.tsx";
import { PromptField } from "./prompt-field.tsx";
import { SodaFields } from "./soda-fields.tsx";
import { StrategyChoice } from "./strategy-choice.tsx";
import { TaskFields } from "./task-fields.tsx";
import { useDraft } from "./use-draft.ts";
import { wrongsOf } from "./wrongs.ts";

/** Make a loop. `?from=ID` begins with the settings of that one, `?vault=` and `&file=` with that task. */
export function CreatePage() {
  const query = new URLSearchParams(useSearch());
  const from = query.get("from");
  const [given] = useState(() => draftIn(query));
  const [, navigate] = useLocation();
  const { draft, change, clear, forget } = useDraft(from, given);
  const [wrongs, setWrongs] = useState<Wrongs>({});
  const [more, setMore] = useState(false);
  const [busy, setBusy] = useState<"create" | "start" | null>(null);
  const [dirty, setDirty] = useState<{ directory: string; changedFiles: string[] } | null>(null);
  const form = useRef<HTMLFormElement>(null);
  const settings = useAsked("", (_, options) => read(client.settings.$get({}, options)));
  const agents = useAsked("", (_, options) => read(client.backends.$get({}, options)));
  useTabFace("New loop · Ralpher", "quiet");

  const isSoda = draft.strategy === "soda";
  const isTask = draft.strategy === "task";
  const reports = agents.state === "here" ? agents.value : null;
  const preset = settings.state === "here" ? settings.value : null;
  const backend = draft.backend === "" ? usableOf(preset?.backend ?? "opencode", reports) : draft.backend;

  const edit = (changes: Partial<Draft>) => {
    change(changes);
    // What was wrong may be right now; the server says so, or the next try.
    setWrongs((before) => (Object.keys(before).length === 0 ? before : {}));
  };
  const refuse = (found: Wrongs) => {
    setWrongs(found);
    if (Object.keys(found).some(isAdvanced)) setMore(true);
    requestAnimationFrame(() => form.current?.querySelector<HTMLElement>("[aria-invalid]")?.focus());
  };
  const send = async (start?: StartRequest) => {
    if (busy !== null) return;
    const { request, wrongs: found } = requestOf({ ...draft, backend }, start);
    if (request === null) return refuse(found);
    setWrongs({});
    setBusy(start === undefined ? "create" : "start");
    try {
      const { config } = await read(client.loops.$post({ json: request }));
      forget();
      navigate(`/${config.id}`);
    } catch (error) {
      setBusy(null);
      if (error instanceof Refusal && error.code === "uncommitted_changes") {
        const files = error.data.changedFiles;
        setDirty({
          directory: String(error.data.directory),
          changedFiles: Array.isArray(files) ? files.map(String) : [],
        });
      } else refuse(wrongsOf(error));
    }
  };
  const known = [
    "strategy.spec",
    "strategy.test",
    "strategy.base",
    "strategy.file",
    "directory",
    "prompt",
    "model",
    "backend.type",
    "backend.command",
    "backend.script",
  ];
  const rest = Object.entries(wrongs).filter(([path]) => !known.includes(path) && !isAdvanced(path));

  return (
    <form
      ref={form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void send({});
      }}
      className="flex h-full flex-col"
    >
      <div className="min-h-0 flex-1 overflow-y-auto">
        <div className="mx-auto flex max-w-2xl flex-col gap-6 px-4 pt-6 pb-10">
          <div className="flex items-baseline justify-between gap-4">
            <h1 className="text-title font-semibold">New loop</h1>
            <Button
              look="quiet"
              onClick={clear}
              className={`-mr-3 ${draft.prompt === "" && draft.directory === "" ? "invisible" : ""}`}
            >
              Clear
            </Button>
          </div>
          <FolderField
            value={draft.directory}
            onChange={(directory) => edit({ directory })}
            {...(isTask
              ? { words: vaultFolderWords, about: "The vault: a folder of task files." }
              : { words: (report, path) => folderWords(report, path, draft.git || isSoda, isSoda) })}
            wrong={wrongs.directory}
          />
          <StrategyChoice value={draft.strategy} onChange={(strategy) => edit({ strategy })} />
          {isSoda ? (
            <SodaFields draft={draft} change={edit} wrongs={wrongs} />
          ) : isTask ? (
            <TaskFields draft={draft} change={edit} wrongs={wrongs} />
          ) : (
            <PromptField
              value={draft.prompt}
              onChange={(prompt) => edit({ prompt })}
              onSend={() => void send({})}
              wrong={wrongs.prompt}
            />
          )}
          <AgentChoice
            value={backend}
            onChange={(type) => edit({ backend: type, model: "" })}
            reports={reports}
            wrong={wrongs["backend.type"]}
          />
          <NeededField draft={draft} change={edit} backend={backend} wrongs={wrongs} />
          <ModelField
            key={backend}
            value={draft.model}
            onChange={(model) => edit({ model })}
            backend={backend}
            directory={cleanPath(draft.directory)}
            preset={preset?.models[backend]}
            wrong={wrongs.model}
          />
          <details
            open={more}
            onToggle={(event) => setMore(event.currentTarget.open)}
            className="group/more border-t border-line pt-4"
          >
            <summary className="flex cursor-pointer list-none items-center gap-1.5 rounded-sm font-medium touch:py-2 [&::-webkit-details-marker]:hidden">
              <ChevronRight
                aria-hidden="true"
                className="size-4 text-soft transition-transform duration-100 group-open/more:rotate-90"
              />
              More
              <span className="font-normal text-soft">
                {isSoda || isTask ? "limits, connection" : "limits, git, connection"}
              </span>
            </summary>
            <MoreFields
              draft={draft}
              change={edit}
              wrongs={wrongs}
              backend={backend}
              report={reports?.find(({ type }) => type === backend)}
            />
          </details>
        </div>
      </div>
      <div className="shrink-0 border-t border-line">
        <div className="mx-auto flex max-w-2xl flex-wrap items-center justify-end gap-2 px-4 pt-2.5 pb-[max(0.625rem,env(safe-area-inset-bottom))]">
          <div
            role="alert"
            className="min-w-0 flex-1 basis-60 text-small text-bad [overflow-wrap:anywhere] empty:hidden"
          >
            {rest.map(([path, text]) => (
              <p key={path}>{path === "" ? text : `${path}: ${text}`}</p>
            ))}
          </div>
          <Button busy={busy === "create"} disabled={busy !== null} onClick={() => void send()}>
            Create
          </Button>
          <Button
            type="submit"
            look="filled"
            busy={busy === "start"}
            disabled={busy !== null}
            title="Ctrl+Enter in the goal"
          >
            <Play aria-hidden="true" />
            Create and start
          </Button>
        </div>
      </div>
      {dirty !== null && (
        <Uncommitted
          {...dirty}
          onCancel={() => setDirty(null)}
          onChoose={(handleUncommitted: HandleUncommitted) => {
            setDirty(null);
            void send({ handleUncommitted });
          }}
        />
      )}
    </form>
  );
}
