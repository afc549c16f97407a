/** A name for a file that every file system takes, and that leads nowhere else. `otherwise` when nothing is left of it. */
export function safeName(name: string, otherwise: string): string {
  const safe = name
    .normalize("NFC")
    .replace(/[^\p{L}\p{N}._-]+/gu, "-")
    .replace(/^[.-]+|[.-]+$/g, "")
    .slice(0, 80);
  return safe === "" ? otherwise : safe;
}
