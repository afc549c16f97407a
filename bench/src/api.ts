import { join } from "node:path";
import { load } from "./http-load.ts";
import { median, type Report } from "./report.ts";
import { openFolder } from "./repository.ts";
import { rssOf, serveBare, serveRalpher } from "./served.ts";
import { storeLoops } from "./stored-loops.ts";

const loops = 500;
const entries = 1_000;
const connections = 10;
const requests = 1_000;
const runs = 3;
const settleMs = 3_000;

/**
 * (g) Lists and single loops of a server with five hundred loops of a thousand entries, over ten connections, and the
 * memory it rests at. Floor: a bare Bun.serve that sends the same bytes.
 */
export async function api(): Promise<Report> {
  await using folder = await openFolder();
  const [first = ""] = await storeLoops(join(folder.path, "ralpher.db"), loops, entries);
  const paths = {
    page: { path: "/api/loops", encoding: "identity", name: `GET /api/loops, the first page of ${loops}` },
    all: { path: "/api/loops?limit=1000", encoding: "gzip", name: `GET /api/loops?limit=1000, all ${loops}, gzip` },
    one: { path: `/api/loops/${first}`, encoding: "identity", name: "GET one loop" },
  };
  const rss: number[] = [];
  const ours: Record<keyof typeof paths, number[]> = { page: [], all: [], one: [] };
  const bare: Record<keyof typeof paths, number[]> = { page: [], all: [], one: [] };
  const bytes: Record<keyof typeof paths, number> = { page: 0, all: 0, one: 0 };
  for (let run = 0; run < runs; run++) {
    await using server = await serveRalpher(folder.path);
    await Bun.sleep(settleMs);
    rss.push(rssOf(server.pid));
    for (const key of ["page", "all", "one"] as const) {
      const { path, encoding } = paths[key];
      const measured = await load(server.url + path, requests, connections, encoding);
      ours[key].push(measured.p95Ms);
      bytes[key] = measured.bytes;
      const body = join(folder.path, `body-${key}`);
      const answer = await fetch(server.url + path, { headers: { "accept-encoding": encoding }, decompress: false });
      await Bun.write(body, await answer.arrayBuffer());
      await using floor = await serveBare(body);
      bare[key].push((await load(floor.url, requests, connections, encoding)).p95Ms);
    }
  }
  const figures = (["page", "all", "one"] as const).flatMap((key) => {
    const most = key === "one" ? 10 : 15;
    return [
      {
        name: `${paths[key].name}, p95`,
        value: median(ours[key]),
        floor: median(bare[key]),
        unit: "ms" as const,
        bar: { most, of: "value" as const },
      },
      ...(key === "one"
        ? []
        : [
            {
              name: "its size",
              value: bytes[key] / 1000,
              unit: "kB" as const,
              bar: { most: 200, of: "value" as const },
            },
          ]),
    ];
  });
  return {
    name: "api",
    figures: [
      ...figures,
      { name: "memory of the server, idle", value: median(rss), unit: "MB", bar: { most: 110, of: "value" } },
    ],
  };
}
