import { isAsking, isUnderWay, type LoopView, openIteration, type TaskDetail, type TaskPlace } from "@ralpher/contract";
import type { ReactNode } from "react";
import { Link } from "wouter";
import { Ago } from "../../../parts/ago.tsx";
import { Bone, Delayed } from "../../../parts/delayed.tsx";
import { FilePath } from "../../../parts/file-path.tsx";
import { Part } from "../../../parts/part.tsx";
import { Problem } from "../../../parts/problem.tsx";
import { plural } from "../../../words/count.ts";
import { vaultHref } from "../../../words/vaults.ts";
import { InjectBox } from "../../vault/inject-box.tsx";
import { Problems } from "../../vault/problems.tsx";
import { StopNotice } from "../../vault/stop-notice.tsx";
import { Markdown } from "../markdown/markdown.tsx";
import { useAnswerInAddress } from "../use-answer-in-address.ts";
import { Counters } from "./counters.tsx";
import { HandOffCard } from "./hand-off-card.tsx";
import { HistoryStrip } from "./history-strip.tsx";
import { TaskFile } from "./task-file.tsx";
import { countedSteps, countSteps, readAfter, workingOf } from "./task-model.ts";
import { useDetail } from "./use-detail.ts";

/** A task: what it asks, its file with live steps, and how much of what it may use it has used. */
export function TaskTab({
  view,
  active,
  onIteration,
}: {
  view: LoopView;
  active: boolean;
  onIteration: (iteration: number) => void;
}) {
  const { detail, refusal, refresh } = useDetail(view, active);
  const frame = (content: ReactNode) => (
    <section
      aria-label="Task"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
      className="@container absolute inset-0 overflow-y-auto -outline-offset-2"
    >
      {content}
    </section>
  );
  if (detail === null) {
    if (refusal !== null) return frame(<Problem title="This did not load" refusal={refusal} onRetry={refresh} />);
    return frame(<Loading />);
  }
  return frame(<Shown view={view} active={active} detail={detail} onChanged={refresh} onIteration={onIteration} />);
}

const placeWords: Record<TaskPlace, string> = {
  open: "",
  done: "It is filed: done.",
  rejected: "It is filed: rejected.",
  gone: "Its file is nowhere in the vault any more.",
};

function Shown({
  view,
  active,
  detail,
  onChanged,
  onIteration,
}: {
  view: LoopView;
  active: boolean;
  detail: TaskDetail;
  onChanged: () => void;
  onIteration: (iteration: number) => void;
}) {
  const { vault, stopHook, problems, handOff, completionReport, waitingPrompt, injected, steps, place, path } = detail;
  useAnswerInAddress(active);
  const asks = isAsking(view) && handOff !== null && handOff.path === view.task?.handOff?.path;
  const live = isUnderWay(view) ? (openIteration(view)?.number ?? null) : null;
  const after = waitingPrompt?.afterIteration ?? readAfter(view);
  return (
    <div className="flex max-w-[100rem] flex-col gap-6 px-4 py-5 lg:px-6">
      {asks && <HandOffCard key={handOff.path} view={view} handOff={handOff} onChosen={onChanged} />}
      {stopHook !== null && place === "open" && (
        <StopNotice directory={vault} stopHook={stopHook} onLifted={onChanged} />
      )}
      <Problems problems={problems} />
      <div className="grid gap-x-12 gap-y-8 @4xl:grid-cols-[minmax(0,3fr)_minmax(18rem,2fr)]">
        <div className="flex min-w-0 flex-col gap-7">
          <Part title="Steps" aside={steps.length === 0 ? null : <Progress view={view} steps={steps} />}>
            {detail.text === null ? (
              <p className="text-soft">{placeWords.gone}</p>
            ) : (
              <TaskFile view={view} detail={detail} />
            )}
            <FilePath path={path ?? detail.file} what="the task file's path" />
            {place !== "open" && detail.text !== null && <p className="text-soft">{placeWords[place]}</p>}
          </Part>
          {completionReport !== null && (
            <Part title="Report">
              <FilePath path={completionReport.path} what="the report's path" />
              <details>
                <summary className="w-fit cursor-pointer rounded-sm text-soft hover:text-ink touch:py-2">
                  Read it
                </summary>
                <div className="mt-2">
                  <Markdown
                    text={withoutTitle(withoutFrontMatter(completionReport.text))}
                    look={{ breaks: false, headingLevel: 3 }}
                  />
                </div>
              </details>
            </Part>
          )}
        </div>
        <div className="flex min-w-0 flex-col gap-7">
          <Part title="Limits">
            <Counters view={view} detail={detail} />
          </Part>
          <Part title="History" aside={plural(detail.counters.iterations, "iteration")}>
            <HistoryStrip history={detail.history} live={live} onIteration={onIteration} />
          </Part>
          {place === "open" && (
            <Part title="Say it later">
              <InjectBox
                directory={vault}
                label={after === null ? "Say it to the loop later" : `Say it to the loop after iteration ${after}`}
                waiting={waitingPrompt?.text ?? null}
                when={
                  after === null
                    ? "It goes into a prompt after some iterations."
                    : `It goes into the prompt after iteration ${after}; to be heard sooner, write below.`
                }
                onTold={onChanged}
              />
              {injected !== null && (
                <details>
                  <summary className="w-fit cursor-pointer rounded-sm text-small text-soft hover:text-ink touch:py-2">
                    Said after iteration {injected.iteration}, <Ago at={injected.at} />
                  </summary>
                  <div className="mt-1.5">
                    <Markdown text={injected.text} />
                  </div>
                </details>
              )}
            </Part>
          )}
          <Part title="In the vault">
            <p>
              <Link href={vaultHref(vault)} className="rounded-sm text-run hover:underline touch:py-2">
                All its tasks
              </Link>
            </p>
            <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1">
              <Place name="State" path={detail.stateFile} what="the state file's path" />
              <Place name="Log" path={detail.logFile} what="the log's path" />
            </dl>
          </Part>
        </div>
      </div>
    </div>
  );
}

/** So many steps are more than one screen has room for. */
const manySteps = 12;

/** How many steps are done; where there are many, the way to the one that is worked on now or comes next. */
function Progress({ view, steps }: { view: LoopView; steps: TaskDetail["steps"] }) {
  const counted = countedSteps(view.task?.look?.doubted, steps);
  const { done, all } = countSteps(counted);
  const working = workingOf(view)?.key;
  const key = working ?? counted.find((step) => !step.done && !step.isParent)?.key;
  const show = () => {
    const step = document.querySelector(`[data-step="${CSS.escape(key ?? "")}"]`);
    step?.scrollIntoView({ block: "center" });
  };
  return (
    <>
      {done} of {all} done
      {key !== undefined && steps.length > manySteps && (
        <button
          type="button"
          onClick={show}
          className="ml-3 rounded-sm text-run underline-offset-2 hover:underline touch:py-2"
        >
          {working === undefined ? "Go to the next one" : "Go to the one under way"}
        </button>
      )}
    </>
  );
}

function Place({ name, path, what }: { name: string; path: string; what: string }) {
  return (
    <>
      <dt className="text-soft">{name}</dt>
      <dd className="min-w-0">
        <FilePath path={path} what={what} />
      </dd>
    </>
  );
}

const withoutFrontMatter = (text: string) => text.replace(/^---\r?\n[\s\S]*?\n---\r?\n/, "");
/** The page has its name already. */
const withoutTitle = (text: string) => text.replace(/^\s*# .*/, "");

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
