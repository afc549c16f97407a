import type { LoopView } from "@ralpher/contract";
import { useMemo } from "react";
import { client, read } from "../../../feed/api.ts";
import { useAsked } from "../../../feed/use-asked.ts";

const nothing: ReadonlySet<string> = new Set();

/** The paths of the files that the loop has changed: those that its changes can show. Empty until they are known. */
export function useChangedFiles(view: LoopView, active: boolean): ReadonlySet<string> {
  const { id, workspace, commitCount, phase } = view;
  const git = workspace !== null && workspace.kind !== "plain" && phase.status !== "discarded";
  const asked = useAsked(
    active && git && commitCount > 0 ? `${id} ${commitCount}` : null,
    (_, options) => read(client.loops[":id"].diff.$get({ param: { id }, query: { patches: "false" } }, options)),
    { keep: true },
  );
  return useMemo(() => (asked.state === "here" ? new Set(asked.value.map(({ path }) => path)) : nothing), [asked]);
}
