import { relative, resolve } from "node:path";
import { dim, good } from "../print/style.ts";
import { printable } from "../print/words.ts";
import { print, printJson, withRalpher } from "../session.ts";

/** What is worth a word about what a vault is laid out with. */
const abouts: Record<string, string> = {
  "/Control": "how you steer: the config, the stop hook, words for the agent",
  "/Control/autonomous_loop_config.yaml": "every setting, explained",
  "/Control/example_task.md": "a task that teaches the form",
  "/Specs": "open tasks",
  "/Done": "finished ones",
  "/Rejected": "those you called off",
  "/Needs_Action": "what you are asked",
  "/Logs": "the log, and a report of each finished task",
  "/.state/history": "how each task went, for programs",
};

/** `ralpher task init` */
export const taskInit = (directory: string, { json }: { json?: true | undefined }) =>
  withRalpher(async ({ hub }) => {
    const { root, created } = await hub.initVault(resolve(directory));
    if (json === true) return printJson({ root, created });
    print(`${good("✓")} ${printable(root)} is a vault${created.length === 0 ? "; all of it was there already" : ""}.`);
    const widest = Math.max(0, ...created.map(({ length }) => length));
    for (const path of created) print(`  ${printable(path).padEnd(widest)}  ${dim(abouts[path] ?? "")}`.trimEnd());
    print();
    print("Next: copy the example to Specs, make it yours, and have it worked off:");
    const here = relative(process.cwd(), root);
    if (here !== "") print(`  cd ${printable(here.startsWith("../..") ? root : here)}`);
    print("  cp Control/example_task.md Specs/greeting.md");
    print(`  ralpher task start Specs/greeting.md   ${dim("this one, and show what happens")}`);
    print(`  ralpher task watch .                   ${dim("or every task that is put into Specs, until Ctrl+C")}`);
  });
