import { LoopId } from "@ralpher/contract";
import { eventOf, sampleConfig } from "../src/conformance.ts";
import { openJournal } from "../src/journal.ts";

const [path = "", loop] = process.argv.slice(2);
const id = LoopId.parse(loop);
const journal = openJournal({ path });
await journal.lease(id);
await journal.append(id, () => [eventOf(id, { type: "loop.created", config: sampleConfig(id) })]);
console.log("writing");
for (let n = 0; ; n++) {
  await journal.append(id, () => [eventOf(id, { type: "loop.notice", iteration: 0, text: String(n) })]);
}
