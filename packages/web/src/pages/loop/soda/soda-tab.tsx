import { isUnderWay, type LoopView, type SodaReport } from "@ralpher/contract";
import { type ReactNode, useMemo, useRef } from "react";
import { useLocation, useSearch } from "wouter";
import { useKeys } from "../../../keys/use-keys.ts";
import { Ago } from "../../../parts/ago.tsx";
import { Bone, Delayed } from "../../../parts/delayed.tsx";
import { FilePath } from "../../../parts/file-path.tsx";
import { Part } from "../../../parts/part.tsx";
import { Problem } from "../../../parts/problem.tsx";
import { Markdown } from "../markdown/markdown.tsx";
import { hrefOf } from "../tabs.ts";
import { useAnswerInAddress } from "../use-answer-in-address.ts";
import { CriteriaCount, CriteriaMatrix } from "./criteria-matrix.tsx";
import { Gaps } from "./gaps.tsx";
import { IterationPicker } from "./iteration-picker.tsx";
import { matrixOf } from "./matrix-model.ts";
import { Phases } from "./phases.tsx";
import { StuckCard } from "./stuck-card.tsx";
import { stuckOf } from "./stuck-model.ts";
import { useChangedFiles } from "./use-changed-files.ts";
import { useReport } from "./use-report.ts";

/** A SODA loop: what it needs, how far its criteria are, and what each iteration found and did. */
export function SodaTab({ view, active }: { view: LoopView; active: boolean }) {
  const { report, refusal, hasOlder, loadOlder, retry } = useReport(view, active);
  const frame = (content: ReactNode) => (
    <section
      aria-label="SODA"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
      className="@container absolute inset-0 overflow-y-auto -outline-offset-2"
    >
      {content}
    </section>
  );
  if (report === null) {
    if (refusal !== null) return frame(<Problem title="This did not load" refusal={refusal} onRetry={retry} />);
    return frame(<Loading />);
  }
  return frame(<Shown view={view} active={active} report={report} older={{ hasOlder, loadOlder }} />);
}

function Shown({
  view,
  active,
  report,
  older: { hasOlder, loadOlder },
}: {
  view: LoopView;
  active: boolean;
  report: SodaReport;
  older: { hasOlder: boolean; loadOlder: () => Promise<void> };
}) {
  const { id } = view;
  const { iterations, summary, memory, woken } = report;
  const [, navigate] = useLocation();
  const wanted = useWantedIteration(active);
  const newest = iterations.at(-1);
  const chosen = iterations.find(({ iteration }) => iteration === wanted) ?? newest;
  const choose = (iteration: number) =>
    navigate(hrefOf(id, "soda", iteration === newest?.iteration ? {} : { iteration }), { replace: true });
  const step = (by: 1 | -1) => () => {
    const next = chosen === undefined ? undefined : iterations[iterations.indexOf(chosen) + by];
    if (next !== undefined) choose(next.iteration);
  };
  useKeys(active ? { j: step(1), k: step(-1) } : {});
  useAnswerInAddress(active);

  const matrix = useMemo(() => matrixOf(iterations), [iterations]);
  const changed = useChangedFiles(view, active);
  const stuck = useMemo(() => stuckOf(view, iterations), [view, iterations]);
  const judged = iterations.findLast(({ orientation }) => orientation !== null)?.orientation;
  const gaps = chosen?.orientation?.gaps ?? [];
  const ended = !isUnderWay(view) && view.phase.status !== "paused";
  const live = (iteration: number) => isUnderWay(view) && iteration === view.iteration;

  return (
    <div className="flex max-w-[120rem] flex-col gap-6 px-4 py-5 lg:px-6">
      {stuck !== null && <StuckCard view={view} stuck={stuck} />}
      {summary !== null && ended && stuck === null && (
        <Part title="Summary" aside={<Ago at={summary.at} />}>
          <Markdown text={summary.text} look={{ breaks: false, headingLevel: 3 }} />
          <FilePath path={summary.path} what="the summary's path" />
        </Part>
      )}
      {chosen === undefined ? (
        <p className="text-soft">
          {isUnderWay(view)
            ? "The first iteration begins by itself: it reads what there is before anything is judged."
            : "It has not begun yet. Start it: it reads what there is, judges each criterion, and plans."}
        </p>
      ) : (
        <div className="grid gap-x-10 gap-y-7 @4xl:grid-cols-[minmax(0,5fr)_minmax(0,6fr)]">
          <div className="flex min-w-0 flex-col gap-7">
            {matrix.rows.length > 0 && (
              <Part
                title="Acceptance criteria"
                aside={judged === undefined || judged === null ? null : <CriteriaCount criteria={judged.criteria} />}
              >
                <CriteriaMatrix id={id} matrix={matrix} chosen={chosen.iteration} changed={changed} onChoose={choose} />
              </Part>
            )}
            {gaps.length > 0 && stuck === null && (
              <Part title="Gaps" aside={`as of iteration ${chosen.iteration}`}>
                <Gaps gaps={gaps} />
              </Part>
            )}
          </div>
          <div className="flex min-w-0 flex-col gap-4">
            <IterationPicker
              iterations={iterations}
              chosen={chosen}
              live={live(chosen.iteration)}
              hasOlder={hasOlder}
              onChoose={choose}
              onOlder={() => void loadOlder()}
            />
            <Phases view={view} iteration={chosen} live={live(chosen.iteration)} />
          </div>
        </div>
      )}
      <div className="grid gap-x-10 gap-y-7 @4xl:grid-cols-[minmax(0,5fr)_minmax(0,6fr)]">
        {memory.trim() !== "" && (
          <Part title="Learnings" aside="memory.md, told to every iteration">
            <Markdown text={memory} look={{ breaks: false, headingLevel: 3 }} />
            {report.project !== null && <FilePath path={`${report.project.home}/memory.md`} what="its path" />}
          </Part>
        )}
        {woken.length > 0 && (
          <Part title="Went on by itself">
            <ul className="flex flex-col gap-1">
              {woken.toReversed().map(({ note, at }) => (
                <li key={at} className="flex gap-3">
                  <Ago at={at} className="shrink-0 text-soft tabular-nums" />
                  <span className="min-w-0">{note}</span>
                </li>
              ))}
            </ul>
          </Part>
        )}
        {summary !== null && stuck !== null && (
          <Part title="Summary so far" aside={<Ago at={summary.at} />}>
            <FilePath path={summary.path} what="the summary's path" />
          </Part>
        )}
      </div>
    </div>
  );
}

/** `?iteration=` of the address while this tab is on the screen, else as it last was. */
function useWantedIteration(active: boolean): number | null {
  const text = new URLSearchParams(useSearch()).get("iteration");
  const last = useRef<number | null>(null);
  if (active) last.current = text !== null && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : null;
  return last.current;
}

function Loading() {
  return (
    <Delayed>
      <div role="status" aria-label="Loading" className="flex flex-col gap-4 px-4 pt-5 lg:px-6">
        <Bone className="w-72 max-w-full" />
        <Bone className="w-96 max-w-full" />
        <Bone className="w-80 max-w-full" />
      </div>
    </Delayed>
  );
}
