import { resolve } from "node:path";
import type { EventBody } from "@ralpher/contract";
import { hasPoints } from "../../strategies/soda/consistent.ts";
import type { Performer } from "../execution.ts";

/** Give the folder its identity, the repository a first commit, and the run its spec (L-BOOT-1, L-BOOT-2, L-MILE-1). */
export const performBootstrap: Performer<"bootstrap"> = async ({ workspaces, projects, record }, _step, view) => {
  const { directory, strategy, id } = view.config;
  if (strategy.type !== "soda") throw new Error("only soda is bootstrapped");
  const spec = await projects.readSpec(resolve(directory, strategy.spec));
  const ground = await workspaces.prepareGround(directory);
  const { project, made } = await projects.bootstrap(directory);
  await projects.linkOutputs(project, id);
  const notes = [
    ...(ground.repository ? [`made a git repository in ${directory}`] : []),
    ...(ground.firstCommit ? ["made an empty first commit"] : []),
    ...(hasPoints(spec.text)
      ? []
      : [
          "the spec names nothing in points: write acceptance criteria as a list, so that each can be judged by itself",
        ]),
    ...(made ? [`gave the project the id ${project.id}; what is known of it lies in ${project.home}`] : []),
  ];
  const told: EventBody[] = notes.map((text) => ({ type: "loop.notice", iteration: 0, text }));
  await record([...told, { type: "loop.bootstrapped", project, notes }, { type: "loop.spec", spec }]);
};
