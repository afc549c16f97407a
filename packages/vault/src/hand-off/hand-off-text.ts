import { type HandOff, toSecond } from "@ralpher/contract";
import { frontMatterText } from "../control/front-matter-text.ts";
import { printable } from "../printable.ts";
import { choicesMark, choiceText, markOf } from "./choices.ts";
import { fenced, inOneLine } from "./fenced.ts";

/** The file a human is asked by. Whatever an agent or a program said stands in fences, so that it is only words. */
export function handOffText(handOff: HandOff): string {
  const {
    kind,
    iteration,
    loopId,
    taskPath,
    title,
    happened,
    step,
    errors,
    output = "",
    tried,
    choices,
    commands,
    frontMatter,
    now,
  } = handOff;
  const front = frontMatterText({
    type: kind,
    loop_id: loopId,
    iteration,
    task: taskPath,
    created: toSecond(now),
    status: "open",
    stop_hook: frontMatter,
  });
  const sections = [
    `# ${asWords(inOneLine(title))}`,
    `## What happened\n\n${asWords(happened)}`,
    ...(step === null ? [] : [`## The step\n\n${asWords(step)}`]),
    ...(errors.length === 0 ? [] : [`## Last errors\n\n${errors.map(fenced).join("\n\n")}`]),
    ...(output.trim() === "" ? [] : [`## What the check printed\n\n${fenced(output)}`]),
    ...(tried.length === 0 ? [] : [`## What was tried\n\n${fenced(tried.join("\n"))}`]),
    ...(choices.length === 0 ? [] : [choiceSection(kind, choices)]),
    ...(commands.length === 0 ? [] : [commandSection(commands, choices.length > 0)]),
  ];
  return `${front}\n${sections.join("\n\n")}\n`;
}

function choiceSection(kind: HandOff["kind"], choices: HandOff["choices"]): string {
  const lines = choices.map((choice) => `- [ ] ${choiceText(kind, choice)} ${markOf(choice)}`);
  return `## What next?\n\nTick one box and save this file.\n\n${choicesMark}\n\n${lines.join("\n")}`;
}

function commandSection(commands: string[], isOther: boolean): string {
  return `## ${isOther ? "Or by hand" : "How to go on"}\n\n${fenced(commands.join("\n"))}`;
}

/** Paragraphs in which nothing is a box, a heading, a comment or front matter. */
function asWords(text: string): string {
  return printable(text)
    .trim()
    .split("\n")
    .map((line) =>
      line
        .trim()
        .replace(/^[-*+#>=~`|]/, "\\$&")
        .replace(/^(\d+)([.)])(?=\s|$)/, "$1\\$2"),
    )
    .map((line) => line.replaceAll("<!--", "&lt;!--"))
    .join("\n");
}
