import { basename } from "node:path";

/** How Trace writes a name for use in ids: lower case, digits, single hyphens. */
export function sanitizeName(name: string): string {
  return name
    .toLowerCase()
    .replace(/[\s_]+/g, "-")
    .replace(/[^a-z0-9-]+/g, "-")
    .replace(/-+/g, "-")
    .replace(/^-|-$/g, "");
}

/** The name that a project's id says: the last part of a remote or of a path. */
export function nameOfProjectId(id: string): string {
  return sanitizeName(basename(id));
}

const suffix = /^[\p{L}\p{N}]{6}$/u;

/** Is this the id of an item of one of these projects: its name, a hyphen, six letters or digits? */
export function isIdOf(id: string, names: Iterable<string>): boolean {
  for (const name of names) {
    if (name !== "" && id.startsWith(`${name}-`) && suffix.test(id.slice(name.length + 1))) return true;
  }
  return false;
}

/** The project's name in an item's id; null when it has not the form of one. */
export function nameInId(id: string): string | null {
  const at = id.lastIndexOf("-");
  return at > 0 && suffix.test(id.slice(at + 1)) ? id.slice(0, at) : null;
}

/** What the first URL in a git configuration says: Trace looks for no more than that. */
export function readRemote(config: string): { id: string | null; name: string | null } {
  const found = /url\s*=\s*(.+)/.exec(config)?.[1]?.trim();
  if (found === undefined) return { id: null, name: null };
  const url = found.replace(/\/+$/, "").replace(/\.git$/, "");
  const id = /^https?:\/\//.test(url)
    ? url.replaceAll(/https?:\/\//g, "")
    : url.startsWith("git@")
      ? url.replaceAll("git@", "").replace(":", "/")
      : null;
  const path = url.includes("://") ? url : url.includes(":") ? url.slice(url.lastIndexOf(":") + 1) : null;
  return { id: id === "" ? null : id, name: path?.slice(path.lastIndexOf("/") + 1) || null };
}
