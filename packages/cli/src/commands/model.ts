import { openModel, readScript } from "../compose.ts";
import { dim } from "../print/style.ts";
import { print } from "../session.ts";

/** `ralpher model` */
export async function model(options: { script: string; port: number }): Promise<void> {
  const script = await readScript(options.script);
  await using server = await openModel(script, options.port);
  print(`The scripted model is at ${server.url}`);
  print(dim(`Anthropic Messages: ${server.url}/v1/messages   OpenAI chat: ${server.url}/v1/chat/completions`));
  print(dim("Ctrl+C ends it."));
  const { promise, resolve } = Promise.withResolvers<void>();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => resolve());
  await promise;
}
