/**
 * Variables that tie git to one repository or change what its arguments mean. They are set when Ralpher is started from
 * a hook or an alias, and would send every command to that repository instead of the loop's.
 */
const repositoryBound = [
  "GIT_ALTERNATE_OBJECT_DIRECTORIES",
  "GIT_COMMON_DIR",
  "GIT_DIR",
  "GIT_EXTERNAL_DIFF",
  "GIT_DIFF_OPTS",
  "GIT_GLOB_PATHSPECS",
  "GIT_GRAFT_FILE",
  "GIT_ICASE_PATHSPECS",
  "GIT_IMPLICIT_WORK_TREE",
  "GIT_INDEX_FILE",
  "GIT_LITERAL_PATHSPECS",
  "GIT_NAMESPACE",
  "GIT_NOGLOB_PATHSPECS",
  "GIT_NO_REPLACE_OBJECTS",
  "GIT_OBJECT_DIRECTORY",
  "GIT_PREFIX",
  "GIT_QUARANTINE_PATH",
  "GIT_REPLACE_REF_BASE",
  "GIT_SHALLOW_FILE",
  "GIT_WORK_TREE",
];

/** What every git process gets: nobody is there to answer a prompt, and its words are in one language. */
const unattended = {
  // Not plain C: hooks inherit it, and some languages then take files for ASCII.
  LC_ALL: "C.UTF-8",
  LANGUAGE: "",
  GIT_TERMINAL_PROMPT: "0",
  // Reads must not take the index lock away from the agent or the user.
  GIT_OPTIONAL_LOCKS: "0",
  GIT_EDITOR: "true",
  GIT_SEQUENCE_EDITOR: "true",
  GIT_PAGER: "cat",
};

/** The environment git runs in, made from the one Ralpher runs in. */
export function gitEnvironment(base: Record<string, string | undefined>): Record<string, string> {
  const environment: Record<string, string> = {};
  for (const [name, value] of Object.entries(base)) {
    if (value !== undefined && !repositoryBound.includes(name)) environment[name] = value;
  }
  return { ...environment, ...unattended };
}
