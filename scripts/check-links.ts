// Relative links and images in Markdown lead somewhere, anchors included.
import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";

const root = join(import.meta.dir, "..");
const listed = Bun.spawnSync(["git", "ls-files", "--cached", "--others", "--exclude-standard", "*.md"], { cwd: root });
const complaints: string[] = [];

for (const name of listed.stdout.toString().split("\n").filter(Boolean)) {
  const path = join(root, name);
  if (!existsSync(path)) continue;
  const text = readFileSync(path, "utf8")
    .replace(/```[\s\S]*?```/g, "")
    .replace(/`[^`\n]*`/g, "");
  const links = [...text.matchAll(/\]\(([^)\s]+)[^)]*\)/g), ...text.matchAll(/(?:src|href|srcset)="([^"]+)"/g)];
  for (const [, link = ""] of links) {
    if (/^[a-z]+:/.test(link)) continue;
    const [file = "", anchor] = link.split("#");
    const target = file === "" ? path : join(dirname(path), decodeURI(file));
    if (!existsSync(target)) complaints.push(`${name}: ${link} leads nowhere`);
    else if (
      anchor !== undefined &&
      target.endsWith(".md") &&
      statSync(target).isFile() &&
      !anchors(target).has(anchor)
    ) {
      complaints.push(`${name}: ${relative(root, target)} has no heading #${anchor}`);
    }
  }
}
for (const complaint of complaints) console.log(complaint);
process.exit(complaints.length === 0 ? 0 : 1);

/** The anchors that headings make, as the usual renderers name them. */
function anchors(path: string): Set<string> {
  const headings = readFileSync(path, "utf8").matchAll(/^#{1,6}\s+(.+)$/gm);
  return new Set(
    [...headings].map(([, heading = ""]) =>
      heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, "")
        .trim()
        .replace(/\s/g, "-"),
    ),
  );
}
