export const deltas = 20_000;
/** So many come at once from the agent, as they do in one packet. */
export const deltasAtATime = 10;
export const clients = 50;

/** A delta of 20 characters; each is different, so that none can be missing unnoticed. */
export function delta(n: number): string {
  return `${n} `.padEnd(20, "abcdefghij klmnopqrst");
}
