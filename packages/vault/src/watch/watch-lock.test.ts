import { afterEach, beforeEach, expect, test } from "bun:test";
import { readdir, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { faultOf, openStage, type Stage } from "../stage.fixture.ts";

let stage: Stage;
beforeEach(async () => {
  stage = await openStage();
});
afterEach(() => stage[Symbol.asyncDispose]());

const file = "/.state/watch.lock";

test("one at a time watches a vault, within one process, too", async () => {
  const { vault } = stage;
  await rm(join(vault.root, ".state"), { recursive: true });
  expect(await vault.isWatched()).toBe(false);
  expect(await readdir(vault.root)).not.toContain(".state");
  const first = await vault.lockWatch();
  expect(await stage.read(file)).toBe(`${process.pid}\n`);
  expect(await vault.isWatched()).toBe(true);
  const again = await stage.vaults.open(vault.root);
  expect(await again.lockWatch()).toBeNull();
  first?.[Symbol.dispose]();
  expect(await vault.isWatched()).toBe(false);
  using second = await again.lockWatch();
  expect(second).not.toBeNull();
  // Given back twice it is not taken from whoever has it now.
  first?.[Symbol.dispose]();
  expect(await vault.isWatched()).toBe(true);
});

test("who only looks whether it is held keeps nobody away", async () => {
  const { vault } = stage;
  (await vault.lockWatch())?.[Symbol.dispose]();
  for (let round = 0; round < 20; round++) {
    const looks = Array.from({ length: 10 }, () => vault.isWatched());
    using held = await vault.lockWatch();
    expect(held).not.toBeNull();
    await Promise.all(looks);
  }
});

const holder = `
const { createVaults } = await import(${JSON.stringify(join(import.meta.dir, "../vaults.ts"))});
const vault = await createVaults({ runProgram: null, version: "1.4.2" }).open(process.argv[2]);
const held = await vault.lockWatch();
const child = Bun.spawn(["sleep", "600"], { stdio: ["ignore", "ignore", "ignore"] });
console.log(held === null ? "refused" : child.pid);
await new Promise(() => setInterval(() => held, 1000));
`;

test("it ends with its process, however that ends, and what the process started does not hold it", async () => {
  const { vault } = stage;
  await stage.write("/holder.ts", holder);
  const process_ = Bun.spawn([process.execPath, join(vault.root, "holder.ts"), vault.root], { stderr: "inherit" });
  const { value } = await process_.stdout.getReader().read();
  const child = Number(new TextDecoder().decode(value));
  try {
    expect(child).toBeGreaterThan(0);
    expect(await vault.isWatched()).toBe(true);
    expect(await vault.lockWatch()).toBeNull();
    expect(await stage.read(file)).toBe(`${process_.pid}\n`);
    process_.kill("SIGKILL");
    await process_.exited;
    expect(await vault.isWatched()).toBe(false);
    using taken = await vault.lockWatch();
    expect(taken).not.toBeNull();
    expect(process.kill(child, 0)).toBe(true);
  } finally {
    process.kill(child, "SIGKILL");
  }
});

test("a lock that leads out of the vault is refused", async () => {
  await symlink(join(stage.folder, "elsewhere"), join(stage.vault.root, file));
  expect(await faultOf("vault_unusable", stage.vault.lockWatch())).toMatchObject({ path: file });
  expect(await readdir(stage.folder)).not.toContain("elsewhere");
});
