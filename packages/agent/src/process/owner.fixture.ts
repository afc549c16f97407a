/** A stand-alone owner for guard.test.ts: starts a guarded agent, tells its mark, and lives until it is killed. */
import { startGuarded } from "./guard.ts";

const [script] = process.argv.slice(2);
if (script === undefined) throw new Error("usage: bun owner.fixture.ts <sh script>");
const agent = startGuarded({ argv: ["sh", "-c", script], cwd: "/", env: process.env });
for await (const chunk of agent.stdout) process.stdout.write(`${agent.mark} ${new TextDecoder().decode(chunk)}`);
