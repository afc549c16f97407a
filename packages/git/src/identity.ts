import type { Git } from "./run-git.ts";

/** Who commits when git does not know. */
const fallback = { name: "Ralpher", email: "ralpher@localhost" };

/** Finds out whether git can name an author, and remembers the repositories where it cannot. */
export interface Identity {
  /** Settings to commit with, from what is remembered: mostly none. Starts no process. */
  known(repository: string): readonly string[];
  /** Ask git, and give what is missing. Empty when the user's configuration has all of it. */
  find(repository: string): Promise<readonly string[]>;
}

export function createIdentity(git: Git): Identity {
  const missing = new Map<string, readonly string[]>();

  const setting = async (cwd: string, name: string, otherwise: string): Promise<string> => {
    const result = await git.run(["config", "--get", name], { cwd });
    return `${name}=${(result.code === 0 && result.stdout.trim()) || otherwise}`;
  };

  const find = async (repository: string): Promise<readonly string[]> => {
    missing.delete(repository);
    const call = { cwd: repository };
    const author = await git.run(["var", "GIT_AUTHOR_IDENT"], call);
    const committer = await git.run(["var", "GIT_COMMITTER_IDENT"], call);
    if (author.code === 0 && committer.code === 0) return [];
    const settings = [
      await setting(repository, "user.name", fallback.name),
      await setting(repository, "user.email", fallback.email),
    ];
    missing.set(repository, settings);
    return settings;
  };

  return { known: (repository) => missing.get(repository) ?? [], find };
}
