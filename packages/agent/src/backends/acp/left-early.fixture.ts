/**
 * A program for protocol.test.ts: has an agent answer, gives the turn up once it has begun, closes everything, and then
 * has nothing more to do.
 */
import { createAcpBackend } from "./backend.ts";

const [prompt, ...command] = process.argv.slice(2);
if (prompt === undefined) throw new Error("usage: bun left-early.fixture.ts <prompt> <agent> [argument]...");
const stop = new AbortController();
await using backend = createAcpBackend({ command });
await using session = backend.open({
  directory: process.cwd(),
  backend: { type: "acp", mode: "spawn" },
  title: "Test",
  idleTimeoutMs: 600_000,
  signal: stop.signal,
});
const turn = session.turn(prompt);
for await (const event of turn) if (event.type === "session.start") stop.abort();
process.stdout.write(JSON.stringify(await turn.result));
