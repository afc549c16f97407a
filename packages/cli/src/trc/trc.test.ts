import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readAgentsNotes } from "./agents-notes.ts";
import { readArguments, UsageError } from "./arguments.ts";

setDefaultTimeout(60_000);

const folder = realpathSync(mkdtempSync(join(tmpdir(), "ralpher-trc-")));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const app = makeRepository("app");

function makeRepository(name: string): string {
  const path = join(folder, name);
  mkdirSync(path);
  Bun.spawnSync(["git", "init", "-q"], { cwd: path });
  return path;
}

/** Run the real program. */
function trc(args: string[], cwd = app, more: Record<string, string> = {}) {
  const run = Bun.spawnSync([process.execPath, join(import.meta.dir, "../trc.ts"), ...args], {
    cwd,
    env: { PATH: process.env.PATH ?? "", HOME: folder, TRACE_HOME: join(folder, "home"), ...more },
    stdin: "ignore",
  });
  return { out: run.stdout.toString(), err: run.stderr.toString(), code: run.exitCode };
}

const create = (title: string, ...more: string[]) =>
  trc(["create", title, "--description", "d", "--quiet", ...more]).out.trim();

test("[W-3] the commands say what the original says", () => {
  expect(trc(["init"]).out).toBe(
    `Initialized trace for project: app\nProject ID: ${app}\nPath: ${app}\nJSONL: ${app}/.trace/issues.jsonl\n`,
  );
  expect(trc(["list"]).out).toBe("No issues found\n");
  expect(trc(["ready"]).out).toBe("No open issues found\n");
  const parent = create("Parent");
  expect(parent).toMatch(/^app-[0-9a-z]{6}$/);
  const made = trc(["create", "Child A", "--description", "- a list", "--priority", "1", "--parent", parent]).out;
  const child = /^Created (app-[0-9a-z]{6}): Child A\n {2}Parent: (.*)\n$/.exec(made)?.[1] ?? "";
  expect(made).toBe(`Created ${child}: Child A\n  Parent: ${parent}\n`);
  const last = trc(["create", "Last", "--description=", "--depends-on", child, "--parent", parent]).out;
  const waits = /Created (\S+):/.exec(last)?.[1] ?? "";
  expect(last).toEndWith(`  Parent: ${parent}\n  Depends-on: ${child}\n`);

  expect(trc(["update", child, "--status", "in_progress", "--title", "Child A!"]).out).toBe(
    `Updated ${child}:\n  Title: Child A!\n  Status: in_progress\n`,
  );
  expect(trc(["list"]).out).toBe(`◐ ${child} [P1] Child A!\n○ ${waits} [P2] Last\n○ ${parent} [P2] Parent\n`);
  expect(trc(["ready", "--status", "any"]).out).toBe(
    `Ready work (not blocked):\n\n○ ${child} [P1] Child A!\n   └─ child of: ${parent} - Parent\n○ ${parent} [P2] Parent\n`,
  );
  expect(trc(["tree", parent]).out).toBe(
    `○ ${parent} - Parent [open]\n   ├─ ◐ ${child} - Child A! [in_progress]\n   └─ ○ ${waits} - Last [open]\n`,
  );
  expect(trc(["tree", parent, "--max-depth", "0"]).out).toBe(`○ ${parent} - Parent [open]\n`);
  expect(trc(["comment", child, "hello", "--source", "executor"]).out).toMatch(
    new RegExp(`^Added comment to ${child}:\n {2}\\[\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d\\] executor: hello\n$`),
  );
  const shown = trc(["show", waits]).out;
  expect(shown).toStartWith(`ID:          ${waits}\nTitle:       Last\nStatus:      open\nPriority:    2\n`);
  expect(shown).toEndWith(`\nDependencies:\n  parent   ${parent} - Parent\n  blocks   ${child} - Child A!\n`);
  expect(trc(["show", child]).out).toContain("\nDescription:\n- a list\n");

  expect(trc(["add-dependency", parent, child]).out).toBe(`${parent} is blocked by ${child}\n`);
  expect(trc(["add-dependency", child, waits, "--type", "related"]).out).toBe(
    `Linked ${child} <-> ${waits} (related)\n`,
  );
  expect(trc(["reparent", waits, "none"]).out).toBe(`Removed parent from ${waits}\n`);
  expect(trc(["reparent", waits, parent]).out).toBe(`Reparented ${waits} to ${parent}\n`);
  expect(trc(["close", child, waits, parent]).out).toBe(
    `Closed ${child}: Child A!\nClosed ${waits}: Last\nClosed ${parent}: Parent\n`,
  );
  expect(trc(["list", "--status", "closed", "--status", "open"]).out.split("\n")).toHaveLength(4);
});

