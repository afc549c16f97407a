import { describe, expect, test } from "bun:test";
import { mkdtemp, readFile } from "node:fs/promises";
import { join } from "node:path";
import { type CaptureRecord, Fault, type SessionRequest } from "@ralpher/contract";
import type { z } from "zod";
import { listCaptures, readCapture } from "./capture/read-captures.ts";
import type { Subject } from "./conformance.ts";
import { bookend } from "./patterns/bookend.ts";
import type { Invocation } from "./patterns/invocation.ts";
import { narrow } from "./patterns/narrow.ts";
import { walk } from "./patterns/walk.ts";
import { readOnly } from "./tools/access.ts";

/** What the patterns' tests need of the suite they are part of. */
export interface PatternStage {
  subject(): Subject;
  /** A session request in a new folder. */
  request(): Promise<SessionRequest>;
  /** One in the folder of all tests that have no use for one of their own. */
  requestAtHome(): Promise<SessionRequest>;
  /** What the script answers to "judge it". */
  verdict: unknown;
  output: z.ZodType;
}

/** The patterns on a real backend: part of `agentConformance`, whose script it plays. */
export function patternConformance(stage: PatternStage): void {
  describe("in patterns", () => {
    async function invocation(ask = stage.requestAtHome): Promise<Invocation> {
      const { directory, model, backend } = await ask();
      const outputs = await mkdtemp(join(directory, "..", "outputs-"));
      return { backend: stage.subject().backend, via: backend, model, directory, outputs, retryDelayMs: 10 };
    }

    async function captured(outputs: string): Promise<CaptureRecord[]> {
      const [one] = await listCaptures(outputs);
      return one === undefined ? [] : await Array.fromAsync(readCapture(one.path));
    }

    /** How often the model was asked, over all sessions of the conversation. */
    async function timesAsked(outputs: string): Promise<number> {
      const sessions = (await captured(outputs)).flatMap((record) =>
        record.type === "session" ? [record.session.id] : [],
      );
      return [...new Set(sessions)].reduce((sum, id) => sum + stage.subject().contextSizes(id).length, 0);
    }

    test("[A-NARROW-1, A-NARROW-3, A-CAP-1] narrow gives a typed value, and the capture is whole", async () => {
      const asked = await invocation();
      const { output, capture } = await narrow({
        ...asked,
        prompt: "judge it",
        output: stage.output,
        tools: readOnly(),
      });
      expect(output).toEqual(stage.verdict);
      const text = await readFile(capture ?? "", "utf8");
      expect(text).toContain("unverifiable");
      expect((await captured(asked.outputs)).map(({ type }) => type)).toEqual(
        expect.arrayContaining(["header", "prompt", "session", "outcome", "end"]),
      );
    });

    test("[A-OUT-2, A-OUT-3] an answer in the wrong form names every path, and the agent is not asked again", async () => {
      const asked = await invocation();
      const fault = await faultOf(narrow({ ...asked, prompt: "judge it wrongly", output: stage.output }));
      expect(fault.code).toBe("output_invalid");
      const { issues } = fault.data as { issues: { path: string }[] };
      expect(issues.map(({ path }) => path)).toEqual(["verdict", "severity"]);
      expect(await timesAsked(asked.outputs)).toBeLessThanOrEqual(1);
    });

    test("[A-NARROW-2] a narrowed agent does not do what it may not", async () => {
      const asked = await invocation(stage.request);
      await narrow({ ...asked, prompt: "do what you may not", tools: readOnly() });
      expect(await Array.fromAsync(new Bun.Glob("**").scan(asked.directory))).toEqual([]);
    });

    test("[A-WALK-1, A-WALK-2, A-WALK-3] the prompts of a walk reach one context, in order, and one capture", async () => {
      const asked = await invocation(stage.request);
      const { answers, session } = await walk({
        ...asked,
        prompts: ["greet", "make a file", { prompt: "judge it", output: stage.output }],
      });
      expect(answers.map(({ text }) => text).slice(0, 2)).toEqual(["Hello there, and welcome.", "The file is made."]);
      expect(answers[2].output).toEqual(stage.verdict);
      const sizes = stage.subject().contextSizes(session?.id ?? "");
      expect(sizes).toEqual(sizes.toSorted((a, b) => a - b));
      const records = await captured(asked.outputs);
      expect(records.filter(({ type }) => type === "prompt")).toHaveLength(3);
      expect(records.filter(({ type }) => type === "tool").length).toBeGreaterThan(0);
    });

    test("[A-BOOK-1, A-BOOK-2, A-BOOK-3] set-up, work and wrap-up share a context and a capture", async () => {
      const asked = await invocation(stage.request);
      const { setUp, work, wrapUp } = await bookend({
        ...asked,
        setUp: ["greet"],
        prompt: "make a file",
        wrapUp: [{ prompt: "judge it", output: stage.output }],
      });
      expect([setUp[0].text, work.text]).toEqual(["Hello there, and welcome.", "The file is made."]);
      expect(wrapUp[0].output).toEqual(stage.verdict);
      expect(await readFile(join(asked.directory, "made.txt"), "utf8")).toBe("made");
      const prompts = (await captured(asked.outputs)).flatMap((record) =>
        record.type === "prompt" ? [record.text] : [],
      );
      expect(prompts).toEqual(["greet", "make a file", "judge it"]);
    });

    test.each(["status 429", "status 500", "be cut"])(
      "[A-ERR-1, A-ERR-3] %s is tried three times in all, and every attempt comes to the surface",
      async (prompt) => {
        const asked = await invocation();
        const fault = await faultOf(narrow({ ...asked, prompt }));
        expect(fault.code).toBe("turn_failed");
        const { attempts } = fault.data as { attempts: { at: string; reason: string; message: string }[] };
        expect(attempts).toHaveLength(3);
        const times = attempts.map(({ at }) => Date.parse(at));
        expect(times).toEqual(times.toSorted((a, b) => a - b));
        expect(await timesAsked(asked.outputs)).toBeLessThanOrEqual(3);
      },
    );

    test.each(["status 401", "status 403", "overflow"])("[A-ERR-2] %s is not tried again", async (prompt) => {
      const asked = await invocation();
      const fault = await faultOf(narrow({ ...asked, prompt }));
      expect(fault.data).toMatchObject({ attempts: [{ message: expect.stringMatching(/./) }] });
      expect(await timesAsked(asked.outputs)).toBeLessThanOrEqual(1);
    });

    test("[A-ERR-1] what fails in passing recovers", async () => {
      const { text } = await narrow({ ...(await invocation()), prompt: "recover" });
      expect(text).toBe("Recovered.");
    });

    test("[A-ERR-1] a silent agent is tried three times", async () => {
      const asked = { ...(await invocation()), idleTimeoutMs: 1500 };
      const fault = await faultOf(narrow({ ...asked, prompt: "fall silent" }));
      expect(fault.data).toMatchObject({ failure: { reason: "timeout" } });
      expect((fault.data as { attempts: unknown[] }).attempts).toHaveLength(3);
    }, 120_000);
  });
}

async function faultOf(promise: Promise<unknown>): Promise<Fault> {
  const error = await promise.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (error instanceof Fault) return error;
  throw new Error("it did not fail with a fault", { cause: error });
}
