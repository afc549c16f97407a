import type { SessionRequest } from "@ralpher/contract";

/** What a session may do, as its metadata in opencode say under `ralpher`, for the plugin in the server. */
export type SessionLimits = Pick<SessionRequest, "tools" | "attempts">;
