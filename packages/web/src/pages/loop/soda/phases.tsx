import type { LoopView, SodaIteration } from "@ralpher/contract";
import { ActWords } from "./act-phase.tsx";
import { CriteriaCount } from "./criteria-matrix.tsx";
import { OrientAside, OrientWords } from "./orient-phase.tsx";
import { PhaseFrame } from "./phase-frame.tsx";
import { phasesOf, workedOn } from "./phase-model.ts";
import { SenseWords } from "./sense-phase.tsx";
import { Ticked } from "./ticked.tsx";

/** The four phases of one iteration, and what came of each. */
export function Phases({ view, iteration, live }: { view: LoopView; iteration: SodaIteration; live: boolean }) {
  const states = phasesOf(iteration, live);
  const { claims, orientation, decision, tasks } = iteration;
  const done = tasks.filter(({ outcome }) => outcome === "completed").length;
  return (
    <div className="flex flex-col">
      <PhaseFrame title="Sense" state={states.sense} aside={claims === null ? undefined : "what the systems claim"}>
        {claims !== null && <SenseWords claims={claims} />}
        {states.sense === "live" && <p className="text-soft">Git, work items, history and words are being read.</p>}
      </PhaseFrame>
      <PhaseFrame
        title="Orient"
        state={states.orient}
        aside={
          orientation === null ? undefined : (
            <span className="flex flex-wrap gap-x-3">
              <CriteriaCount criteria={orientation.criteria} />
              <span>
                <OrientAside iteration={iteration} />
              </span>
            </span>
          )
        }
      >
        <OrientWords id={view.id} iteration={iteration} />
        {states.orient === "live" && <p className="text-soft">An agent checks the claims against the code.</p>}
      </PhaseFrame>
      <PhaseFrame
        title="Decide"
        state={states.decide}
        aside={decision === null ? undefined : decisionWords[decision.outcome]}
      >
        {decision?.outcome === "STUCK" && (
          <p className="text-bad">
            <Ticked text={sentence(decision.reason)} />
          </p>
        )}
        {decision?.outcome === "DONE" && (
          <p className="text-good">
            <Ticked text={sentence(decision.summary)} />
          </p>
        )}
        {decision?.outcome === "CONTINUE" && (
          <p>There is work that can be done: {tasks.length === 1 ? "one task" : `${tasks.length} tasks`}.</p>
        )}
      </PhaseFrame>
      <PhaseFrame
        title="Act"
        state={states.act}
        aside={
          tasks.length > 0 && decision?.outcome === "CONTINUE" ? `${done} of ${tasks.length} tasks done` : undefined
        }
        last
      >
        {decision?.outcome === "CONTINUE" && (
          <ActWords id={view.id} iteration={iteration} live={live} workingOn={live ? workedOn(view) : null} />
        )}
        {decision?.outcome !== "CONTINUE" && iteration.error !== null && <p className="text-bad">{iteration.error}</p>}
      </PhaseFrame>
    </div>
  );
}

const decisionWords = { CONTINUE: "go on", STUCK: "a human is needed", DONE: "it is done" };

function sentence(text: string): string {
  const capital = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?…]$/.test(capital) ? capital : `${capital}.`;
}
