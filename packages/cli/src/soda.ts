/** `soda`: SENSE, ORIENT, DECIDE, ACT over a spec. The commands of one strategy of `ralpher`, on the same data. */
import { Command, Option } from "@commander-js/extra-typings";
import { BackendType, HandleUncommitted } from "@ralpher/contract";
import { exitCodes, exitWith } from "./exit.ts";
import { integer } from "./options.ts";
import { sodaCommand } from "./program-names.ts";
import { version } from "./version.ts";

const program = new Command(sodaCommand)
  .description("Builds what a spec asks for, verifies every claim, and asks a human when it is stuck.")
  .version(version)
  .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
  .showHelpAfterError("Add --help for what there is.")
  .addHelpText(
    "after",
    `
Examples:
  soda run                                   build what ./Sodafile asks for
  soda run --spec docs/spec.md --max-iterations 10
  soda status                                how far it is, and what it waits for
  soda answer "Use SQLite, no server"        what a stuck run needs to know
  soda resume                                after Ctrl+C, a crash, or a limit
  soda pr                                    a pull request of what it built

The work happens on a branch of its own; nothing of yours changes until you
merge it. A run is a loop of Ralpher: "ralpher serve" shows it in the dashboard
and runs it on.

${exitCodes}`,
  );

const json = () => new Option("--json", "print JSON for scripts");
const ofRun = () => new Option("--run <id>", "which run (else the newest of this folder)");
const wait = () => new Option("--wait", "wait when it is stuck, also without a terminal (else exit with 13)");
const noWait = () => new Option("--no-wait", "do not wait when it is stuck");
const model = () => new Option("--model <provider/model>", "model to use (else the agent's own default)");
const test = () =>
  new Option("--test <command>", "how the tests are run, without a shell (else as the project's manifest says)");
const uncommitted = () =>
  new Option("--uncommitted <what>", "what happens to uncommitted changes in the folder").choices(
    HandleUncommitted.options,
  );

program
  .command("run")
  .description("Begin a run: build what the spec asks for, and show what happens until it is done or stuck")
  .option("--spec <path>", "the spec", "Sodafile")
  .option("--max-iterations <n>", "so many at most, then a human looks (default: 20)", integer(1))
  .addOption(
    new Option("--agent <type>", "which agent works (default: as the settings say, else opencode)").choices(
      BackendType.options,
    ),
  )
  .option("--agent-command <command line>", "what starts the agent (with --agent acp; default: opencode acp)")
  .option("--script <file>", "what the scripted agent does (with --agent scripted)")
  .addOption(model())
  .addOption(test())
  .option("--base <branch>", "the branch to begin from (else main, master, or the one checked out)")
  .addOption(uncommitted())
  .option("--new", "begin another run though one of this spec is not finished")
  .addOption(wait())
  .addOption(noWait())
  .addOption(json())
  .addHelpText(
    "after",
    `
Examples:
  soda run
  soda run --spec docs/spec.md --agent claude --max-iterations 10
  soda run --test "bun test" --base develop
  soda run --json --wait > ../events.jsonl

Ctrl+C pauses it; "soda resume" goes on. When it is stuck it says what it needs
and waits: answer from another terminal (soda answer "…"), comment on a task
(trc comment ID "…"), or change the spec. With --json every line is an event,
and the last one the run.`,
  )
  .action(async (options) => (await import("./commands/soda-run.ts")).sodaRun(options));

program
  .command("resume")
  .description("Go on with a run that was paused, interrupted or stopped, failed, got stuck, or used its iterations")
  .argument("[run]", "which (else the newest unfinished one of this folder)")
  .option("--max-iterations <n>", "a new limit", integer(1))
  .addOption(model())
  .addOption(test())
  .addOption(uncommitted())
  .option("--anyway", "also when nothing has changed since it got stuck")
  .addOption(wait())
  .addOption(noWait())
  .addOption(json())
  .addHelpText(
    "after",
    `
Examples:
  soda resume
  soda resume 3f2a --max-iterations 30

A stuck run goes on when it was answered, when a task or the spec was changed,
or when it is set otherwise (--model, --test). Without any of these its agent
would be asked the same again: --anyway does so.`,
  )
  .action(async (run, options) => (await import("./commands/soda-run.ts")).sodaResume(run, options));

program
  .command("status")
  .description("How the newest run of this folder stands: criteria, tasks, what it waits for, what to do next")
  .addOption(ofRun())
  .addOption(json())
  .addHelpText("after", "\nExamples:\n  soda status\n  soda status --json | jq .criteria.satisfied")
  .action(async (options) => (await import("./commands/soda-status.ts")).sodaStatus(options));

program
  .command("history")
  .description("The runs of this folder, iteration by iteration, newest run first")
  .addOption(new Option("--run <id>", "only this run"))
  .option("-n, --lines <n>", "only so many runs", integer(1), 5)
  .addOption(json())
  .addHelpText("after", "\nExamples:\n  soda history\n  soda history --run 3f2a --json")
  .action(async (options) => (await import("./commands/soda-history.ts")).sodaHistory(options));

program
  .command("sense")
  .description("What git, the work items, earlier iterations and humans claim right now; changes nothing")
  .addOption(ofRun())
  .addOption(json())
  .addHelpText("after", "\nExamples:\n  soda sense\n  soda sense --json | jq .work_state.blocked")
  .action(async (options) => (await import("./commands/soda-sense.ts")).sodaSense(options));

program
  .command("answer")
  .description("Tell a run what it needs to know; a stuck one goes on with it")
  .argument("<words...>", "what to say")
  .addOption(ofRun())
  .addOption(json())
  .addHelpText(
    "after",
    '\nExamples:\n  soda answer "Use SQLite, no server"\n  soda answer --run 3f2a "The key is in .env.test"',
  )
  .action(async (words, options) => (await import("./commands/soda-steer.ts")).sodaAnswer(words, options));

program
  .command("pause")
  .description("Hold a run after the step it is in")
  .option("--now", "end the agent at once; its step is done again on resume")
  .addOption(ofRun())
  .addOption(json())
  .addHelpText("after", "\nExamples:\n  soda pause\n  soda pause --now")
  .action(async (options) => (await import("./commands/soda-steer.ts")).sodaPause(options));

program
  .command("stop")
  .description("End a run, one that waits or is stuck, too: its agent is ended, its work is kept")
  .option("--reason <text>", "why, for the record")
  .addOption(ofRun())
  .addOption(json())
  .addHelpText("after", '\nExample:\n  soda stop --reason "the spec is wrong"')
  .action(async (options) => (await import("./commands/soda-steer.ts")).sodaStop(options));

program
  .command("pr")
  .description("Push a run's milestone branch and make a pull request of it, or say where")
  .addOption(ofRun())
  .option("--remote <name>", "which remote (else the one git is set to push to, else origin)")
  .option("--draft", "as a draft")
  .addOption(json())
  .addHelpText(
    "after",
    "\nExamples:\n  soda pr\n  soda pr --run 3f2a --draft\n\nGitHub's gh makes it where it is installed and logged in; else you get the page\nto make it on.",
  )
  .action(async (options) => (await import("./commands/soda-steer.ts")).sodaPr(options));

try {
  await program.parseAsync();
} catch (error) {
  exitWith(error, "soda");
}
