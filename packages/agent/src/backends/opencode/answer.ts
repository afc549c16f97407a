import { Unusable } from "../../unusable.ts";
import { failureOfAnswer } from "./failure.ts";

type Asked<T> = Promise<({ data: T; error: undefined } | { data: undefined; error: unknown }) & { response: Response }>;

/**
 * What opencode's server answered to a request. `what` completes "to …" for people.
 * @throws Unusable
 */
export async function answer<T>(asked: Asked<T>, what: string): Promise<T> {
  const { data, error, response } = await asked;
  if (data === undefined) throw new Unusable(failureOfAnswer(response, error, what));
  return data;
}
