// The process that `watch` measures: the whole engine on a data folder of its own; with a vault, that is watched, and what
// is dropped into it is worked on. Says `told` and the time (ms since 1970) whenever an agent begins on a task, and
// `ready` first.
import { join } from "node:path";
import { openEngine } from "./open-engine.ts";

const [folder = "", root] = process.argv.slice(2);
const usage = { inputTokens: 1, outputTokens: 1, costUsd: null };
const report = { result: "success", action: "bench", summary: "done" };
const engine = await openEngine(join(folder, root === undefined ? "bare" : "watching"), {
  async *play({ options }) {
    return { outcome: "done", text: "done", usage, ...(options.output === undefined ? {} : { structured: report }) };
  },
});
engine.hub.subscribe(({ durable, event }) => {
  if (durable && event.type === "loop.turn.start") console.log(`told ${performance.timeOrigin + performance.now()}`);
});
if (root !== undefined) {
  await engine.hub.watchVault(root, { backend: { type: "scripted" }, onNote: () => {} });
}
console.log("ready");
