/**
 * cli: the commands.
 *
 * Owns: words on the terminal, exit codes, and putting the rooms together (compose.ts, the only file that names
 * implementations). Does not own: any rule about loops.
 */
import { Command, Option } from "@commander-js/extra-typings";
import { BackendType, HandleUncommitted } from "@ralpher/contract";
import { exitCodes, exitWith } from "./exit.ts";
import { integer, number } from "./options.ts";
import { addTaskCommands } from "./task-commands.ts";
import { version } from "./version.ts";

const program = new Command("ralpher")
  .description("Runs coding-agent loops on your repository until the work is really done.")
  .version(version)
  // Wrong usage is wrong input, whatever commander's own code for it.
  .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
  .showHelpAfterError("Add --help for what there is.")
  .addHelpText(
    "after",
    `
Examples:
  ralpher demo                                       see a whole loop, without a key and without network
  ralpher serve                                      the dashboard, and every loop that wants running
  ralpher loop run --dir . --prompt "Make the tests pass" --max-iterations 10
  ralpher loop list
  ralpher task --help                                Markdown task files in a vault, worked off one by one
  ralpher doctor                                     what is there, what is missing, and how to get it
  soda --help                                        from a spec, with every claim verified
  trc --help                                         work items

${exitCodes}`,
  );

const json = () => new Option("--json", "print JSON for scripts");
const agent = () =>
  new Option("--agent <type>", "which agent works (else as the settings say; opencode)").choices(BackendType.options);

program
  .command("serve")
  .description("Start the server with its dashboard, and run every loop that wants running")
  .option("--host <address>", "address to listen on (RALPHER_HOST, else 127.0.0.1)")
  .option("--port <n>", "port to listen on (RALPHER_PORT, else 3000 or the next free one)", integer(0, 65535))
  .addHelpText(
    "after",
    "\nExamples:\n  ralpher serve --port 4000\n  ralpher serve --host 0.0.0.0      others come in with a token, which is printed\n\nCtrl+C ends it; loops under way go on at the next start.",
  )
  .action(async (options) => (await import("./commands/serve.ts")).serve(options));

program
  .command("demo")
  .description("Watch a loop mend a small project: the real agent, a scripted model, no key, no network")
  .addOption(
    new Option("--agent <type>", "which agent works")
      .choices(["opencode", "claude", "acp"] as const)
      .default("opencode" as const),
  )
  .option("--keep", "leave the project and the dashboard open until Ctrl+C")
  .addOption(json())
  .addHelpText("after", "\nExamples:\n  ralpher demo\n  ralpher demo --agent claude\n  ralpher demo --keep")
  .action(async (options) => (await import("./commands/demo.ts")).demo(options));

program
  .command("doctor")
  .description("Check git, agents, data folder and environment, and say how to get what is missing")
  .addOption(json())
  .action(async (options) => (await import("./commands/doctor.ts")).doctor(options));

program
  .command("model")
  .description("Serve a scripted model (Anthropic Messages and OpenAI chat completions) for trials and tests")
  .requiredOption("--script <file>", "what it says: YAML or JSON, see packages/model/README.md")
  .option("--port <n>", "port to listen on", integer(0, 65535), 0)
  .addHelpText("after", "\nExample:\n  ralpher model --port 8080 --script my-script.yaml")
  .action(async (options) => (await import("./commands/model.ts")).model(options));

const outputs = program
  .command("outputs")
  .description("Look at what agents said and did, conversation by conversation");

const folder = () => new Option("--folder <path>", "where the captures lie (else outputs in the data folder)");

outputs
  .command("list")
  .description("List captured conversations, newest first")
  .option("-n, --lines <n>", "only so many", integer(1), 30)
  .option("--loop <loop>", "only those of this loop: id, the beginning of one, or a name")
  .addOption(folder())
  .addOption(json())
  .addHelpText("after", "\nExamples:\n  ralpher outputs list\n  ralpher outputs list --loop 3f2a --json")
  .action(async (options) => (await import("./commands/outputs.ts")).outputsList(options));

outputs
  .command("show")
  .description("Print a captured conversation")
  .argument("<conversation>", "its id, the beginning of one, LOOP/ID where two loops have it, or the path of its file")
  .option("--full", "tools with their whole input and output")
  .addOption(folder())
  .addOption(json())
  .addHelpText(
    "after",
    "\nExamples:\n  ralpher outputs show 9c1d\n  ralpher outputs show outputs/run.jsonl --full | less -R",
  )
  .action(async (id, options) => (await import("./commands/outputs.ts")).outputsShow(id, options));

const loop = program.command("loop").description("Make, watch and steer loops");

