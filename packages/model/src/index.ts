/**
 * model: a stand-in for the language model, and for nothing else.
 *
 * Owns: the scripted model server, an HTTP server that speaks Anthropic's Messages API and OpenAI's chat completions
 * and plays a script to the real agents; reading scripts from files.
 * Does not own: the script's schema (contract), the agents that talk to it (agent), or what they do with its tool calls.
 */

export type { ModelRequest } from "./model-request.ts";
export { type ModelServer, type ModelServerOptions, openModelServer } from "./model-server.ts";
export { readScript } from "./read-script.ts";
export type { SideCall } from "./side-call.ts";
