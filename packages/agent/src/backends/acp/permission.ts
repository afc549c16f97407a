import type { ToolAccess } from "@ralpher/contract";
import { refusalOf } from "../../tools/judge.ts";
import type { PermissionRequest } from "./messages.ts";
import type { ToolCalls } from "./tool-calls.ts";
import { isComplete } from "./wanted-call.ts";

/** The answer to `session/request_permission`. */
export type Permission = { outcome: { outcome: "selected"; optionId: string } | { outcome: "cancelled" } };

// "Always" would be remembered for the user's own sessions; it is better than nothing where an agent knows only that.
const yes = ["allow_once", "allow_always"];
const no = ["reject_once", "reject_always"];

// Some agents ask before they have said what about: that follows at once.
const detailMs = 1000;

/**
 * Answer what an agent asks in place of a human: without rules all is granted, with rules only what they allow. What is
 * not said, such as which file is meant, is not granted.
 */
export async function decide(
  { toolCall, options }: PermissionRequest,
  access: ToolAccess | undefined,
  directory: string,
  tools: ToolCalls,
): Promise<Permission> {
  tools.begin();
  const isAllowed = access === undefined || (await isWithin(access));
  if (isAllowed) tools.grant(toolCall.toolCallId);
  return choose(options, isAllowed ? yes : no);

  async function isWithin(rules: ToolAccess): Promise<boolean> {
    if (!isComplete(tools.wanted(toolCall))) {
      await Promise.race([tools.more(toolCall.toolCallId), Bun.sleep(detailMs)]);
    }
    const wanted = tools.wanted(toolCall);
    return isComplete(wanted) && refusalOf(rules, directory, wanted) === null;
  }
}

function choose(options: PermissionRequest["options"], kinds: readonly string[]): Permission {
  for (const kind of kinds) {
    const option = options.find((one) => one.kind === kind);
    if (option !== undefined) return { outcome: { outcome: "selected", optionId: option.optionId } };
  }
  return { outcome: { outcome: "cancelled" } };
}
