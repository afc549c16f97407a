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
      {
        name: "max_iterations",
        value: "100",
        about: "a task that needs more stops, and you are asked in Needs_Action",
      },
      { name: "failure_threshold", value: "3", about: "failures in a row before a task stops and you are asked" },
      { name: "timeout_minutes", value: "120", about: "a task that takes longer stops; each start counts anew" },
    ],
  },
  {
    title: "Iteration settings",
    keys: [
      { name: "iteration_interval_seconds", value: "5", about: "pause between two iterations" },
      { name: "backoff_on_failure", value: "true", about: "pause longer after each failure in a row" },
      { name: "backoff_multiplier", value: "2", about: "each such pause is so many times as long as the one before" },
      { name: "max_backoff_seconds", value: "60", about: "no such pause is longer" },
    ],
  },
  {
    title: "State persistence",
    keys: [
      {
        name: "state_file",
        value: '".state/autonomous_loop_state.json"',
        about: "how far a task has come, for you and other programs to read",
      },
      { name: "save_state_every_n_iterations", value: "1", about: "it is saved whenever a task stops, too" },
      {
        name: "state_retention_days",
        value: "30",
        about: "so long the states of finished tasks stay in .state/history",
      },
    ],
  },
  {
    title: "Stop hook",
    keys: [
      {
        name: "stop_hook_file",
        value: '"/Control/STOP_AUTONOMOUS_LOOP"',
        about: "make this file (.md may follow), and all tasks stop after their iteration",
      },
      { name: "check_stop_hook_every_iteration", value: "true", about: "false: that file stops nothing" },
    ],
  },
  {
    title: "Prompt reinjection",
    keys: [
      {
        name: "reinject_prompt_file",
        value: '"/Control/reinject_prompt.md"',
        about: "what you write there goes into the next prompt; then it is deleted",
      },
      {
        name: "check_reinject_every_n_iterations",
        value: "5",
        about: "it is looked for after every so many iterations",
      },
    ],
  },
  {
    title: "Logging",
    keys: [
      { name: "log_file", value: '"Logs/autonomous_loop.log"', about: "what happens, a line each" },
      { name: "log_level", value: '"INFO"', about: "DEBUG, INFO, WARNING or ERROR: the least that is worth a line" },
      { name: "log_every_iteration", value: "true", about: "a line for each iteration, with its step and result" },
    ],
  },
  {
    title: "Notifications",
    keys: [
      { name: "notify_on_completion", value: "true", about: "tell you when a task is done" },
      { name: "notify_on_failure", value: "true", about: "… when it stops after too many failures" },
      { name: "notify_on_max_iterations", value: "true", about: "… when it stops after too many iterations" },
      { name: "notify_on_stop", value: "true", about: "… when it stops for another reason" },
      { name: "notify_desktop", value: "false", about: "on the desktop: by notify-send, or osascript on macOS" },
      {
        name: "notify_webhook",
        value: '"https://example.com/hook"',
        about: "to this address: a POST of JSON with event, title, message and path",
        isOptional: true,
      },
      {
        name: "notify_command",
        value: '"/path/to/tell-me"',
        about: "by this command, without a shell; in RALPHER_EVENT, _TITLE, _MESSAGE and _PATH",
        isOptional: true,
      },
    ],
  },
  {
    title: "Folders of the vault",
    keys: [
      { name: "specs_folder", value: '"/Specs"', about: "tasks to do" },
      { name: "done_folder", value: '"/Done"', about: "finished ones; move a task here to call it done" },
      { name: "rejected_folder", value: '"/Rejected"', about: "move a task here to call it off" },
      {
        name: "needs_action_folder",
        value: '"/Needs_Action"',
        about: "questions to you: tick an answer, and the work goes on",
      },
      { name: "logs_folder", value: '"/Logs"', about: "a report on each finished task" },
    ],
  },
  {
    title: "Work",
    keys: [
      { name: "max_parallel_tasks", value: "2", about: 'so many tasks at once with "ralpher task watch"' },
      { name: "commit_steps", value: "true", about: "if the vault is in git: a commit for each finished step" },
      { name: "verify_timeout_seconds", value: "600", about: "a step's check (verify) that takes longer has failed" },
      {
        name: "agent",
        value: "opencode",
        about: "who does the work: opencode, claude or acp; without it Ralpher's default",
        isOptional: true,
      },
      {
        name: "model",
        value: '"anthropic/claude-sonnet-4-5"',
        about: "provider/model; without it the agent's own",
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
    "# How Ralpher works off the tasks of this vault. A change counts from the next iteration on; a key that is\n" +
    "# taken out has the value written here. Keys behind a # are optional: take the # away to set them.\n" +
    "# An iteration is one go of the agent at one step. Paths begin at this vault's folder, with or without a slash.\n\n";
  return `${head}${topKey}:\n${groups.join("\n\n")}\n`;
}