test("[W-3] what cannot be done is said as the original says it, with exit code 1", () => {
  trc(["init"]);
  const parent = create("P");
  const child = create("C", "--parent", parent);
  const refusals: [string[], string][] = [
    [["show", "app-nobody"], "Error: Issue app-nobody not found\n"],
    [["update", "app-nobody", "--priority", "1"], "Error: Issue app-nobody not found\n"],
    [["update", parent, "--priority", "9"], "Error: Priority must be between 0 and 4, got 9\n"],
    [["reparent", parent, "app-nobody"], "Error: Parent issue app-nobody not found\n"],
    [["reparent", parent, child], `Error: Cannot reparent: would create a cycle\n  ${parent} → ${child} → ${parent}\n`],
    [["close", "app-nobody"], "Warning: Issue app-nobody not found\n"],
    [["close", parent], `Warning: Cannot close ${parent} with open children:\n  - ${child}: C [open]\n`],
    [
      ["move", child, "nowhere"],
      "Error: Project 'nowhere' not found in registry\nHint: Run 'trc init' in the target project first\n",
    ],
    [["repair", "--project", "nowhere"], "Error: Project 'nowhere' not found\n"],
  ];
  for (const [args, out] of refusals) expect(trc(args)).toEqual({ out, err: "", code: 1 });
  expect(trc(["list"], folder)).toEqual({
    out: "Error: Not in a git repository. Use --project any to list all issues.\n",
    err: "",
    code: 1,
  });
  expect(trc(["create", "t", "--description", "d"], makeRepository("fresh")).out).toBe(
    `Error: Project not initialized\nRun 'trc init' in ${folder}/fresh first\n`,
  );
  const forced = trc(["close", parent, "--force", "--message", "not needed any more"]);
  expect(forced).toEqual({ out: `Closed ${parent}: P\n`, err: "", code: 0 });
  expect(trc(["show", parent]).out).toContain("user: not needed any more");
});

test("[W-5] an agent that was told who it is says so without an option, and a human is a human", () => {
  trc(["init"]);
  const id = create("Task");
  const agent = { TRACE_SOURCE: "executor" };
  trc(["comment", id, "by the agent"], app, agent);
  trc(["comment", id, "by its helper", "--source", "helper"], app, agent);
  trc(["comment", id, "by the human"], app, { TRACE_SOURCE: "" });
  trc(["close", id, "--message", "done"], app, agent);
  const { comments } = JSON.parse(trc(["show", id, "--json"]).out);
  expect(comments.map((said: { source: string; content: string }) => `${said.source}: ${said.content}`)).toEqual([
    "executor: by the agent",
    "helper: by its helper",
    "user: by the human",
    "executor: done",
  ]);
});

test("[W-5] what an agent changed is noted for the loops, what a human changes is not", () => {
  trc(["init"]);
  const path = join(folder, "notes", "agents.jsonl");
  const agent = { TRACE_SOURCE: "agent", RALPHER_AGENTS_NOTES: path };
  const as = (...args: string[]) => JSON.parse(trc([...args, "--json"], app, agent).out);
  const human = create("A human's");
  const one = as("create", "One", "--description", "");
  const { updated_at } = as("update", one.id, "--priority", "0");
  as("add-dependency", one.id, human);
  const said = as("comment", one.id, "hello", "--source", "me");
  const { closed } = as("close", one.id);
  as("close", "app-nobody");
  as("list");
  expect(readAgentsNotes(path, "")).toMatchObject([
    { id: one.id, at: one.updated_at },
    { id: one.id, at: one.updated_at, links: "" },
    { id: one.id, at: updated_at },
    { id: one.id, at: updated_at, links: `blocks ${human}` },
    { id: one.id, at: said.created_at },
    { id: one.id, at: closed[0].updated_at },
  ]);
  expect(readAgentsNotes(path, "9")).toEqual([]);
  expect(readAgentsNotes(join(folder, "nowhere"), "")).toEqual([]);
  // A place that cannot be written keeps nobody from working.
  expect(trc(["close", human], app, { RALPHER_AGENTS_NOTES: "/proc/no/such" }).code).toBe(0);
});

test("[W-5] items begun in a worktree can be changed from the checkout", () => {
  const path = makeRepository("begun");
  const git = (...args: string[]) =>
    Bun.spawnSync(["git", "-c", "user.name=a", "-c", "user.email=a@b", ...args], { cwd: path });
  git("commit", "-q", "--allow-empty", "-m", "first");
  git("worktree", "add", "-q", "../begun-tree");
  trc(["init"], join(folder, "begun-tree"));
  const id = trc(["create", "Root", "--description", "", "--quiet"], path).out.trim();
  expect(trc(["comment", id, "hello"], path).code).toBe(0);
  expect(trc(["update", id, "--status", "in_progress"], path).code).toBe(0);
  expect(trc(["close", id], path)).toEqual({ out: `Closed ${id}: Root\n`, err: "", code: 0 });
  expect(git("status", "--porcelain").stdout.toString()).toBe("");
});

