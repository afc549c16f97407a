import { type GitFacts, isAsking, type LoopView } from "@ralpher/contract";
import ChevronRight from "lucide-react/icons/chevron-right";
import { Link } from "wouter";
import { ActionButton } from "../../act/action-button.tsx";
import { useNow } from "../../feed/clock.ts";
import { buttonLook } from "../../parts/button.tsx";
import { CopyButton } from "../../parts/copy-button.tsx";
import { StateMark } from "../../parts/state-mark.tsx";
import { firstLine } from "../../words/cut.ts";
import { sentenceOf } from "../../words/sentence.ts";
import { standingOfView } from "../../words/state.ts";
import { answerId, goToAnswer } from "./answer.ts";
import { Facts } from "./facts.tsx";
import { LoopMenu } from "./lazy-loop-menu.tsx";
import { hasIterationsLeft, offeredActions } from "./offered-actions.ts";
import { hrefOf } from "./tabs.ts";

/** Who the loop is, how it stands and what happens next, its figures, and what one can do. */
export function LoopHeader({ view, git }: { view: LoopView; git: GitFacts | null }) {
  const { config } = view;
  return (
    <header className="flex shrink-0 flex-col gap-2 border-b border-line px-4 pt-3 pb-2 sm:gap-3 sm:pb-3 lg:px-6 lg:pt-4">
      <div className="flex items-start gap-4">
        <div className="min-w-0 flex-1">
          <div className="flex flex-wrap items-baseline gap-x-3 gap-y-0.5">
            <h1
              title={config.name}
              className="line-clamp-2 max-w-full min-w-0 text-title font-semibold [overflow-wrap:anywhere]"
            >
              {config.name}
            </h1>
            <StateMark {...standingOfView(view)} />
          </div>
          <Sentence view={view} />
        </div>
        <div className="hidden shrink-0 gap-1 sm:flex">
          <Actions view={view} />
        </div>
      </div>
      <Facts view={view} git={git} />
      {view.task === null && <Goal prompt={config.prompt} />}
    </header>
  );
}

/**
 * The best action filled, the next beside it, the rest in a menu. `tight`: for the phone, which has them at its bottom
 * edge, where there is room for one.
 */
export function Actions({ view, tight = false }: { view: LoopView; tight?: boolean }) {
  const target = { id: view.id, name: view.config.name };
  const actions = offeredActions(view);
  const link = linkOf(view);
  // A human stopped it: to resume it is the plain thing to do, whatever the stop report offers.
  const keepsStart = view.task !== null && link?.best === false;
  const room = (tight ? 1 : 2) - (link === null ? 0 : 1);
  const shown = actions
    .filter(({ name }) => name !== "delete" && name !== "discard" && (name !== "start" || link === null || keepsStart))
    .slice(0, room);
  return (
    <>
      <LoopMenu view={view} rest={actions.filter((action) => !shown.includes(action))} up={tight} />
      {link?.best === false && <ActionLink {...link} />}
      {/* Turned around, so that the best one stands at the edge, where the eye and the thumb are. */}
      {shown
        .map((action, index) => (
          <ActionButton
            key={action.label}
            target={target}
            action={action}
            look={index === 0 && link?.best !== true ? "filled" : "outlined"}
          />
        ))
        .reverse()}
      {link?.best && <ActionLink {...link} />}
    </>
  );
}

/** What one does with a SODA loop or a task by going somewhere: answer it, or look at what it did before taking it over. */
function linkOf(view: LoopView): { label: string; href: string; best: boolean } | null {
  const { id, config, phase } = view;
  if (isAsking(view)) return { label: "Answer", href: `/${id}#${answerId}`, best: phase.status !== "stopped" };
  if (config.strategy.type !== "soda") return null;
  if (phase.status === "stuck" && hasIterationsLeft(view))
    return { label: "Answer", href: `/${id}#${answerId}`, best: true };
  if (phase.status === "completed") return { label: "Review changes", href: hrefOf(id, "changes"), best: false };
  return null;
}

function ActionLink({ label, href, best }: { label: string; href: string; best: boolean }) {
  return (
    <Link href={href} onClick={best ? goToAnswer : undefined} className={buttonLook(best ? "filled" : "outlined")}>
      {label}
    </Link>
  );
}

function Sentence({ view }: { view: LoopView }) {
  const now = useNow(1_000);
  const sentence = sentenceOf(view, now);
  return (
    <>
      <p className="mt-0.5 text-soft [overflow-wrap:anywhere]" data-testid="state-sentence">
        {sentence}
      </p>
      <Announcement status={view.phase.status} />
    </>
  );
}

/** Only a change of state is read aloud; the sentence may count seconds. */
function Announcement({ status }: { status: LoopView["phase"]["status"] }) {
  return (
    <p role="status" className="sr-only">
      The loop is {status.replace("_", " ")}.
    </p>
  );
}

function Goal({ prompt }: { prompt: string }) {
  return (
    <details className="group/goal min-w-0">
      <summary className="flex cursor-pointer list-none items-center gap-1.5 rounded-sm text-soft hover:text-ink touch:py-2 [&::-webkit-details-marker]:hidden">
        <ChevronRight
          aria-hidden="true"
          className="size-3.5 shrink-0 transition-transform duration-100 group-open/goal:rotate-90"
        />
        <span className="shrink-0 text-small">Goal</span>
        <span className="min-w-0 truncate text-ink group-open/goal:invisible">{firstLine(prompt)}</span>
      </summary>
      <div className="relative mt-1 max-w-[90ch]">
        <div
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
          tabIndex={0}
          className="max-h-[30dvh] overflow-y-auto rounded-md bg-panel py-2.5 pr-10 pl-4 whitespace-pre-wrap [overflow-wrap:anywhere]"
        >
          {prompt}
        </div>
        <CopyButton text={prompt} what="the goal" className="!absolute top-1.5 right-2.5 bg-panel" />
      </div>
    </details>
  );
}
