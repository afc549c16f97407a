/** One message of a server-sent event stream. */
export interface SseMessage {
  /** The `id:` field as a journal position; null for ephemeral events, which have none. */
  seq: number | null;
  data: string;
}

/**
 * Cut a server-sent event stream into messages. Give it the text as it comes, in any pieces; it returns the messages
 * that are whole by now. Comments (the heartbeat) and empty messages give nothing.
 */
export function createSseParser(): (chunk: string) => SseMessage[] {
  let rest = "";
  let seq: number | null = null;
  let data: string[] = [];

  const line = (text: string): SseMessage | null => {
    if (text === "") {
      const message = data.length === 0 ? null : { seq, data: data.join("\n") };
      seq = null;
      data = [];
      return message;
    }
    const colon = text.indexOf(":");
    if (colon === 0) return null;
    const field = colon < 0 ? text : text.slice(0, colon);
    const value = colon < 0 ? "" : text.slice(text[colon + 1] === " " ? colon + 2 : colon + 1);
    if (field === "data") data.push(value);
    if (field === "id") seq = /^\d+$/.test(value) ? Number(value) : null;
    return null;
  };

  return (chunk) => {
    rest += chunk;
    const messages: SseMessage[] = [];
    let from = 0;
    for (;;) {
      const end = rest.indexOf("\n", from);
      if (end < 0) break;
      const message = line(rest.slice(from, rest[end - 1] === "\r" ? end - 1 : end));
      if (message !== null) messages.push(message);
      from = end + 1;
    }
    rest = rest.slice(from);
    return messages;
  };
}
