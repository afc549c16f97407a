import type { Gap } from "@ralpher/contract";
import { bySeverity } from "./stuck-model.ts";
import { Ticked } from "./ticked.tsx";

const looks: Record<Gap["severity"], string> = {
  critical: "font-semibold text-bad",
  major: "text-need",
  minor: "text-soft",
};

/** What is missing, the worst first. */
export function Gaps({ gaps }: { gaps: readonly Gap[] }) {
  return (
    <ul aria-label="Gaps" className="flex flex-col gap-1">
      {bySeverity(gaps).map(({ description, severity, criterion }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: never changed
        <li key={index} title={criterion} className="grid grid-cols-[4rem_minmax(0,1fr)] items-baseline gap-x-2">
          <span className={`text-small ${looks[severity]}`}>{severity}</span>
          <span>
            <Ticked text={description} />
          </span>
        </li>
      ))}
    </ul>
  );
}
