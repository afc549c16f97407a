// The clients of `fanout`, in a process of their own: real HTTP readers that put the text together as a page does. Prints
// "here" when all are connected, and then, when all have seen everything, what they saw.
import { clients, delta, deltas } from "./fanout-text.ts";

const [url = "", record = ""] = process.argv.slice(2);
const expected = Array.from({ length: deltas }, (_, n) => delta(n)).join("");
let connected = 0;

const seen = await Promise.all(Array.from({ length: clients }, (_, n) => read(n)));
console.log(
  JSON.stringify({
    whole: seen.filter(({ whole }) => whole).length,
    events: seen[0]?.events ?? 0,
    bytes: seen[0]?.bytes ?? 0,
  }),
);
process.exit(0);

async function read(n: number) {
  const response = await fetch(url);
  connected += 1;
  if (connected === clients) console.log("here");
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const decoder = new TextDecoder();
  const kept: string[] = [];
  let text = "";
  let rest = "";
  let events = 0;
  let bytes = 0;
  let isWriting = false;
  for (;;) {
    const { value, done } = await reader.read();
    if (done) break;
    bytes += value.length;
    const blocks = (rest + decoder.decode(value, { stream: true })).split("\n\n");
    rest = blocks.pop() ?? "";
    for (const block of blocks) {
      const from = block.indexOf("data: ");
      if (from < 0) continue;
      const event = JSON.parse(block.slice(from + 6));
      if (event.type === "loop.progress") {
        isWriting = true;
        text = event.restart === true ? event.content : text + event.content;
        events += 1;
      }
      if (isWriting && n === 0 && record !== "") kept.push(`${block}\n\n`);
      // The durable whole comes after the last piece.
      if (event.type === "loop.message") {
        if (n === 0 && record !== "") await Bun.write(record, kept.join(""));
        return { whole: text === expected && event.message.content === expected, events, bytes };
      }
    }
  }
  return { whole: false, events, bytes };
}
