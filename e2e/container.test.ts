import { describe, expect, test } from "bun:test";
import { join } from "node:path";

const root = join(import.meta.dir, "..");
const docker = Bun.which("docker") ?? Bun.which("podman");

interface Compose {
  services: { ralpher: { volumes: string[]; ports: string[] } };
  volumes: Record<string, unknown>;
}

/** The instructions of a Dockerfile's last stage, continued lines joined. */
async function lastStage(): Promise<{ name: string; text: string }[]> {
  const text = (await Bun.file(join(root, "Dockerfile")).text()).replace(/\\\n/g, " ");
  const lines = text.split("\n").filter((line) => /^[A-Z]+ /.test(line));
  const instructions = lines.map((line) => ({
    name: line.split(" ")[0] ?? "",
    text: line.slice(line.indexOf(" ") + 1),
  }));
  return instructions.slice(instructions.findLastIndex(({ name }) => name === "FROM"));
}

describe("the container", () => {
  test("[R-DEP-1, R-DATA-1] runs as nobody special, keeps everything in one volume, and can be asked how it is", async () => {
    const stage = await lastStage();
    const of = (name: string) => stage.filter((instruction) => instruction.name === name).map(({ text }) => text);
    const [volume, ...others] = of("VOLUME");
    expect(others).toEqual([]);
    expect(of("ENV").join(" ")).toContain(`RALPHER_DATA_DIR=${volume}`);
    expect(of("USER").at(-1)).not.toBe("root");
    // Nothing is run as root after the user is set but what starts the program.
    expect(stage.slice(stage.findIndex(({ name }) => name === "USER")).map(({ name }) => name)).not.toContain("RUN");
    expect(of("HEALTHCHECK").join(" ")).toContain("/api/health");
    expect(of("ENTRYPOINT").join(" ")).toContain("ralpher");
  });

  test("[R-DEP-1] the compose file mounts that volume and lets in this machine only", async () => {
    const compose = Bun.YAML.parse(await Bun.file(join(root, "compose.yaml")).text()) as Compose;
    const { ralpher } = compose.services;
    const volume = (await lastStage()).find(({ name }) => name === "VOLUME")?.text;
    expect(ralpher.volumes).toContain(`ralpher-data:${volume}`);
    expect(Object.keys(compose.volumes)).toEqual(["ralpher-data"]);
    expect(ralpher.ports).toEqual([expect.stringMatching(/^127\.0\.0\.1:/)]);
  });

  test.skipIf(docker === null || process.env.RALPHER_TEST_CONTAINER !== "1")(
    "[R-DEP-1] is built and answers (RALPHER_TEST_CONTAINER=1, needs docker or podman and the network)",
    async () => {
      const run = async (...args: string[]) => {
        const child = Bun.spawn([docker ?? "", ...args], { cwd: root, stdout: "pipe", stderr: "inherit" });
        const out = await new Response(child.stdout).text();
        expect(await child.exited).toBe(0);
        return out.trim();
      };
      await run("build", "-q", "-t", "ralpher-test", ".");
      const id = await run("run", "-d", "-P", "ralpher-test");
      try {
        const port = /:(\d+)$/m.exec(await run("port", id, "3000"))?.[1];
        const health = async () => (await fetch(`http://127.0.0.1:${port}/api/health`).catch(() => null))?.status;
        while ((await health()) !== 200) await Bun.sleep(200);
        expect((await fetch(`http://127.0.0.1:${port}/api/loops`)).status).toBe(401);
        expect(await run("exec", id, "id", "-u")).not.toBe("0");
      } finally {
        await run("rm", "-f", id);
      }
    },
    600_000,
  );
});