loop
  .command("run")
  .description("Make a loop, start it, and show what happens until it ends")
  .option("--dir <path>", "the folder to work on", ".")
  .option("--prompt <text>", "the goal")
  .option("--prompt-file <file>", "a file that holds the goal (- for standard input)")
  .option("--name <name>", "what to call it (else the first line of the goal)")
  .option("--max-iterations <n>", "end after so many iterations", integer(1))
  .option("--model <provider/model>", "model to use (else the agent's own default)")
  .addOption(agent())
  .option("--agent-command <command line>", "what starts the agent (with --agent acp; else opencode acp)")
  .option("--script <file>", "what the scripted agent does (with --agent scripted)")
  .option("--connect <host:port>", "use the agent server that listens there instead of starting one")
  .option("--stop-pattern <regex>", "RE2 pattern that ends the loop when the agent's last message matches")
  .option("--failure-threshold <n>", "end as failed after so many failed iterations in a row", integer(1))
  .option("--idle-timeout <seconds>", "an agent silent for so long is ended", number(1))
  .addOption(
    new Option("--uncommitted <what>", "what happens to uncommitted changes in the folder").choices(
      HandleUncommitted.options,
    ),
  )
  .option("--in-place", "work in the checkout itself instead of a worktree of its own")
  .option("--no-git", "no branch, no commits: just work in the folder")
  .addOption(json())
  .addHelpText(
    "after",
    `
Examples:
  ralpher loop run --prompt "Make the tests pass" --max-iterations 10
  ralpher loop run --dir ../app --prompt-file goal.md --model anthropic/claude-sonnet-4-5
  ralpher loop run --agent claude --prompt "Make the tests pass"
  ralpher loop run --agent acp --agent-command "gemini --acp" --prompt "Make the tests pass"

The work happens on a branch of its own; nothing of yours changes until "ralpher loop accept".
Ctrl+C pauses the loop; "ralpher loop resume" goes on. With --json every line is an event and the last one the loop.`,
  )
  .action(async (options) => (await import("./commands/loop-run.ts")).loopRun(options));

loop
  .command("list")
  .description("List loops, newest activity first")
  .option("--all", "accepted and discarded ones too")
  .addOption(json())
  .action(async (options) => (await import("./commands/loop-list.ts")).loopList(options));

const one = (verb: string, description: string) =>
  loop.command(verb).description(description).argument("<loop>", "id, the beginning of one, or a name");

one("show", "Show a loop: state, branch, iterations, what to do next")
  .addOption(json())
  .action(async (id, options) => (await import("./commands/loop-show.ts")).loopShow(id, options));

one("logs", "Show what happened in a loop")
  .option("-f, --follow", "go on showing what happens until the loop ends")
  .option("-n, --lines <n>", "only the newest entries", integer(1))
  .addOption(json())
  .action(async (id, options) => (await import("./commands/loop-logs.ts")).loopLogs(id, options));

one("diff", "Show the changes a loop made")
  .option("--stat", "only files and counts")
  .addOption(json())
  .action(async (id, options) => (await import("./commands/loop-diff.ts")).loopDiff(id, options));

one("start", "Start a loop that is idle, or one that ended once more")
  .option("--max-iterations <n>", "a new limit", integer(1))
  .option("--model <provider/model>", "another model")
  .addOption(
    new Option("--uncommitted <what>", "what happens to uncommitted changes in the folder").choices(
      HandleUncommitted.options,
    ),
  )
  .addOption(json())
  .action(async (id, options) => (await import("./commands/loop-run.ts")).loopStart(id, options));

one("resume", "Let a loop go on that was paused, interrupted, stopped, failed, or out of iterations")
  .option("--max-iterations <n>", "a new limit", integer(1))
  .option("--model <provider/model>", "another model")
  .addOption(
    new Option("--uncommitted <what>", "what happens to uncommitted changes in the folder").choices(
      HandleUncommitted.options,
    ),
  )
  .addOption(json())
  .action(async (id, options) => (await import("./commands/loop-run.ts")).loopResume(id, options));

one("pause", "Pause a loop when its iteration ends")
  .option("--now", "end the agent at once; the iteration is tried again on resume")
  .addOption(json())
  .action(async (id, options) => (await import("./commands/loop-steer.ts")).loopPause(id, options));

one("say", "Say something to a loop: its next turn begins with it")
  .argument("<words...>", "what to say")
  .option("--now", "end the turn under way, so that the agent begins again with it")
  .addOption(json())
  .addHelpText("after", '\nExample:\n  ralpher loop say 3f2a "Leave the database alone, use the cache" --now')
  .action(async (id, words, options) => (await import("./commands/loop-steer.ts")).loopSay(id, words, options));

