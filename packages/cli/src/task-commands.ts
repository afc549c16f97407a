import { type Command, Option } from "@commander-js/extra-typings";
import { BackendType, HandOffChoice } from "@ralpher/contract";
import { integer } from "./options.ts";

const json = () => new Option("--json", "print JSON for scripts");
const inVault = () => new Option("--vault <dir>", "the vault, or a folder in it (else the one this folder is in)");
const agent = () =>
  new Option("--agent <type>", "which agent works (else as the vault's config says, or the settings)").choices(
    BackendType.options,
  );
const agentCommand = () =>
  new Option("--agent-command <command line>", "what starts the agent (with --agent acp; else opencode acp)");
const script = () => new Option("--script <file>", "what the scripted agent does (with --agent scripted)");
const model = () =>
  new Option("--model <provider/model>", "model to use (else as the vault's config says, or the agent's own default)");
const ofTask = "its file, its name, or the loop's id";

/** `ralpher task`: the commands for vaults of Markdown tasks. */
export function addTaskCommands(program: Command): void {
  const task = program
    .command("task")
    .description("Work off Markdown task files in a vault, step by step, steered by files")
    .addHelpText(
      "after",
      `
Examples:
  ralpher task init notes                     lay out a vault
  ralpher task start Specs/login.md           work a task off, and show what happens
  ralpher task watch .                        work off whatever is put into Specs, until Ctrl+C
  ralpher task status login                   how far it is, and what it asks
  ralpher task stop                           all tasks of the vault, after their iteration

A task is a Markdown file; its check boxes are the steps. docs/task.md tells all of it.`,
    );

  task
    .command("init")
    .description("Lay out a vault, or what is missing of one; what is there stays")
    .argument("<dir>", "the folder")
    .addOption(json())
    .addHelpText("after", "\nExamples:\n  ralpher task init notes\n  ralpher task init .")
    .action(async (directory, options) => (await import("./commands/task-init.ts")).taskInit(directory, options));

  task
    .command("start")
    .description("Take a task up and show what happens until it is done, or needs you")
    .argument("<file>", "the task's file, from here or from the vault's root")
    .addOption(inVault())
    .option("--max-iterations <n>", "end after so many iterations (else as the vault's config says; 100)", integer(1))
    .option(
      "--failure-threshold <n>",
      "end as failed after so many failed steps in a row (else as the config; 3)",
      integer(1),
    )
    .addOption(agent())
    .addOption(agentCommand())
    .addOption(script())
    .addOption(model())
    .option("--detach", "leave it to the server that runs, and return at once")
    .addOption(json())
    .addHelpText(
      "after",
      `
Examples:
  ralpher task start Specs/login.md
  ralpher task start Specs/auth_feature/tasks.md --max-iterations 20 --agent claude
  ralpher task start /Specs/login.md --vault ~/notes --json > events.jsonl

Ctrl+C pauses it with its state saved; "ralpher task resume" goes on. A stop hook in the vault is taken away. With --json
every line is an event and the last one the loop.`,
    )
    .action(async (file, options) => (await import("./commands/task-run.ts")).taskStart(file, options));

  task
    .command("status")
    .description("How a task stands: its steps, its limits, what it asks; without one, all tasks that were taken up")
    .argument("[task]", ofTask)
    .addOption(inVault())
    .addOption(json())
    .addHelpText(
      "after",
      "\nExamples:\n  ralpher task status\n  ralpher task status login\n  ralpher task status Specs/login.md --json | jq .task.counters",
    )
    .action(async (name, options) => (await import("./commands/task-look.ts")).taskStatus(name, options));

  task
    .command("list")
    .description("The vault's tasks by folder, with how far each is, and what you are asked")
    .addOption(inVault())
    .addOption(json())
    .addHelpText(
      "after",
      "\nExamples:\n  ralpher task list\n  ralpher task list --vault ~/notes --json | jq '.open[].path'",
    )
    .action(async (options) => (await import("./commands/task-look.ts")).taskList(options));

  task
    .command("stop")
    .description("Stop all tasks of the vault after the iteration they are in: writes its stop hook")
    .option("--reason <text>", "why; it stands in the file and in the stop report")
    .addOption(inVault())
    .addOption(json())
    .addHelpText(
      "after",
      '\nExamples:\n  ralpher task stop\n  ralpher task stop --reason "the API is down"\n\nOne task, at once: ralpher loop stop ID',
    )
    .action(async (options) => (await import("./commands/task-steer.ts")).taskStop(options));

  task
    .command("resume")
    .description("Go on with a task that was stopped, paused, interrupted, failed, or out of iterations")
    .argument("[task]", `${ofTask} (else the only one that could go on)`)
    .addOption(inVault())
    .option("--max-iterations <n>", "a new limit", integer(1))
    .option("--reset-failures", "count its failures from zero")
    .addOption(model())
    // Refused with what to do instead.
    .addOption(agent().hideHelp())
    .addOption(agentCommand().hideHelp())
    .addOption(script().hideHelp())
    .addOption(json())
    .addHelpText(
      "after",
      "\nExamples:\n  ralpher task resume\n  ralpher task resume login --reset-failures\n  ralpher task resume 3f2a --max-iterations 120\n\nThe stop hook is taken away. What happens is shown as by start; a task under way is watched.",
    )
    .action(async (name, options) => (await import("./commands/task-run.ts")).taskResume(name, options));

  task
    .command("logs")
    .description("Show the vault's log, or what it has of one task")
    .argument("[task]", ofTask)
    .option("-f, --follow", "go on showing what is added, until Ctrl+C")
    .option("-n, --lines <n>", "only the newest lines", integer(1))
    .addOption(inVault())
    .addOption(json())
    .addHelpText(
      "after",
      "\nExamples:\n  ralpher task logs -f\n  ralpher task logs login -n 20\n\nWhat the agent did, message by message: ralpher loop logs ID",
    )
    .action(async (name, options) => (await import("./commands/task-logs.ts")).taskLogs(name, options));

  task
    .command("inject")
    .description("Put words down for the agent: a later prompt begins with them")
    .argument("[words...]", "what to say (- for standard input)")
    .option("--file <path>", "a file that holds what to say (- for standard input)")
    .addOption(
      new Option("--priority <priority>", "high: it counts more than the task's file").choices([
        "normal",
        "high",
      ] as const),
    )
    .addOption(inVault())
    .addOption(json())
    .addHelpText(
      "after",
      '\nExamples:\n  ralpher task inject "Use OAuth2, not JWT" --priority high\n  ralpher task inject --file ~/decision.md\n  git diff | ralpher task inject -',
    )
    .action(async (words, options) => (await import("./commands/task-steer.ts")).taskInject(words, options));

  task
    .command("choose")
    .description("Answer what a task asks: the same as ticking the box in its file in Needs_Action")
    .argument("<task>", ofTask)
    .argument("<choice>", `what to do: ${HandOffChoice.options.join(", ")}`)
    .addOption(inVault())
    .addOption(json())
    .addHelpText(
      "after",
      "\nExamples:\n  ralpher task choose login retry\n  ralpher task choose 3f2a skip_step\n\nWhere nobody else runs it, it goes on here, as by resume.",
    )
    .action(async (name, choice, options) =>
      (await import("./commands/task-run.ts")).taskChoose(name, choice, options),
    );

  task
    .command("watch")
    .description("Take up every task that is put into the vault's specs folder, until Ctrl+C")
    .argument("<vault>", "the vault, or a folder in it")
    .option("--parallel <n>", "so many tasks at once (else as the vault's config says; 2)", integer(1))
    .addOption(agent())
    .addOption(agentCommand())
    .addOption(script())
    .addOption(model())
    .addOption(json())
    .addHelpText(
      "after",
      "\nExamples:\n  ralpher task watch .\n  ralpher task watch ~/notes --parallel 4 --agent claude\n\nOne process watches a vault at a time. With --json every line is an event, or {note} of the watch itself.",
    )
    .action(async (vault, options) => (await import("./commands/task-watch.ts")).taskWatch(vault, options));
}
