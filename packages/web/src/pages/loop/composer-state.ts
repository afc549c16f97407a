import type { LoopView } from "@ralpher/contract";
import { openIteration } from "@ralpher/contract";

import { hasIterationsLeft } from "./offered-actions.ts";

/** What saying something to the loop would do now. */
export interface ComposerState {
  placeholder: string;
  /** What the ordinary way of sending does. */
  send: string;
  /** The other way to send: `now` ends the turn under way, `go-on` starts or resumes the loop. */
  other: { how: "now" | "go-on"; label: string; title: string } | null;
  /** What happens with it, in a sentence. */
  hint: string;
}

/** How to speak to a loop as it stands; null when nobody listens any more. */
export function composerOf(view: LoopView): ComposerState | null {
  const { phase } = view;
  // A task that is done is filed: nobody goes on with it.
  if (view.task !== null && phase.status === "completed") return null;
  const placeholder = "Say something to the loop";
  if (phase.status === "stuck" && view.soda !== null && hasIterationsLeft(view)) {
    return { placeholder, send: "Answer", other: null, hint: "The loop goes on with it." };
  }
  switch (phase.status) {
    case "accepted":
    case "discarded":
      return null;
    case "starting":
    case "waiting":
      return { placeholder, send: "Send", other: null, hint: "The next iteration begins with it." };
    case "running": {
      const working = openIteration(view)?.turn.state === "running";
      return {
        placeholder,
        send: "For the next iteration",
        other: working
          ? { how: "now", label: "Now", title: "Ends what the agent is doing; it begins again with your words" }
          : null,
        hint: working
          ? "The next iteration begins with it; “Now” ends what the agent is doing and begins again."
          : "The next iteration begins with it.",
      };
    }
    case "paused":
      return {
        placeholder,
        send: "Send",
        other: { how: "go-on", label: "Send and resume", title: "The loop goes on at once" },
        hint: "It is read when the loop goes on.",
      };
    default:
      return {
        placeholder,
        send: "Send",
        other: { how: "go-on", label: "Send and start", title: "The loop starts at once" },
        hint: "It is read at the next start.",
      };
  }
}
