/** Every key of the config with its default as written and what it does: the seed's in its order, then ours. */
export interface ConfigGroup {
  title: string;
  keys: ConfigKey[];
}

export interface ConfigKey {
  name: string;
  /** As YAML; of an optional one an example. */
  value: string;
  about: string;
  isOptional?: true;
}

export const configFile = "/Control/autonomous_loop_config.yaml";
export const topKey = "autonomous_loop";

export const configGroups: ConfigGroup[] = [
  {
    title: "Stop conditions",
    keys: [
      { name: "max_iterations", value: "100", about: "a task that needs more is put before you in Needs_Action" },
      { name: "failure_threshold", value: "3", about: "so many failures one after the other end the loop" },
      { name: "timeout_minutes", value: "120", about: "longest time for a task" },
    ],
  },
  {
    title: "Iteration settings",
    keys: [
      { name: "iteration_interval_seconds", value: "5", about: "wait between two iterations" },
      { name: "backoff_on_failure", value: "true", about: "wait longer after each failure" },
      { name: "backoff_multiplier", value: "2", about: "so many times longer" },
      { name: "max_backoff_seconds", value: "60", about: "but never longer than this" },
    ],
  },
  {
    title: "State persistence",
    keys: [
      { name: "state_file", value: '".state/autonomous_loop_state.json"', about: "where a loop's state is kept" },
      { name: "save_state_every_n_iterations", value: "1", about: "it is saved at every ending, too" },
      { name: "state_retention_days", value: "30", about: "older files in .state/history are removed" },
    ],
  },
  {
    title: "Stop hook",
    keys: [
      {
        name: "stop_hook_file",
        value: '"/Control/STOP_AUTONOMOUS_LOOP"',
        about: "make this file, and the loop stops; .md may follow",
      },
      { name: "check_stop_hook_every_iteration", value: "true", about: "false: the file is not looked at" },
    ],
  },
  {
    title: "Prompt reinjection",
    keys: [
      {
        name: "reinject_prompt_file",
        value: '"/Control/reinject_prompt.md"',
        about: "what you write there is told to the agent",
      },
      { name: "check_reinject_every_n_iterations", value: "5", about: "how often it is looked for" },
    ],
  },
  {
    title: "Logging",
    keys: [
      { name: "log_file", value: '"Logs/autonomous_loop.log"', about: "one line for each thing that happens" },
      { name: "log_level", value: '"INFO"', about: "DEBUG, INFO, WARNING or ERROR" },
      { name: "log_every_iteration", value: "true", about: "a line for each iteration" },
    ],
  },
  {
    title: "Notifications",
    keys: [
      { name: "notify_on_completion", value: "true", about: "a task is done" },
      { name: "notify_on_failure", value: "true", about: "too many failures" },
      { name: "notify_on_max_iterations", value: "true", about: "too many iterations" },
      { name: "notify_on_stop", value: "true", about: "stopped, or a human is needed for another reason" },
      { name: "notify_desktop", value: "false", about: "by notify-send, or osascript on macOS" },
      { name: "notify_webhook", value: '"https://example.com/hook"', about: "by POST, as JSON", isOptional: true },
      {
        name: "notify_command",
        value: '"/path/to/tell-me"',
        about: "run without a shell, with RALPHER_EVENT, RALPHER_TITLE, RALPHER_MESSAGE and RALPHER_PATH set",
        isOptional: true,
      },
    ],
  },
  {
    title: "Folders of the vault",
    keys: [
      { name: "specs_folder", value: '"/Specs"', about: "open tasks" },
      { name: "done_folder", value: '"/Done"', about: "finished ones; move one here to finish it yourself" },
      { name: "rejected_folder", value: '"/Rejected"', about: "move one here to call it off" },
      { name: "needs_action_folder", value: '"/Needs_Action"', about: "what you are asked" },
      { name: "logs_folder", value: '"/Logs"', about: "completion reports" },
    ],
  },
  {
    title: "Work",
    keys: [
      { name: "max_parallel_tasks", value: "2", about: '"ralpher task watch" works on so many at once' },
      { name: "commit_steps", value: "true", about: "in git: a commit for each finished step" },
      { name: "verify_timeout_seconds", value: "600", about: "longest time for a step's check" },
      { name: "agent", value: "opencode", about: "opencode, claude or acp; else Ralpher's default", isOptional: true },
      {
        name: "model",
        value: '"anthropic/claude-sonnet-4-5"',
        about: "provider/model; else the agent's own",
        isOptional: true,
      },
    ],
  },
];

/** The config with all defaults, and each key explained. */
export function writeConfigText(): string {
  const groups = configGroups.map(({ title, keys }) => {
    const written = keys.map(({ name, value, isOptional }) => `  ${isOptional ? "# " : ""}${name}: ${value}`);
    const width = Math.min(60, Math.max(...written.map(({ length }) => length)));
    const lines = keys.map(({ about }, index) => `${(written[index] ?? "").padEnd(width)}  # ${about}`);
    return [`  # ${title}`, ...lines].join("\n");
  });
  const head =
    "# How Ralpher works on the tasks of this vault. A change counts from the next iteration on.\n" +
    "# Paths begin at the vault's root, with or without a slash.\n\n";
  return `${head}${topKey}:\n${groups.join("\n\n")}\n`;
}
