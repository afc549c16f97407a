// Holds the lease of a long loop, so that no server takes it up; for each line `RATE SECONDS` on its input it appends
// so many events a second, as a loop run by another process would, and prints the seq of the last.
import { type DurableEvent, LoopId } from "@ralpher/contract";
import { openJournal } from "@ralpher/store";
import { entriesPerIteration, oneEntry } from "./long-loop.ts";

const [path = "", id = ""] = process.argv.slice(2);
const loopId = LoopId.parse(id);
await using journal = openJournal({ path });
await using lease = await journal.lease(loopId);
if (lease === null) throw new Error("somebody else holds the loop");
console.log("ready");

const batchMs = 50;
let index = entriesPerIteration;
for await (const line of console) {
  const [rate = 0, seconds = 0] = line.split(" ").map(Number);
  const iteration = (await journal.find(loopId))?.iteration ?? 1;
  const began = performance.now();
  let written = 0;
  while (written < rate * seconds) {
    const due = Math.min(rate * seconds, Math.floor(((performance.now() - began) / 1_000) * rate)) - written;
    if (due > 0) {
      const events = Array.from({ length: due }, () => {
        const body = oneEntry(iteration, index++);
        return { ...body, loopId, at: new Date().toISOString() } as DurableEvent;
      });
      await journal.append(loopId, () => events, lease);
      written += due;
    }
    await Bun.sleep(batchMs);
  }
  console.log(`${await journal.latest()}`);
}
