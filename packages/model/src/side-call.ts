import type { Query } from "./query.ts";

/**
 * What agents ask a model for their own purposes. `title`, `summary`, `compaction`: of the session; `suggestion`: what
 * the person might type next; `probe`: is the model there.
 */
export type SideCall = "title" | "summary" | "compaction" | "suggestion" | "probe";

/** A side call, and a short answer that satisfies the agent. */
export interface SideCallAnswer {
  kind: SideCall;
  answer: string;
}

// Agents do not mark these requests, so they are known by the fixed words of their prompts (opencode 1.18, Claude
// Code as of the Agent SDK 0.3.330).
const signs: (SideCallAnswer & { holds: (query: Query) => boolean })[] = [
  {
    kind: "title",
    answer: JSON.stringify({ title: "Scripted session" }),
    holds: (query) => query.tools.length === 0 && query.outputFields.includes("title"),
  },
  { kind: "title", answer: "Scripted session", holds: systemBegins("You are a title generator") },
  {
    kind: "summary",
    answer: "The scripted session went on as its script says.",
    holds: systemBegins("You are a context summarization agent"),
  },
  {
    kind: "compaction",
    answer: "<summary>The scripted session went on as its script says.</summary>",
    holds: promptBegins("CRITICAL: Respond with TEXT ONLY"),
  },
  { kind: "suggestion", answer: "go on", holds: promptBegins("[SUGGESTION MODE:") },
  { kind: "probe", answer: "Yes", holds: (query) => query.maxTokens === 1 },
];

function systemBegins(words: string): (query: Query) => boolean {
  return (query) => query.system.some((text) => text.trimStart().startsWith(words));
}

// Reminders may stand in the same message, so any of its texts can be the one.
function promptBegins(words: string): (query: Query) => boolean {
  return (query) => query.lastUserTexts.some((text) => text.trimStart().startsWith(words));
}

/** The side call a request is; null for a request of the conversation itself. */
export function findSideCall(query: Query): SideCallAnswer | null {
  return signs.find((sign) => sign.holds(query)) ?? null;
}
