import type { AnyMessage } from "@agentclientprotocol/sdk";

/** What the agent says of itself, without being asked. */
export interface WireListener {
  notification(method: string, params: unknown): void;
  /** A line that is no message. */
  nonsense(line: string): void;
}

/** The requests and answers of a connection, for the SDK. */
export interface Wire {
  readable: ReadableStream<AnyMessage>;
  writable: WritableStream<AnyMessage>;
}

// A message longer than this is not meant for us; tool outputs of some megabytes are.
const longestLine = 64 * 2 ** 20;

/**
 * An agent's standard input and output as messages, a line each. Notifications go to the listener at once and not
 * through the SDK: there they could be overtaken by the answer to a prompt, a kind it does not know would be lost, and
 * either would be written to our standard error.
 */
export function createWire(
  { stdin, stdout }: { stdin: Bun.FileSink; stdout: ReadableStream<Uint8Array> },
  listener: WireListener,
): Wire {
  return {
    readable: new ReadableStream({
      async start(controller) {
        try {
          await readLines(stdout, (line) => {
            const message = parseMessage(line);
            if (message === null) listener.nonsense(line);
            else if ("method" in message && !("id" in message)) listener.notification(message.method, message.params);
            // An answer to nothing that we asked.
            else if ("method" in message || typeof message.id === "number") controller.enqueue(message);
          });
          controller.close();
        } catch (error) {
          controller.error(error);
        }
      },
    }),
    writable: new WritableStream({
      async write(message) {
        stdin.write(`${JSON.stringify(message)}\n`);
        await stdin.flush();
      },
    }),
  };
}

/** Read a stream to its end. `onLine` is called with each line that is not empty, as it comes. */
async function readLines(stream: ReadableStream<Uint8Array>, onLine: (line: string) => void): Promise<void> {
  const decoder = new TextDecoder();
  const split = splitLines(onLine);
  for await (const chunk of stream) split(decoder.decode(chunk, { stream: true }));
  split("\n");
}

/** Takes a text piece by piece. `onLine` is called with each line that is not empty, once it has ended. */
export function splitLines(onLine: (line: string) => void): (text: string) => void {
  let begun: string[] = [];
  let length = 0;
  return (text) => {
    const [first = "", ...more] = text.split("\n");
    begun.push(first);
    length += first.length;
    if (length > longestLine) throw new Error("the agent sent a line that does not end");
    const last = more.pop();
    if (last === undefined) return;
    for (const line of [begun.join(""), ...more]) if (line.trim() !== "") onLine(line);
    begun = [last];
    length = last.length;
  };
}

function parseMessage(line: string): AnyMessage | null {
  try {
    const message = JSON.parse(line);
    return typeof message === "object" && message?.jsonrpc === "2.0" ? message : null;
  } catch {
    return null;
  }
}
