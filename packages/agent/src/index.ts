/**
 * agent: the agent runtimes that loops drive, and the patterns in which programs ask agents for work.
 *
 * Owns: the backends (opencode, Claude Code, anything that speaks ACP, and an in-process one that plays scripts), sessions
 * and turns with them, what their errors mean, that no process of theirs outlives its turn, its session or this program;
 * narrow, walk and bookend with their attempts, budgets and checked answers; what is captured of a conversation; and
 * running other programs with the same promise.
 * Does not own: when a loop's turn is run, tried again or recorded (loop), the scripted model server (model), or the words
 * of the port (contract).
 */
export { createAcpBackend } from "./backends/acp/backend.ts";
export type { AcpOptions } from "./backends/acp/session.ts";
export { type ClaudeOptions, createClaudeBackend } from "./backends/claude/backend.ts";
export { type OfflineClaudeOptions, offlineClaudeEnvironment } from "./backends/claude/offline-environment.ts";
export { createOpencodeBackend, type OpencodeOptions } from "./backends/opencode/backend.ts";
export { type OfflineOptions, offlineOpencodeEnvironment } from "./backends/opencode/offline-environment.ts";
export { createScriptedBackend, type ScriptedOptions } from "./backends/scripted/backend.ts";
export type { Play, ScriptedTurn } from "./backends/scripted/play.ts";
export { captureBackend } from "./capture/captured-backend.ts";
export { createCaptures } from "./capture/captures.ts";
export { listCaptures, readCapture } from "./capture/read-captures.ts";
export { type ConversationsOptions, createConversations } from "./conversations.ts";
export { type Bookended, bookend } from "./patterns/bookend.ts";
export type { Budget } from "./patterns/budget.ts";
export type { Conversation } from "./patterns/conversation.ts";
export type { Answer, AnswerTo, Invocation, Invoked, Prompt } from "./patterns/invocation.ts";
export { narrow } from "./patterns/narrow.ts";
export { type Answers, startWalk, walk } from "./patterns/walk.ts";
export { type Guarded, type GuardedOptions, startGuarded } from "./process/guard.ts";
export { endLeftovers } from "./process/leftovers.ts";
export { createRunProgram, runProgram } from "./process/run-program.ts";
export { full, readOnly } from "./tools/access.ts";
