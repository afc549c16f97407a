/** What other programs get as `ralpher/agent`; docs/agents.md shows how to use it. */
export {
  type AgentBackend,
  type AgentEvent,
  type FailedAttempt,
  Fault,
  isFault,
  type ModelRef,
  type SessionRef,
  type ToolAccess,
  type ToolCall,
  type TurnFailure,
  type Usage,
} from "@ralpher/contract";
export * from "./index.ts";
