/** One figure of a benchmark. */
export interface Figure {
  name: string;
  value: number;
  unit: "ms" | "s" | "MB" | "kB" | "processes" | "loops" | "clients" | "%" | "ratio";
  /** The same work with nothing of ours, measured in the same run. */
  floor?: number;
  /** What it must not exceed; `of`: the value itself, or its ratio to the floor. */
  bar?: { most: number; of: "value" | "ratio" };
}

export interface Report {
  name: string;
  figures: Figure[];
}

export const ratioOf = ({ value, floor }: Figure): number | null => (floor === undefined ? null : value / floor);

export function holds(figure: Figure): boolean {
  if (figure.bar === undefined) return true;
  const measured = figure.bar.of === "value" ? figure.value : (ratioOf(figure) ?? Number.NaN);
  return measured <= figure.bar.most;
}

/** The report as a table for people. */
export function table({ name, figures }: Report): string {
  const rows = figures.map((figure) => {
    const ratio = ratioOf(figure);
    const { bar } = figure;
    return [
      figure.name,
      show(figure.value, figure.unit),
      figure.floor === undefined ? "" : show(figure.floor, figure.unit),
      ratio === null ? "" : `${ratio.toFixed(2)} ×`,
      bar === undefined ? "" : `≤ ${bar.of === "ratio" ? `${bar.most} ×` : show(bar.most, figure.unit)}`,
      bar === undefined ? "" : holds(figure) ? "✓ holds" : "✗ does not hold",
    ];
  });
  const head = [name, "measured", "floor", "ratio", "bar", ""];
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => (row[column] ?? "").length)));
  return [head, ...rows]
    .map((row) =>
      row
        .map((cell, i) => cell.padEnd(widths[i] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

/** The report as one object: every figure with floor, ratio and bar, and whether all bars hold. */
export function toJson({ name, figures }: Report) {
  return {
    name,
    figures: figures.map((figure) => ({ ...figure, ratio: ratioOf(figure), holds: holds(figure) })),
    holds: figures.every(holds),
  };
}

function show(value: number, unit: Figure["unit"]): string {
  const digits = value >= 100 || Number.isInteger(value) ? 0 : value >= 10 ? 1 : 2;
  return unit === "ratio" ? `${value.toFixed(2)} ×` : `${value.toFixed(digits)} ${unit}`;
}

export function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}
