import type { Agent, PermissionRuleset } from "@opencode-ai/sdk/v2/client";
import type { ToolAccess } from "@ralpher/contract";
import { kindOfPermission, permissionOf } from "./tool-kinds.ts";

export type Rule = PermissionRuleset[number];

/** The tool through which a model gives a structured answer. */
export const structuredTool = "StructuredOutput";

const rule = (permission: string, action: Rule["action"]): Rule => ({ permission, pattern: "*", action });

/**
 * The rules of a session that come after the user's own; the last one that matches counts. Nobody is there to answer
 * questions. Where no rule lets the model answer in a form, opencode asks it for that for ever.
 */
export const openRules = [rule("question", "deny"), rule(structuredTool, "allow")];

/** All is denied but what is allowed; that is asked about, so that each call is judged. */
export function closedRules(access: ToolAccess, own: Agent["permission"]): Rule[] {
  return [rule("*", "deny"), ...askedRules(access, own), ...openRules];
}

/**
 * A subagent is given the denials of the session that calls it, and nothing else of its rules. A denial of everything
 * would leave it without tools, so here each tool that is not allowed is denied by its name; where commands are allowed
 * but not the shell, subagents do without either.
 */
export function inheritedRules(access: ToolAccess, own: Agent["permission"], others: readonly string[]): Rule[] {
  const isAllowed = (name: string) => {
    const kind = kindOfPermission[permissionOf(name)];
    return kind !== undefined && access.kinds.includes(kind);
  };
  const names = new Set([...Object.keys(kindOfPermission), "todowrite", "skill", ...others.map(permissionOf)]);
  // What opencode puts in the place of a tool that is not there.
  names.delete("invalid");
  const denied = [...names].filter((name) => !isAllowed(name)).map((name) => rule(name, "deny"));
  const outside = rule("external_directory", "deny");
  return [rule("*", "ask"), ...denied, outside, ...askedRules(access, own), ...openRules];
}

/** What is allowed, as far as the user's own rules do not deny it. */
function askedRules(access: ToolAccess, own: Agent["permission"]): Rule[] {
  const allowed = Object.entries(kindOfPermission).flatMap(([permission, kind]) =>
    access.kinds.includes(kind) || (kind === "run" && access.commands.length > 0) ? [permission] : [],
  );
  return allowed.flatMap((permission) => [
    rule(permission, "ask"),
    ...own
      .filter((one) => isMatch(permission, one.permission))
      .map(({ pattern, action }): Rule => ({ permission, pattern, action: action === "deny" ? "deny" : "ask" })),
  ]);
}

/** Does opencode's pattern, in which `*` is any text and `?` any character, match the name? */
function isMatch(name: string, pattern: string): boolean {
  const source = pattern
    .replace(/[.+^${}()|[\]\\]/g, "\\$&")
    .replaceAll("*", ".*")
    .replaceAll("?", ".");
  return new RegExp(`^${source}$`, "s").test(name);
}
