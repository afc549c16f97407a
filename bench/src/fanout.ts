import { join } from "node:path";
import { clients, delta, deltas } from "./fanout-text.ts";
import { median, type Report } from "./report.ts";
import { makeRepository, openFolder } from "./repository.ts";

const runs = 5;

interface Run {
  ms: number;
  /** What the clients saw. */
  whole: number;
  /** Events with text, and their bytes, as one client got them. */
  events: number;
  bytes: number;
  /** The slowest answer to another request meanwhile, ms. */
  slowestMs: number;
}

/**
 * (f) Twenty thousand deltas of 20 characters from the agent to fifty readers of the event stream in another process,
 * while a third asks for other things. Floor: a bare Bun.serve that sends the very same bytes in as many pieces; and,
 * for what it would take without putting deltas together, one that sends every delta as an event of its own.
 */
export async function fanout(): Promise<Report> {
  const ours: Run[] = [];
  const same: Run[] = [];
  const each: Run[] = [];
  for (let run = 0; run < runs; run++) {
    await using folder = await openFolder();
    await makeRepository(join(folder.path, "repository"), 10);
    const sent = join(folder.path, "sent");
    const one = await race(["ours", folder.path], sent);
    ours.push(one);
    same.push(await race(["bare", sent, String(Math.ceil(Bun.file(sent).size / one.events))]));
    await Bun.write(sent, everyDelta());
    each.push(await race(["bare", sent]));
  }
  const of = (some: Run[], key: keyof Run) => some.map((run) => run[key]);
  return {
    name: "fanout",
    figures: [
      {
        name: `${deltas} deltas to ${clients} clients, floor: the same bytes`,
        value: median(of(ours, "ms")),
        floor: median(of(same, "ms")),
        unit: "ms",
        bar: { most: 3, of: "ratio" },
      },
      {
        name: "the same, floor: an event for every delta",
        value: median(of(ours, "ms")),
        floor: median(of(each, "ms")),
        unit: "ms",
        bar: { most: 3, of: "ratio" },
      },
      {
        name: "clients whose text is not whole",
        value: clients - Math.min(...of(ours, "whole")),
        unit: "clients",
        bar: { most: 0, of: "value" },
      },
      {
        name: "slowest other request meanwhile",
        value: median(of(ours, "slowestMs")),
        unit: "ms",
        bar: { most: 50, of: "value" },
      },
    ],
  };
}

/** From the first delta until the last client has everything. `record`: keep the bytes that one client got there. */
async function race(server: string[], record = ""): Promise<Run> {
  const serving = start("fanout-server.ts", server);
  const url = await serving.line();
  const reading = start("fanout-clients.ts", [url, record]);
  await reading.line();
  const asking = ask(new URL(url).origin);
  const began = performance.now();
  serving.go();
  const seen = JSON.parse(await reading.line());
  const ms = performance.now() - began;
  const slowestMs = await asking.stop();
  await serving.end();
  return { ms, slowestMs, ...seen };
}

/** Ask for other things all the time. */
function ask(origin: string) {
  let isOver = false;
  let slowest = 0;
  const asking = (async () => {
    while (!isOver) {
      for (const path of ["/api/health", "/api/loops"]) {
        const began = performance.now();
        await (await fetch(origin + path)).arrayBuffer();
        slowest = Math.max(slowest, performance.now() - began);
      }
      await Bun.sleep(5);
    }
  })();
  return {
    async stop() {
      isOver = true;
      await asking;
      return slowest;
    },
  };
}

function start(file: string, args: string[]) {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, file), ...args], {
    stdin: "pipe",
    stdout: "pipe",
    stderr: "inherit",
  });
  const out = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  return {
    go() {
      child.stdin.write("go\n");
      child.stdin.flush();
    },
    async line(): Promise<string> {
      while (!text.includes("\n")) {
        const { value, done } = await out.read();
        if (done) throw new Error(`${file} ended early`);
        text += value;
      }
      const line = text.slice(0, text.indexOf("\n"));
      text = text.slice(line.length + 1);
      return line;
    },
    async end() {
      child.kill();
      await child.exited;
    },
  };
}

function everyDelta(): string {
  const loopId = crypto.randomUUID();
  const at = new Date().toISOString();
  const event = (more: Record<string, unknown>) => `data: ${JSON.stringify({ loopId, at, iteration: 1, ...more })}\n\n`;
  const texts = Array.from({ length: deltas }, (_, n) => delta(n));
  return [
    ...texts.map((content) => event({ type: "loop.progress", messageId: "m", kind: "text", content })),
    event({ type: "loop.message", message: { id: "m", role: "assistant", kind: "text", content: texts.join("") } }),
  ].join("");
}
