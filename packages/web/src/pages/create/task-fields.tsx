import type { VaultBoard, VaultTask } from "@ralpher/contract";
import { useState } from "react";
import { Link } from "wouter";
import { client, read } from "../../feed/api.ts";
import { useAsked } from "../../feed/use-asked.ts";
import { Combo } from "../../parts/combo.tsx";
import { Field } from "../../parts/field.tsx";
import { LayOut } from "../vault/lay-out.tsx";
import { Problems } from "../vault/problems.tsx";
import { cleanPath, type Draft, type Wrongs } from "./draft.ts";

/** A pause in typing. */
const waitMs = 300;

/** The task to work off, among those of the vault; where the folder is none yet, the offer to lay one out. */
export function TaskFields({
  draft,
  change,
  wrongs,
}: {
  draft: Draft;
  change: (changes: Partial<Draft>) => void;
  wrongs: Wrongs;
}) {
  const [laidOut, setLaidOut] = useState(0);
  const directory = cleanPath(draft.directory);
  const asked = useAsked(
    directory.startsWith("/") ? `${laidOut} ${directory}` : null,
    (_, options) => read(client.vaults.$get({ query: { directory } }, options)),
    { waitMs, keep: true },
  );
  const board = asked.state === "here" ? (asked.value as VaultBoard) : null;
  const isNone = asked.state === "refused" && asked.refusal.code === "vault_unusable";
  const taken = board?.open.find(({ path }) => path === draft.file.trim())?.loop ?? null;
  return (
    <>
      {isNone && <LayOut directory={directory} onDone={() => setLaidOut((times) => times + 1)} />}
      {board !== null && <Problems problems={board.problems} />}
      <Field
        label="Task"
        error={wrongs["strategy.file"]}
        hint={
          taken === null ? (
            "A Markdown file of the vault. Each of its boxes is a step; a file without boxes is one."
          ) : (
            <>
              A loop has it already.{" "}
              <Link href={`/${taken.id}`} className="text-run underline underline-offset-2">
                Go there
              </Link>
            </>
          )
        }
      >
        {(ids) => (
          <Combo
            ids={ids}
            mono
            value={draft.file}
            placeholder="/Specs/my_task.md"
            listName="Tasks"
            options={(board?.open ?? []).map((task) => ({ value: task.path, hint: hintOf(task) }))}
            onChange={(file) => change({ file })}
          />
        )}
      </Field>
    </>
  );
}

function hintOf({ title, steps, loop }: VaultTask): string {
  if (loop !== null) return "has a loop";
  return steps === null ? title : `${title}, ${steps.done}/${steps.all}`;
}
