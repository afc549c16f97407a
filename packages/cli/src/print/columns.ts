/** Rows of cells as lines, each column as wide as its widest cell. */
export function columns(rows: string[][]): string[] {
  const width = (cell = "") => Bun.stringWidth(cell);
  const widest = rows[0]?.map((_, column) => Math.max(...rows.map((row) => width(row[column])))) ?? [];
  return rows.map((row) =>
    row
      .map((cell, column) => cell + " ".repeat((widest[column] ?? 0) - width(cell)))
      .join("  ")
      .trimEnd(),
  );
}
