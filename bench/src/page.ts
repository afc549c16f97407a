import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { LoopId } from "@ralpher/contract";
import { openJournal } from "@ralpher/store";
import { type Browser, type BrowserContext, chromium } from "playwright-core";
import { findBrowser } from "../../scripts/browser.ts";
import { writeLongLoop } from "./long-loop.ts";
import { median, type Report } from "./report.ts";
import { openFolder } from "./repository.ts";
import { serveRalpher } from "./served.ts";

const runs = 5;
const entries = 100_000;
const rate = 200;
const streamSeconds = 10;
/** After the page answers, so long is waited for what it fetches besides. */
const settleMs = 2_500;
/** A new window has the browser open pages of its own (seen in a trace: for its address bar), on the same cores. */
const windowMs = 1_000;
const loopId = LoopId.parse("11111111-1111-4111-8111-111111111111");

/**
 * (h) The page of a loop with 100,000 entries in its log, in a real browser with an empty cache, in a window that has
 * come to rest: until its newest rows
 * are there and a key is answered, what came over the wire for it, how much of that is JavaScript; and its longest task
 * while another process adds 200 entries a second. Floor: a page of plain text that answers a key.
 */
export async function page(): Promise<Report> {
  const executablePath = findBrowser();
  if (executablePath === null) throw new Error("this needs Chromium; CHROMIUM_PATH says where it is");
  await using folder = await openFolder();
  const path = join(folder.path, "ralpher.db");
  {
    await using journal = openJournal({ path });
    await writeLongLoop(journal, loopId, entries);
  }
  await using writer = await startWriter(path);
  // The page's files may have to be built first; it answers when they are.
  await using server = await serveRalpher(folder.path, "/");
  using floor = Bun.serve({
    port: 0,
    fetch: () => new Response(plainPage, { headers: { "content-type": "text/html" } }),
  });
  const browser = await chromium.launch({ executablePath, args: browserArgs });
  try {
    const ours: Load[] = [];
    const plain: Load[] = [];
    // One more than counted: the first warms the file system's cache and the browser.
    for (let run = 0; run <= runs; run++) {
      const load = await measureLoad(browser, `${server.url}/${loopId}`);
      const bare = await measureLoad(browser, `http://127.0.0.1:${floor.port}/`);
      if (run === 0) continue;
      ours.push(load);
      plain.push(bare);
    }
    const tasks = await measureStream(browser, `${server.url}/${loopId}`, writer);
    const of = (loads: Load[], key: keyof Load) => median(loads.map((load) => load[key]));
    return {
      name: "page",
      figures: [
        {
          name: `interactive, ${entries.toLocaleString("en-US")} entries`,
          value: of(ours, "interactiveMs"),
          unit: "ms",
          floor: of(plain, "interactiveMs"),
          bar: { most: 700, of: "value" },
        },
        { name: "over the wire", value: of(ours, "wireKb"), unit: "kB", bar: { most: 1_000, of: "value" } },
        {
          name: "JavaScript until then, gzip",
          value: of(ours, "scriptKb"),
          unit: "kB",
          bar: { most: 150, of: "value" },
        },
        {
          name: `longest task over 50 ms at ${rate} events/s for ${streamSeconds} s`,
          value: Math.max(0, ...tasks),
          unit: "ms",
          bar: { most: 50, of: "value" },
        },
      ],
    };
  } finally {
    await browser.close();
  }
}

const browserArgs = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** The least a page of a log could be: rows of text, and a key that moves the focus. */
const plainPage = `<!doctype html><title>log</title><div role="log">${Array.from(
  { length: 100 },
  (_, index) => `<p tabindex="-1" data-index="${index}" data-seq="${index}">Row ${index} of a log of plain text</p>`,
).join("")}</div><script>addEventListener("keydown",()=>document.querySelector("p").focus())</script>`;

interface Load {
  interactiveMs: number;
  wireKb: number;
  scriptKb: number;
}

/** Nothing else is looked at while time counts: watching the network costs the browser as much as a small page. */
async function measureInteractive(browser: Browser, url: string): Promise<number> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const tab = await context.newPage();
  await Bun.sleep(windowMs);
  await tab.goto(url, { waitUntil: "commit" });
  await tab.waitForSelector('[role="log"] [data-seq]');
  await tab.keyboard.press("j");
  await tab.waitForFunction(() => document.activeElement?.closest("[data-index]") != null, null, { polling: "raf" });
  const ms = await tab.evaluate(() => performance.now());
  await context.close();
  return ms;
}

