import { useState } from "react";
import { useLocation, useSearch } from "wouter";
import { client, read } from "../../feed/api.ts";
import { useStore } from "../../feed/store.ts";
import { useAsked } from "../../feed/use-asked.ts";
import { Button } from "../../parts/button.tsx";
import { Combo } from "../../parts/combo.tsx";
import { CommandLine } from "../../parts/command-line.tsx";
import { CopyButton } from "../../parts/copy-button.tsx";
import { Field, inputLook } from "../../parts/field.tsx";
import { loopsFeed } from "../../shell/feeds.ts";
import { useTabFace } from "../../shell/tab-face.ts";
import { cutPath, lastOfPath } from "../../words/cut.ts";
import { vaultsOf } from "../../words/vaults.ts";
import { VaultView } from "./vault-view.tsx";

/** A vault and its tasks by folder: `?directory=` says which; empty, one is asked for. */
export function VaultPage() {
  const given = new URLSearchParams(useSearch()).get("directory");
  const [, navigate] = useLocation();
  const vaults = useVaults();
  const status = useStore(loopsFeed.state, (state) => state.status);
  const directory = given ?? vaults[0] ?? null;
  useTabFace(
    directory === null || directory === "" ? "Vaults · Ralpher" : `${lastOfPath(directory)} · Ralpher`,
    "quiet",
  );
  const show = (folder: string) => navigate(`/vault?${new URLSearchParams({ directory: folder })}`);

  if (directory === null || directory === "") {
    return status === "loading" && directory === null ? null : <NoVault isFirst={vaults.length === 0} onShow={show} />;
  }
  const choices = vaults.includes(directory) ? vaults : [directory, ...vaults];
  return (
    <div className="@container h-full overflow-y-auto">
      <div className="mx-auto flex max-w-[90rem] flex-col gap-6 px-4 pt-3 pb-10 lg:px-6">
        <div className="flex min-h-9 flex-wrap items-center gap-x-4 gap-y-1.5">
          <h1 className="text-title font-semibold">Vault</h1>
          {choices.length > 1 ? (
            <select
              aria-label="Vault"
              title={directory}
              value={directory}
              onChange={(event) => show(event.target.value)}
              className={`${inputLook} figure !w-auto max-w-full`}
            >
              {choices.map((folder) => (
                <option key={folder} value={folder}>
                  {cutPath(folder, 60)}
                </option>
              ))}
              <option value="">Another folder…</option>
            </select>
          ) : (
            <span className="figure flex min-w-0 items-center text-soft" title={directory}>
              <span className="min-w-0 truncate">{cutPath(directory, 60)}</span>
              <CopyButton text={directory} what="the vault's path" className="ml-0.5" />
              <button
                type="button"
                onClick={() => show("")}
                className="ml-3 rounded-sm font-sans text-small text-run underline-offset-2 hover:underline touch:py-2"
              >
                Another
              </button>
            </span>
          )}
        </div>
        <VaultView key={directory} directory={directory} />
      </div>
    </div>
  );
}

function NoVault({ isFirst, onShow }: { isFirst: boolean; onShow: (directory: string) => void }) {
  const [text, setText] = useState("");
  const typed = text.trim();
  const found = useAsked(
    typed.startsWith("/") ? typed : null,
    (prefix, options) => read(client.directories.$get({ query: { prefix } }, options)),
    { waitMs: 120, keep: true },
  );
  return (
    <div className="mx-auto flex h-full max-w-lg flex-col gap-4 overflow-y-auto px-4 py-16">
      <h1 className="text-title font-semibold">{isFirst ? "No vault yet" : "Open a vault"}</h1>
      <p className="text-soft">
        A vault is a folder of tasks, each a Markdown file with boxes to tick. Drop one in, go away, and find it done,
        or find a clear question.
      </p>
      <form
        className="flex flex-wrap items-end gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          if (typed.startsWith("/")) onShow(typed.length > 1 ? typed.replace(/\/+$/, "") : typed);
        }}
      >
        <Field label="Folder" className="flex-1 basis-60">
          {(ids) => (
            <Combo
              ids={ids}
              mono
              value={text}
              placeholder="/home/you/vault"
              listName="Folders"
              options={found.state === "here" ? found.value.map(({ path }) => ({ value: path })) : []}
              onChange={setText}
            />
          )}
        </Field>
        <Button type="submit" look="filled" className="mb-1" disabled={!typed.startsWith("/")}>
          Open
        </Button>
      </form>
      <p className="text-soft">Or in a terminal:</p>
      <CommandLine command="ralpher task init ~/vault" />
    </div>
  );
}

function useVaults(): string[] {
  return useStore(
    loopsFeed.state,
    ({ loops }) => vaultsOf(loops.values()),
    (a, b) => a.join("\n") === b.join("\n"),
  );
}
