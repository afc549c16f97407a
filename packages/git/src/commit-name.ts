import { Fault } from "@ralpher/contract";

/** Hex digits only, so that it is no option, no branch and no path. @throws Fault `not_found` */
export function requireCommitName(commit: string): void {
  if (!/^[0-9a-f]{4,64}$/.test(commit)) throw unknownCommit(commit);
}

export function unknownCommit(commit: string): Fault {
  return new Fault("not_found", { what: `commit ${commit}` });
}
