import type { ToolKind } from "@ralpher/contract";

/** opencode's permissions, and what they are about. A tool's permission has the tool's name, but for those that edit. */
export const kindOfPermission: Readonly<Record<string, ToolKind>> = {
  read: "read",
  glob: "search",
  grep: "search",
  list: "search",
  lsp: "search",
  edit: "edit",
  bash: "run",
  webfetch: "web",
  websearch: "web",
  codesearch: "web",
  task: "delegate",
};

/** The permission that a tool asks for. */
export function permissionOf(tool: string): string {
  return ["edit", "write", "apply_patch", "multiedit"].includes(tool) ? "edit" : tool;
}
