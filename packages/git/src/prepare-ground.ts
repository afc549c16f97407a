import { realpath } from "node:fs/promises";
import { join } from "node:path";
import { Fault, type GroundReport } from "@ralpher/contract";
import { gitFault } from "./git-fault.ts";
import { readBranch, readHead } from "./read-ref.ts";
import { requirePlace } from "./require-place.ts";
import type { Room } from "./room.ts";
import { survey } from "./survey.ts";
import { refs } from "./trash.ts";
import { exists, isDirectory, type Tree } from "./tree.ts";
import { updateRefs } from "./update-refs.ts";

/**
 * Make a repository where there is none, and an empty first commit where there is none. What lies in the folder stays as
 * it is: new files stay untracked, staged ones staged.
 * @throws Fault `directory_missing`, `bare_repository`, `not_a_repository` (inside of a `.git`), `detached_head`,
 * `git_failed`
 */
export async function prepareGround(room: Room, directory: string): Promise<GroundReport> {
  await room.version();
  const repository = await ensureRepository(room, directory);
  const place = requirePlace(await survey(room.git, directory), directory);
  if (place.kind === "detached") throw new Fault("detached_head", { directory });
  if (place.kind === "repository") return { repository, firstCommit: false };
  const firstCommit = await room.mutex.run(place.tree.commonDir, () => ensureFirstCommit(room, place.tree));
  return { repository, firstCommit };
}

async function ensureRepository({ git }: Room, directory: string): Promise<boolean> {
  if (!(await isHalfMade(directory)) && (await survey(git, directory)).kind !== "not_a_repository") return false;
  const call = { cwd: directory };
  // The folder may be the inside of a repository: one more in there would be a trap.
  if ((await git.run(["rev-parse", "--git-dir"], call)).code === 0) throw new Fault("not_a_repository", { directory });
  const chosen = await git.run(["config", "--get", "init.defaultBranch"], call);
  await git.output(["init", "--quiet", `--initial-branch=${chosen.stdout.trim() || "main"}`], call);
  return true;
}

/** A `git init` that was killed leaves a folder without HEAD, which no git takes for a repository; again mends it. */
async function isHalfMade(directory: string): Promise<boolean> {
  const folder = join(directory, ".git");
  return (await isDirectory(folder)) && !(await exists(join(folder, "HEAD")));
}

/** As an object and a ref, so that neither the index nor a hook has a part in it. */
async function ensureFirstCommit({ git, identity }: Room, tree: Tree): Promise<boolean> {
  const call = { cwd: tree.top };
  // On a new branch without commits, of a repository that has some elsewhere, there is nothing to begin.
  if ((await git.output(["for-each-ref", "--count=1", "refs/heads/"], call)) !== "") return false;
  const { branch } = await readHead(git, tree);
  if (branch === null) throw new Fault("detached_head", { directory: tree.top });
  const empty = (await git.output(["hash-object", "-w", "-t", "tree", "--stdin"], { ...call, stdin: "" })).trim();
  const config = await identity.find(await realpath(tree.commonDir));
  const args = ["commit-tree", empty, "-F", "-"];
  const sha = (await git.output(args, { ...call, config, stdin: "Initial commit\n" })).trim();
  const result = await updateRefs(git, tree.top, [{ ref: refs.branch(branch), to: sha, old: null }], "first commit");
  if (result.code === 0) return true;
  if ((await readBranch(git, tree, branch)) !== null) return false;
  throw gitFault(["update-ref"], result, tree.top);
}