test("[W-3] wrong usage is exit code 2", () => {
  for (const args of [
    [],
    ["nonsense"],
    ["create", "no description"],
    ["create", "x", "--description"],
    ["show"],
    ["show", "a", "b"],
    ["list", "--colour"],
    ["create", "x", "--description", "d", "--priority", "high"],
    ["repair", "--dry-run=yes"],
  ]) {
    const { out, err, code } = trc(args);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toContain("Error: ");
  }
});

test("[W-3] --json speaks JSON, of faults too", () => {
  trc(["init"]);
  const json = (...args: string[]) => JSON.parse(trc([...args, "--json"]).out);
  const made = json("create", "Tell", "--description", "d", "--priority", "0");
  expect(made).toMatchObject({ title: "Tell", priority: 0, project_id: app, closed_at: null, dependencies: [] });
  const { id } = made;
  expect(json("init")).toMatchObject({ id: app, name: "app" });
  expect(json("list").map((item: { id: string }) => item.id)).toContain(id);
  expect(json("ready")[0]).toMatchObject({ id, parents: [] });
  expect(json("comment", id, "words")).toMatchObject({ issue_id: id, content: "words", source: "user" });
  expect(json("show", id)).toMatchObject({ id, comments: [{ content: "words" }], children: [] });
  expect(json("tree", id)).toMatchObject({ id, children: [] });
  expect(json("update", id, "--status", "blocked")).toMatchObject({ id, status: "blocked" });
  const other = json("create", "Other", "--description", "").id;
  expect(json("add-dependency", id, other)).toMatchObject({ dependencies: [{ depends_on_id: other, type: "blocks" }] });
  expect(json("reparent", other, "none")).toMatchObject({ id: other });
  expect(json("repair")).toMatchObject({ contaminated: 0, repaired: 0, orphaned: 0, affected_projects: [] });
  expect(json("sync")).toMatchObject({ project_id: app, created: 0, errors: 0 });
  expect(json("guide").guide).toContain("trc ready");
  expect(json("close", other, "app-nobody")).toMatchObject({
    closed: [{ id: other, status: "closed" }],
    refused: [{ id: "app-nobody", error: "work_item_not_found" }],
  });
  const failed = trc(["show", "app-nobody", "--json"]);
  expect([failed.code, JSON.parse(failed.out)]).toMatchObject([1, { error: "work_item_not_found", id: "app-nobody" }]);
  const lib = makeRepository("lib");
  trc(["init"], lib);
  expect(json("move", id, "lib")).toMatchObject({ moved: id, project_id: lib, title: "Tell" });
  expect(JSON.parse(trc(["list", "--project", "any", "--json"], folder).out).length).toBeGreaterThan(1);
});

test("[W-4] malformed lines are told on standard error, once", () => {
  const path = makeRepository("broken");
  trc(["init"], path);
  const file = join(path, ".trace/issues.jsonl");
  writeFileSync(file, "{not json\n");
  const first = trc(["list"], path);
  expect(first).toMatchObject({ out: "No issues found\n", code: 0 });
  expect(first.err).toContain(`${file}, line 1: it is not JSON`);
  expect(trc(["list"], path).err).toBe("");
  trc(["create", "x", "--description", ""], path);
  expect(readFileSync(join(path, ".trace/rejected.jsonl"), "utf8")).toBe("{not json\n");
});

test("[W-3] help and guide are there, and words of others cannot steer the terminal", () => {
  trc(["init"]);
  expect(trc(["--help"])).toMatchObject({ err: "", code: 0 });
  for (const name of ["init", "create", "list", "ready", "show", "close", "repair", "guide", "add-dependency"]) {
    expect(trc([name, "--help"]).out).toStartWith(`Usage: trc ${name}`);
  }
  expect(trc(["guide"]).out).toContain("trc init");
  const id = create("red \u001b[31mred\u0007");
  expect(trc(["show", id]).out).toContain("Title:       red red\n");
});

test("[W-3] an option takes the next word whatever it is, and two hyphens end the options", () => {
  const spec = { words: [{ name: "TITLE" }], options: { text: { value: "T", help: "" }, all: { help: "" } } };
  const given = readArguments(spec, ["--text", "--all", "--", "--title"]);
  expect([given.words, given.text("text"), given.has("all")]).toEqual([["--title"], "--all", false]);
  expect(() => readArguments(spec, ["--text=a", "--none", "t"])).toThrow(UsageError);
});
