import type { BackendType } from "@ralpher/contract";
import { Field, inputLook } from "../../parts/field.tsx";
import type { Draft, Wrongs } from "./draft.ts";

const fields = {
  acp: {
    key: "command",
    label: "Command",
    hint: "The agent's command line, program first.",
    placeholder: "opencode acp",
  },
  scripted: {
    key: "script",
    label: "Script",
    hint: "The whole path of the script it plays.",
    placeholder: "/home/you/script.yaml",
  },
} as const;

/** What an agent cannot be used without, beside the agent itself; nothing for most. */
export function NeededField({
  draft,
  change,
  backend,
  wrongs,
}: {
  draft: Draft;
  change: (changes: Partial<Draft>) => void;
  backend: BackendType;
  wrongs: Wrongs;
}) {
  if (backend !== "acp" && backend !== "scripted") return null;
  const { key, label, hint, placeholder } = fields[backend];
  return (
    <Field label={label} hint={hint} error={wrongs[`backend.${key}`]}>
      {(ids) => (
        <input
          {...ids}
          value={draft[key]}
          placeholder={placeholder}
          required={backend === "scripted"}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => change({ [key]: event.target.value })}
          className={`${inputLook} figure`}
        />
      )}
    </Field>
  );
}
