import { expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Fault } from "@ralpher/contract";
import { takeLock } from "./lock.ts";

test("[W-4] the lock has one holder; whoever waits too long hears so, and who comes after its end gets it", async () => {
  const folder = mkdtempSync(join(tmpdir(), "ralpher-lock-"));
  const path = join(folder, ".lock");
  try {
    const first = await takeLock(path, 0);
    const refused = await takeLock(path, 20).catch((error) => error);
    expect(refused).toBeInstanceOf(Fault);
    expect(refused).toMatchObject({ code: "trace_busy", http: 503 });
    const waiting = takeLock(path, 10_000);
    first[Symbol.dispose]();
    (await waiting)[Symbol.dispose]();
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("[W-4] the lock of a process that was killed is free", async () => {
  const folder = mkdtempSync(join(tmpdir(), "ralpher-lock-"));
  const path = join(folder, ".lock");
  try {
    const script = `const { takeLock } = await import(${JSON.stringify(join(import.meta.dir, "lock.ts"))});
      await takeLock(${JSON.stringify(path)}, 0); console.log("held"); setInterval(() => {}, 1000);`;
    const holder = Bun.spawn([process.execPath, "-e", script], { stdout: "pipe" });
    await holder.stdout.getReader().read();
    expect(await takeLock(path, 0).catch(({ code }) => code)).toBe("trace_busy");
    holder.kill("SIGKILL");
    await holder.exited;
    (await takeLock(path, 0))[Symbol.dispose]();
  } finally {
    rmSync(folder, { recursive: true });
  }
});
