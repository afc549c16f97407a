import type { FaultData, VaultProblem } from "@ralpher/contract";

/** What is wrong with a vault's config, place by place; at most ten. `note` is said with each. */
export function configProblems({ path, issues }: FaultData["config_invalid"], note = ""): VaultProblem[] {
  return issues.slice(0, 10).map(({ line, column, path: key, message }) => ({
    path,
    ...(line === undefined ? {} : { line }),
    ...(column === undefined ? {} : { column }),
    message: `${key === "" ? "" : `${key}: `}${message}${note}`,
  }));
}
