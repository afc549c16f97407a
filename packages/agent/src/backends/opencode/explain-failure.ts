import type { TurnFailure } from "@ralpher/contract";
import { within } from "../../within.ts";
import { failureOfError, type OpencodeError } from "./failure.ts";
import { lacksModel } from "./model-check.ts";
import type { Conversation } from "./session.ts";

const readTimeoutMs = 5000;

/** What an error that ended a turn means, asking opencode where the error itself does not say enough. */
export async function explainFailure(
  error: OpencodeError,
  { server, request }: Pick<Conversation, "server" | "request">,
): Promise<TurnFailure> {
  const failure = failureOfError(error);
  const { model, directory } = request;
  if (error.name !== "UnknownError" || server === null || model === undefined) return failure;
  const lacking = await within(lacksModel(server.client, directory, model), readTimeoutMs);
  return lacking === true ? { ...failure, reason: "model" } : failure;
}