async function measureLoad(browser: Browser, url: string): Promise<Load> {
  const interactiveMs = await measureInteractive(browser, url);
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const tab = await context.newPage();
  const cdp = await context.newCDPSession(tab);
  await cdp.send("Network.enable");
  let bytes = 0;
  const scripts = new Map<string, Promise<string>>();
  cdp.on("Network.dataReceived", ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  const urls = new Map<string, string>();
  cdp.on("Network.responseReceived", ({ requestId, type, response }) => {
    if (type === "Script") urls.set(requestId, response.url);
  });
  cdp.on("Network.loadingFinished", ({ requestId }) => {
    const script = urls.get(requestId);
    if (script !== undefined) {
      scripts.set(
        script,
        cdp.send("Network.getResponseBody", { requestId }).then(({ body }) => body),
      );
    }
  });
  await tab.goto(url);
  await tab.waitForSelector('[role="log"] [data-seq]');
  await Bun.sleep(settleMs);
  const linked = await tab.evaluate(() => [...document.scripts].map(({ src }) => src).filter((src) => src !== ""));
  const texts = new Map(await Promise.all([...scripts].map(async ([from, text]) => [from, await text] as const)));
  await context.close();
  return { interactiveMs, wireKb: bytes / 1000, scriptKb: firstScripts(linked, texts) / 1000 };
}

/**
 * The size in bytes, each packed by gzip, of the scripts that the page cannot do without: those of the document, the
 * loop's page, and what these import. What is only fetched ahead for later does not count, whenever it came.
 */
function firstScripts(linked: string[], texts: ReadonlyMap<string, string>): number {
  const needed = new Map<string, number>();
  const add = (url: string) => {
    const text = texts.get(url) ?? "";
    if (needed.has(url)) return;
    needed.set(url, gzipSync(text, { level: 9 }).length);
    const imports = new Bun.Transpiler({ loader: "js" }).scanImports(text);
    for (const { kind, path } of imports) if (kind === "import-statement") add(new URL(path, url).href);
  };
  for (const url of [...linked, ...texts.keys()]) {
    if (linked.includes(url) || url.includes("/loop-page-")) add(url);
  }
  return [...needed.values()].reduce((sum, size) => sum + size, 0);
}

/** The lengths of the tasks of more than 50 ms while entries stream in; every one of them must arrive. */
async function measureStream(browser: Browser, url: string, writer: Writer): Promise<number[]> {
  const context: BrowserContext = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const tab = await context.newPage();
  await tab.goto(url);
  await tab.waitForSelector('[role="log"] [data-seq]');
  await Bun.sleep(settleMs);
  const tasks = await tab.evaluateHandle(() => {
    const lengths: number[] = [];
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) lengths.push(duration);
    }).observe({ type: "longtask" });
    return lengths;
  });
  const lastSeq = await writer.write(rate, streamSeconds);
  // The newest row may show several events: consecutive reads are one.
  await tab.waitForFunction((least) => {
    const rows = document.querySelectorAll<HTMLElement>('[role="log"] [data-seq]');
    return [...rows].some((row) => Number(row.dataset.seq) >= least);
  }, lastSeq - 1);
  const lengths = (await tasks.jsonValue()) as number[];
  await context.close();
  return lengths;
}

interface Writer {
  /** Append so many entries a second for so long; resolves with the seq of the last, once it is written. */
  write(rate: number, seconds: number): Promise<number>;
}

async function startWriter(path: string): Promise<Writer & AsyncDisposable> {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, "long-loop-writer.ts"), path, loopId], {
    stdin: "pipe",
    stdout: "pipe",
    stderr: "inherit",
  });
  const lines = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  const nextLine = async () => {
    while (!text.includes("\n")) {
      const { done, value } = await lines.read();
      if (done) throw new Error("the writer ended early");
      text += value;
    }
    const line = text.slice(0, text.indexOf("\n"));
    text = text.slice(line.length + 1);
    return line;
  };
  await nextLine();
  return {
    async write(perSecond, seconds) {
      child.stdin.write(`${perSecond} ${seconds}\n`);
      await child.stdin.flush();
      return Number((await nextLine()).split(" ").at(-1));
    },
    async [Symbol.asyncDispose]() {
      child.stdin.end();
      await child.exited;
    },
  };
}
