import { Fault, isFault, type Script } from "@ralpher/contract";
import type { Api } from "./api.ts";
import type { FaultTally } from "./fault-tally.ts";
import { describeRequest, type ModelRequest } from "./model-request.ts";
import { findPlace } from "./place.ts";
import type { Query } from "./query.ts";
import { chooseReply, chooseSideReply, unknownModel } from "./reply.ts";
import { answerResponse, refusalResponse } from "./respond.ts";
import { findSideCall } from "./side-call.ts";
import { wait } from "./wait.ts";

/** What the answers of one server share. */
export interface Stage {
  script: Script;
  tally: FaultTally;
  log: (request: ModelRequest) => void;
}

/** Answer one request to the model, in the words of the API it came through. Never throws for what a client sends. */
export async function answerModelCall(api: Api, request: Request, stage: Stage): Promise<Response> {
  const { script, tally, log } = stage;
  let query: Query;
  try {
    query = api.readQuery(await readJson(request), request.headers);
  } catch (error) {
    if (!isFault(error, "invalid_input")) throw error;
    return refusalResponse(api, { kind: "bad_request", status: 400, message: error.message });
  }

  const side = findSideCall(query);
  const place = findPlace(script, query.turns);
  log(describeRequest(api.name, query, place, side?.kind ?? null));
  if (query.model === unknownModel) {
    return refusalResponse(api, { kind: "unknown_model", status: 404, model: query.model });
  }

  const reply = side === null ? chooseReply(script, query, place, tally) : chooseSideReply(script, query, place, side);
  await wait(reply.delayMs, request.signal);
  return reply.kind === "answer"
    ? answerResponse(api, reply.answer, query, request.signal)
    : refusalResponse(api, reply.refusal);
}

async function readJson(request: Request): Promise<unknown> {
  try {
    return await request.json();
  } catch (cause) {
    const issues = [{ path: "(root)", message: "the body is not JSON" }];
    throw new Fault("invalid_input", { what: "request", issues }, { cause });
  }
}
