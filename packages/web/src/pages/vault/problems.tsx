import type { VaultProblem } from "@ralpher/contract";
import TriangleAlert from "lucide-react/icons/triangle-alert";

/** What in a vault could not be read, and where. */
export function Problems({ problems }: { problems: readonly VaultProblem[] }) {
  if (problems.length === 0) return null;
  return (
    <ul aria-label="What could not be read" className="flex flex-col gap-1 [overflow-wrap:anywhere]">
      {problems.map(({ path, line, column, message }) => (
        <li key={`${path} ${line} ${column} ${message}`} className="flex items-start gap-2">
          <TriangleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-need" />
          <span className="min-w-0">
            <span className="figure text-soft">
              {path}
              {line === undefined ? "" : `, line ${line}`}
              {column === undefined ? "" : `, column ${column}`}
            </span>{" "}
            {message}
          </span>
        </li>
      ))}
    </ul>
  );
}
