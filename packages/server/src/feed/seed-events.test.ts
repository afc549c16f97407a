import { expect, test } from "bun:test";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Play, said } from "@ralpher/loop/lab";
import { openAll, readEvents } from "../stage.fixture.ts";

/** Seed 004, §3.3: every type with the fields it has besides `type` and `loopId`. */
const seed: Record<string, string[]> = {
  "loop.created": ["config"],
  "loop.started": ["iteration"],
  "loop.iteration.start": ["iteration"],
  "loop.iteration.end": ["iteration", "outcome"],
  "loop.message": ["iteration", "message"],
  "loop.tool_call": ["iteration", "tool"],
  "loop.progress": ["iteration", "content"],
  "loop.git.commit": ["iteration", "commit"],
  "loop.paused": [],
  "loop.resumed": [],
  "loop.completed": ["totalIterations"],
  "loop.stopped": ["reason"],
  "loop.error": ["error", "iteration"],
  "loop.deleted": [],
  "loop.accepted": ["mergeCommit"],
  "loop.discarded": [],
};

/** One iteration that fails, after which a second passes, one that works, one that promises. */
const play: Play = async function* ({ request, prompt }) {
  const n = Number(/This is iteration (\d+)/.exec(prompt)?.[1]);
  if (n === 1) {
    return { outcome: "failed", failure: { reason: "server", message: "overloaded" }, usage: said("").usage };
  }
  yield { type: "tool.start", callId: `t${n}`, name: "write", input: { filePath: "work.txt" } };
  await writeFile(join(request.directory, `work-${n}.txt`), "work\n");
  const tool = { id: `t${n}`, name: "write", input: { filePath: "work.txt" }, output: "written" };
  yield { type: "tool.complete", tool: { ...tool, outputBytes: 7, status: "completed", durationMs: 1 } };
  const text = n === 3 ? "<promise>COMPLETE</promise>" : "more";
  yield { type: "message.delta", messageId: `m${n}`, kind: "text", delta: text };
  yield { type: "message.complete", messageId: `m${n}`, kind: "text", text };
  return said(text);
};

test("[R-SSE-2] the stream has every type of the seed's events, with its fields", async () => {
  await using all = await openAll({ play });
  const ids: string[] = [];
  const watching = readEvents(`${all.server.url}/api/events?after=0`, (events) =>
    events.some(({ data }) => data.type === "loop.deleted"),
  );
  const make = async () => {
    const { id } = (await all.call("POST", "/api/loops", all.request)).body.config;
    ids.push(id);
    return id;
  };
  const done = await make();
  await all.call("POST", `/api/loops/${done}/start`);
  await all.lab.atRest(done);
  await all.call("POST", `/api/loops/${done}/accept`);
  const left = await make();
  await all.call("POST", `/api/loops/${left}/start`);
  await all.call("POST", `/api/loops/${left}/pause`);
  await all.lab.atRest(left);
  await all.call("POST", `/api/loops/${left}/resume`);
  await all.call("POST", `/api/loops/${left}/stop`, { reason: "enough" });
  await all.lab.atRest(left);
  await all.call("POST", `/api/loops/${left}/discard`);
  await all.call("DELETE", `/api/loops/${left}`);

  const events = await watching;
  for (const [type, fields] of Object.entries(seed)) {
    const found = events.filter(({ data }) => data.type === type);
    expect({ type, found: found.length > 0 }).toEqual({ type, found: true });
    for (const { data } of found) {
      expect(ids).toContain(data.loopId as string);
      expect(Object.keys(data)).toEqual(expect.arrayContaining(fields));
    }
  }
});
