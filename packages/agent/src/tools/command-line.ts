// Words and quoted texts in which a shell finds nothing to expand, chain or redirect.
const plainArguments = /^(?:[ \t]+(?:[\w@%+=:,./^~-]|'[^'\r\n]*'|"[^"$`\\!\r\n]*")+)*$/;
// What agents put behind a command to see less of it.
const harmlessEnd = /(?:[ \t]+2>&1)?(?:[ \t]*\|[ \t]*(?:head|tail)(?:[ \t]+-n?[ \t]*\d+)?)?$/;
// A path that is absolute, at home, or goes up, as a word or behind an option.
const outsidePath = /[\s='":,](?:\/|~)|[\s/='":,]\.\.(?:[\s/'"]|$)/;
const longest = 4096;

/**
 * Is this command line one of the allowed commands, as it stands or with plain arguments behind it? `2>&1` and a pipe
 * into head or tail may follow. Anything a shell would make more of (`;`, `&&`, `$(…)`, `>` …) is refused, and so are
 * paths that are not below the directory by their words. What the command does with its options is its own affair, but
 * for git, whose looking commands have options that write files or run programs.
 */
export function isAllowedCommand(allowed: readonly string[], line: string): boolean {
  if (line.length > longest) return false;
  const wanted = line.trim().replace(harmlessEnd, "");
  return allowed.some((command) => {
    if (!wanted.startsWith(command)) return false;
    const rest = wanted.slice(command.length);
    if (/^git(?:\s|$)/.test(command) && wordsOf(rest).some(isGitTool)) return false;
    return plainArguments.test(rest) && !outsidePath.test(rest);
  });
}

/** Roughly: a quoted text with blanks in it comes apart, which refuses rather more than less. */
const wordsOf = (rest: string): string[] => rest.replace(/['"]/g, "").split(/\s+/);

const gitTools = ["output", "output-directory", "open-files-in-pager", "ext-diff", "textconv"].concat([
  "exec",
  "exec-path",
  "upload-pack",
  "receive-pack",
  "config-env",
  "git-dir",
  "work-tree",
]);

/** Does this word have git write a file or run a program? Git takes a long option by its first letters, too. */
function isGitTool(word: string): boolean {
  if (/^-[oOc]/.test(word)) return true;
  const name = /^--([^=]+)/.exec(word)?.[1];
  if (name === undefined || name === "text") return false;
  return gitTools.some((tool) => tool.startsWith(name));
}
