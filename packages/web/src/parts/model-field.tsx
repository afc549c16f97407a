import type { BackendType, ModelRef } from "@ralpher/contract";
import { useMemo, useState } from "react";
import { client, read } from "../feed/api.ts";
import { useAsked } from "../feed/use-asked.ts";
import { plural } from "../words/count.ts";
import { fuzzyFind } from "../words/fuzzy.ts";
import { backendWords, modelText } from "../words/model.ts";
import { Combo } from "./combo.tsx";
import { Field } from "./field.tsx";

/** More cannot be read; typing narrows them. */
const mostShown = 60;

/** The model, from the agent's own list or typed. The list is asked for when it is first wanted: an agent may be slow. */
export function ModelField({
  value,
  onChange,
  backend,
  directory,
  preset,
  wrong,
}: {
  value: string;
  onChange: (text: string) => void;
  backend: BackendType;
  /** Where the agent would look for its own settings; "" for nowhere in particular. */
  directory: string;
  /** What is taken when nothing is said. */
  preset: ModelRef | undefined;
  wrong?: string | undefined;
}) {
  const [wanted, setWanted] = useState(false);
  const where = directory.startsWith("/") ? directory : "";
  const models = useAsked(
    wanted ? where : null,
    (folder, options) =>
      read(
        client.backends[":type"].models.$get(
          { param: { type: backend }, query: folder === "" ? {} : { directory: folder } },
          options,
        ),
      ),
    { waitMs: 150 },
  );
  const all = models.state === "here" ? models.value : [];
  const options = useMemo(
    () =>
      fuzzyFind(value, all, (info) => `${info.name} ${modelText(info.model)}`)
        .slice(0, mostShown)
        .map(({ model, name, isDefault }) => ({
          value: modelText(model),
          label: modelText(model),
          hint: isDefault ? "the agent's default" : name === model.modelID ? undefined : name,
        })),
    [all, value],
  );
  const own = all.find(({ isDefault }) => isDefault);
  const unsaid =
    preset !== undefined
      ? `${modelText(preset)} (from the settings)`
      : own !== undefined
        ? `${modelText(own.model)} (the agent's default)`
        : "The agent's own default";
  return (
    <Field
      label="Model"
      error={wrong}
      aside={
        models.state === "asking"
          ? "Asking for the models…"
          : models.state === "here"
            ? plural(all.length, "model")
            : undefined
      }
      hint={
        models.state === "refused"
          ? `${backendWords[backend].name} could not be asked for its models: ${models.refusal.message} Type one: provider/model.`
          : null
      }
    >
      {(ids) => (
        <Combo
          ids={ids}
          mono
          value={value}
          onChange={onChange}
          onFocus={() => setWanted(true)}
          options={options}
          placeholder={unsaid}
          listName="Models"
        />
      )}
    </Field>
  );
}
