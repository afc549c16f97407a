import type { BackendReport, BackendType, Settings } from "@ralpher/contract";
import { useEffect, useState } from "react";
import { client, read } from "../../feed/api.ts";
import { Refusal, reasonOf } from "../../feed/refusal.ts";
import { useAsked } from "../../feed/use-asked.ts";
import { AgentChoice } from "../../parts/agent-choice.tsx";
import { Button } from "../../parts/button.tsx";
import { Bone, Delayed } from "../../parts/delayed.tsx";
import { ModelField } from "../../parts/model-field.tsx";
import { announce } from "../../parts/notices.tsx";
import { modelText, readModel } from "../../words/model.ts";

// What came over the wire has no keys without a value, which the client's types cannot know.
const readSettings = (signal: AbortSignal) => read(client.settings.$get({}, { init: { signal } })) as Promise<Settings>;

/** The agent and the model of new loops. */
export function Defaults() {
  const [saved, setSaved] = useState<Settings | null>(null);
  const [refused, setRefused] = useState<string | null>(null);
  const [tries, setTries] = useState(0);
  const agents = useAsked("", (_, options) => read(client.backends.$get({}, options)));
  // biome-ignore lint/correctness/useExhaustiveDependencies: another try reads them again
  useEffect(() => {
    const closing = new AbortController();
    setRefused(null);
    readSettings(closing.signal).then(setSaved, (error: unknown) => {
      if (!closing.signal.aborted) setRefused(reasonOf(error));
    });
    return () => closing.abort();
  }, [tries]);
  if (refused !== null) {
    return (
      <div role="alert" className="flex flex-col items-start gap-2">
        <p className="text-soft">{refused}</p>
        <Button onClick={() => setTries(tries + 1)}>Try again</Button>
      </div>
    );
  }
  if (saved === null) {
    return (
      <Delayed>
        <div role="status" aria-label="Loading the settings" className="flex h-40 flex-col gap-4">
          <Bone className="w-48" />
          <Bone className="w-72" />
        </div>
      </Delayed>
    );
  }
  return (
    <Form
      key={JSON.stringify(saved)}
      saved={saved}
      onSaved={setSaved}
      reports={agents.state === "here" ? agents.value : null}
    />
  );
}

function Form({
  saved,
  onSaved,
  reports,
}: {
  saved: Settings;
  onSaved: (settings: Settings) => void;
  reports: BackendReport[] | null;
}) {
  const textOf = (type: BackendType) => {
    const model = saved.models[type];
    return model === undefined ? "" : modelText(model);
  };
  const [backend, setBackend] = useState<BackendType>(saved.backend);
  const [model, setModel] = useState(() => textOf(saved.backend));
  const [wrong, setWrong] = useState<string | undefined>();
  const [busy, setBusy] = useState(false);
  const changed = backend !== saved.backend || model.trim() !== textOf(backend);

  const save = async () => {
    const ref = readModel(model);
    if (model.trim() !== "" && ref === null) {
      setWrong("A model is written provider/model, such as anthropic/claude-sonnet-4-5.");
      return;
    }
    setBusy(true);
    try {
      const { [backend]: _, ...others } = saved.models;
      const models = ref === null ? others : { ...others, [backend]: ref };
      onSaved((await read(client.settings.$patch({ json: { backend, models } }))) as Settings);
      announce("Saved", "New loops begin with this.");
    } catch (error) {
      setBusy(false);
      setWrong(error instanceof Refusal ? error.message : reasonOf(error));
    }
  };
  return (
    <form
      noValidate
      className="flex flex-col gap-5"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <AgentChoice
        value={backend}
        onChange={(type) => {
          setBackend(type);
          setModel(textOf(type));
          setWrong(undefined);
        }}
        reports={reports}
      />
      <ModelField
        key={backend}
        value={model}
        onChange={(text) => {
          setModel(text);
          setWrong(undefined);
        }}
        backend={backend}
        directory=""
        preset={undefined}
        wrong={wrong}
      />
      <Button type="submit" look="filled" busy={busy} disabled={!changed} className="self-start">
        Save
      </Button>
    </form>
  );
}
