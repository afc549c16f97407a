import type { ReactNode } from "react";
import { Field, inputLook } from "../../parts/field.tsx";
import type { Draft, Wrongs } from "./draft.ts";

type SodaText = "spec" | "test" | "base";

/** What a SODA loop is built from: its spec, how its tests are run, and where it begins. */
export function SodaFields({
  draft,
  change,
  wrongs,
}: {
  draft: Draft;
  change: (changes: Partial<Draft>) => void;
  wrongs: Wrongs;
}) {
  const text = (key: SodaText, label: string, hint: ReactNode, placeholder: string) => (
    <Field label={label} hint={hint} error={wrongs[`strategy.${key}`]}>
      {(ids) => (
        <input
          {...ids}
          value={draft[key]}
          placeholder={placeholder}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => change({ [key]: event.target.value })}
          className={`${inputLook} figure`}
        />
      )}
    </Field>
  );
  return (
    <>
      {text(
        "spec",
        "Spec",
        "A file with what is to be built and its acceptance criteria; from the folder, or its whole path.",
        "Sodafile",
      )}
      <div className="grid gap-5 sm:grid-cols-2">
        {text("test", "Tests", "How they are run, without a shell.", "As the project's manifest says")}
        {text("base", "Begins from", "The branch it is merged into in the end.", "main")}
      </div>
    </>
  );
}
