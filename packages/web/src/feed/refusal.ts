/**
 * The server's "no", or its silence. `message` is a sentence for people, with what to do; `data` is what the fault
 * carried. `code` is the fault's code, or `unreachable` when no answer came.
 */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly code: string;
  /** HTTP status; 0 when no answer came. */
  readonly status: number;
  readonly data: Record<string, unknown>;

  constructor(code: string, status: number, message: string, data: Record<string, unknown> = {}) {
    super(message);
    this.code = code;
    this.status = status;
    this.data = data;
  }
}

const unreachable = 'The server does not answer. Start it again with "ralpher serve"; this page goes on by itself.';

/** The refusal for a request that got no answer at all. */
export function unreachableRefusal(): Refusal {
  return new Refusal("unreachable", 0, unreachable);
}

/** Read a refusal out of an answer's body; tolerant, because a proxy in between may answer with anything. */
export function parseRefusal(status: number, body: string): Refusal {
  try {
    const parsed: unknown = JSON.parse(body);
    if (typeof parsed === "object" && parsed !== null) {
      const { error, message, ...data } = parsed as Record<string, unknown>;
      if (typeof error === "string" && typeof message === "string") return new Refusal(error, status, message, data);
    }
  } catch {
    // Not JSON: the sentence below is all there is to say.
  }
  return new Refusal("unknown", status, `The server answered with status ${status}. Look at its log for the reason.`);
}

/** What to tell a person about anything that was thrown. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
