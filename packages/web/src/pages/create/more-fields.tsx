import type { BackendReport } from "@ralpher/contract";
import type { ReactNode } from "react";
import { Check } from "../../parts/check.tsx";
import { Field, inputLook } from "../../parts/field.tsx";
import type { Draft, Wrongs } from "./draft.ts";

interface Props {
  draft: Draft;
  change: (changes: Partial<Draft>) => void;
  wrongs: Wrongs;
  backend: BackendReport["type"];
  report: BackendReport | undefined;
}

/** What few people change: limits, how it ends, git, and the agent's own connection. */
export function MoreFields(props: Props) {
  const { draft, change, wrongs } = props;
  const { strategy } = draft;
  const isTask = strategy === "task";
  const asVault = "As the vault says";
  const text = (key: TextKey, path: string, label: string, hint: ReactNode, placeholder: string, numeric = false) => (
    <Field label={label} hint={hint} error={wrongs[path]}>
      {(ids) => (
        <input
          {...ids}
          value={draft[key]}
          placeholder={placeholder}
          inputMode={numeric ? "numeric" : "text"}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => change({ [key]: event.target.value })}
          className={`${inputLook} ${key === "name" ? "" : "figure"}`}
        />
      )}
    </Field>
  );
  return (
    <div className="flex flex-col gap-5 pt-4">
      <div className="grid gap-5 sm:grid-cols-2">
        {text("name", "name", "Name", null, nameFrom[strategy])}
        {text(
          "maxIterations",
          "maxIterations",
          "Iterations at most",
          null,
          isTask ? asVault : strategy === "soda" ? "20" : "Without a limit",
          true,
        )}
        {text(
          "failureThreshold",
          "failureThreshold",
          "Failures in a row",
          "So many failed iterations end the loop.",
          isTask ? asVault : "3",
          true,
        )}
        {text(
          "idleTimeoutSeconds",
          "idleTimeoutSeconds",
          "Silence, in seconds",
          "An agent that says nothing for so long is ended.",
          "900",
          true,
        )}
      </div>
      {strategy === "ralph" && (
        <>
          {text(
            "stopPattern",
            "stopPattern",
            "Done when its last words match",
            "A regular expression (RE2).",
            "<promise>COMPLETE</promise>$",
          )}
          <Git {...props} text={text} />
        </>
      )}
      <Connection {...props} text={text} />
    </div>
  );
}

const nameFrom: Record<Draft["strategy"], string> = {
  ralph: "Taken from the goal",
  soda: "Taken from the spec",
  task: "Taken from the task",
};

type TextKey = { [K in keyof Draft]: Draft[K] extends string ? K : never }[keyof Draft];
type TextInput = (
  key: TextKey,
  path: string,
  label: string,
  hint: ReactNode,
  placeholder: string,
  numeric?: boolean,
) => ReactNode;

function Git({ draft, change, text }: Props & { text: TextInput }) {
  return (
    <>
      <Check
        checked={draft.git}
        onChange={(git) => change({ git })}
        label="Use git"
        hint="A branch of its own, a commit after each iteration, a merge when you accept."
      />
      {draft.git && (
        <>
          <Check
            checked={draft.isolation === "worktree"}
            onChange={(own) => change({ isolation: own ? "worktree" : "checkout" })}
            label="In a worktree of its own"
            hint="Your checkout is never touched, and many loops run side by side. Off: it works in the folder itself."
          />
          <div className="grid gap-5 sm:grid-cols-2">
            {text("branchPrefix", "git.branchPrefix", "Branches begin with", null, "ralph/")}
            {text("commitPrefix", "git.commitPrefix", "Commits begin with", null, "[Ralph]")}
          </div>
        </>
      )}
    </>
  );
}

function Connection({ draft, change, backend, report, text }: Props & { text: TextInput }) {
  const connects = report?.capabilities.modes.includes("connect") ?? backend === "opencode";
  return (
    <>
      {connects && (
        <Check
          checked={draft.mode === "connect"}
          onChange={(connect) => change({ mode: connect ? "connect" : "spawn" })}
          label="Use an agent server that is already running"
          hint="Off: one is started and ended for the loop."
        />
      )}
      {connects && draft.mode === "connect" && (
        <div className="grid gap-5 sm:grid-cols-2">
          {text("hostname", "backend.hostname", "Host", null, "127.0.0.1")}
          {text("port", "backend.port", "Port", null, "4096", true)}
        </div>
      )}
    </>
  );
}
