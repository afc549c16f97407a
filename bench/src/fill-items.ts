import { openWorkItems } from "@ralpher/trace";

const commentsEach = 5;

interface Filling {
  home: string;
  directory: string;
  items: number;
  /** With it, all others are below this one: in groups of three, the first of which is the parent of the second. */
  root?: string;
}

/** Work items with five comments each, named `repository-000000` and so on, brought in through the items file. */
export async function fillItems({ home, directory, items, root }: Filling): Promise<void> {
  await using all = openWorkItems({ home, directory });
  const { path } = await all.init();
  const lines = Array.from({ length: items }, (_, at) => {
    const time = new Date(Date.UTC(2026, 0, 1) + at * 1000).toISOString();
    const comments = Array.from({ length: commentsEach }, (_, said) => ({
      content: `Comment ${said} on item ${at}: what was found, and what is left to do.`,
      source: "executor",
      created_at: time,
    }));
    const dependencies =
      at % 3 === 0 ? [] : [{ depends_on_id: idOf(at - 1), type: at % 3 === 1 ? "parent" : "blocks" }];
    const parent = root !== undefined && at > 0 && at % 3 !== 1 ? [{ depends_on_id: root, type: "parent" }] : [];
    return JSON.stringify({
      id: idOf(at),
      title: `Item number ${at}`,
      description: "What has to be done, and how to tell that it is.",
      status: at % 10 === 9 ? "closed" : "open",
      priority: at % 5,
      created_at: time,
      updated_at: time,
      closed_at: null,
      dependencies: [...parent, ...dependencies],
      comments,
    });
  });
  await Bun.write(path, `${lines.join("\n")}\n`);
  await all.sync();
}

const idOf = (at: number) => `repository-${String(at).padStart(6, "0")}`;
