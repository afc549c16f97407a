// The process that `watch` measures: with a vault it is watched, without one it is a bare Bun process. Says `told` and
// the time (ms since 1970) whenever something may have changed, and `ready` first.
import { runProgram } from "@ralpher/agent";
import { createVaults } from "@ralpher/vault";

const [root] = process.argv.slice(2);
if (root !== undefined) {
  const vault = await createVaults({ runProgram, version: "0.0.0" }).open(root);
  vault.watch(await vault.readConfig(), () => console.log(`told ${performance.timeOrigin + performance.now()}`));
}
setInterval(() => {}, 2 ** 30);
console.log("ready");