one("stop", "Stop a loop: its agent is ended, its work is kept")
  .option("--reason <text>", "why, for the record")
  .addOption(json())
  .action(async (id, options) => (await import("./commands/loop-steer.ts")).loopStop(id, options));

one("accept", "Merge a loop's branch into the branch it began from")
  .option("--squash", "as one commit with all the changes, in place of a merge commit")
  .addOption(json())
  .addHelpText("after", "\nExamples:\n  ralpher loop accept 3f2a\n  ralpher loop accept 3f2a --squash")
  .action(async (id, options) => (await import("./commands/loop-steer.ts")).loopAccept(id, options));

one("discard", "Throw a loop's branch and worktree away")
  .option("-y, --yes", "do not ask")
  .addOption(json())
  .action(async (id, options) => (await import("./commands/loop-steer.ts")).loopDiscard(id, options));

one("restore", "Undo a discard: the branch is back, with what was in no commit yet")
  .addOption(json())
  .addHelpText("after", "\nExample:\n  ralpher loop restore 3f2a")
  .action(async (id, options) => (await import("./commands/loop-git.ts")).loopRestore(id, options));

one("update-branch", "Bring a loop's branch up to date with the branch it began from; the loop must rest")
  .option("--rebase", "put the loop's commits on top, instead of a merge commit")
  .addOption(json())
  .addHelpText(
    "after",
    "\nExamples:\n  ralpher loop update-branch 3f2a\n  ralpher loop update-branch 3f2a --rebase\n\nA conflict is named and nothing changes.",
  )
  .action(async (id, options) => (await import("./commands/loop-git.ts")).loopUpdateBranch(id, options));

one("target", "Choose the branch that a loop merges into; the loop must rest")
  .argument("<branch>", "a branch that is there")
  .addOption(json())
  .addHelpText(
    "after",
    "\nExample:\n  ralpher loop target 3f2a trunk      the branch it began from was renamed to trunk",
  )
  .action(async (id, branch, options) => (await import("./commands/loop-git.ts")).loopTarget(id, branch, options));

one("push", "Push a loop's branch to a remote, never by force")
  .option("--remote <name>", "which remote (else the one git is set to push to, else origin)")
  .addOption(json())
  .addHelpText("after", "\nExamples:\n  ralpher loop push 3f2a\n  ralpher loop push 3f2a --remote fork")
  .action(async (id, options) => (await import("./commands/loop-git.ts")).loopPush(id, options));

one("pr", "Push a loop's branch and make a pull request of it, or say where")
  .option("--title <text>", "its title (else the loop's name)")
  .option("--body <text>", "its text (else the goal and the commits)")
  .option("--draft", "as a draft")
  .option("--remote <name>", "which remote (else the one git is set to push to, else origin)")
  .addOption(json())
  .addHelpText(
    "after",
    '\nExamples:\n  ralpher loop pr 3f2a\n  ralpher loop pr 3f2a --title "Mend the parser" --draft\n\nGitHub\'s gh makes it where it is installed and logged in; else you get the page to make it on.',
  )
  .action(async (id, options) => (await import("./commands/loop-git.ts")).loopPr(id, options));

one("export", "Write a loop to a file, or to standard output")
  .option("--bundle", "with all its history and its agents' conversations, packed")
  .option("-o, --output <file>", "where to (else standard output)")
  .addOption(json())
  .addHelpText(
    "after",
    "\nExamples:\n  ralpher loop export 3f2a > loop.json\n  ralpher loop export 3f2a --bundle -o loop.ralpher.jsonl.gz\n\nPlain, it is JSON: {config, state}. Its branch is not in it: push that with git.",
  )
  .action(async (id, options) => (await import("./commands/loop-export.ts")).loopExport(id, options));

loop
  .command("import")
  .description("Take in a loop that was exported, here or elsewhere; it rests until you start it")
  .argument("<file>", "what was exported, plain or as a bundle (- for standard input)")
  .addOption(json())
  .addHelpText(
    "after",
    "\nExamples:\n  ralpher loop import loop.ralpher.jsonl.gz\n  ssh other ralpher loop export 3f2a --bundle | ralpher loop import -",
  )
  .action(async (file, options) => (await import("./commands/loop-import.ts")).loopImport(file, options));

one("delete", "Remove a loop and everything about it")
  .option("-y, --yes", "do not ask")
  .addOption(json())
  .action(async (id, options) => (await import("./commands/loop-steer.ts")).loopDelete(id, options));

addTaskCommands(program);

try {
  await program.parseAsync();
} catch (error) {
  exitWith(error);
}
