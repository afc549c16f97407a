import type { SodaEvent } from "../../../feed/log.ts";
import { plural } from "../../../words/count.ts";
import type { Meaning } from "../../../words/state.ts";
import { countsOf } from "./matrix-model.ts";
import { regressionWords, testWords } from "./test-result.ts";

export interface LineWords {
  verb: string;
  text: string;
  meaning: Meaning;
}

const quiet = (verb: string, text: string): LineWords => ({ verb, text, meaning: "quiet" });

const outcomes: Record<string, LineWords> = {
  completed: { verb: "Completed", text: "", meaning: "good" },
  blocked: { verb: "Blocked", text: "", meaning: "bad" },
  partial: { verb: "Partly done", text: "", meaning: "needs-you" },
};

/** What an event of a SODA loop says, in a line. */
export function wordsOf(event: SodaEvent): LineWords {
  switch (event.type) {
    case "loop.bootstrapped":
      return quiet("Prepared", event.notes.length === 0 ? "the project was known" : event.notes.join(", "));
    case "loop.spec":
      return quiet("Spec", event.spec.title);
    case "loop.sensed": {
      const { human_input: human } = event.claims;
      const said = human !== null && "items" in human ? human.items.length : 0;
      return quiet(
        "Sensed",
        said === 0 ? "what the systems claim" : `what the systems claim, and ${plural(said, "word")} from people`,
      );
    }
    case "loop.oriented": {
      const { criteria, confidence } = event.orientation;
      const { yes } = countsOf(criteria);
      return quiet(
        "Oriented",
        `${yes} of ${criteria.length} criteria satisfied, ${Math.round(confidence * 100)} % sure`,
      );
    }
    case "loop.planned":
      return event.plan === null
        ? quiet("Planned", "nothing that can be done")
        : quiet("Planned", `${event.plan.intent} (${plural(event.plan.tasks.length, "task")})`);
    case "loop.decided": {
      const { decision } = event;
      if (decision.outcome === "STUCK") return { verb: "Stuck", text: decision.reason, meaning: "bad" };
      if (decision.outcome === "DONE") return { verb: "Done", text: decision.summary, meaning: "good" };
      return quiet("Decided", "to go on");
    }
    case "loop.tested": {
      const words = testWords(event.result);
      const name = event.taskId === null ? "Tests before" : "Tests";
      if (words === null) return quiet(name, "nothing says how to run any");
      const worse = regressionWords(event.regression ?? null);
      return { verb: name, text: worse ?? words.text, meaning: worse !== null ? "bad" : "quiet" };
    }
    case "loop.task.reported":
      return quiet("Reported", event.report.summary);
    case "loop.set_aside":
      return { verb: "Set aside", text: `the changes of ${event.taskId}, which make tests fail`, meaning: "needs-you" };
    case "loop.task.end": {
      const title = event.changes.find(({ id }) => id === event.taskId)?.title ?? event.taskId;
      const { verb = event.outcome, meaning = "quiet" } = outcomes[event.outcome] ?? {};
      return { verb, text: event.reason === undefined ? title : `${title}: ${event.reason}`, meaning };
    }
    case "loop.branch.merged":
      return event.head === null
        ? { verb: "Not merged", text: `${event.branch} conflicts with the milestone`, meaning: "bad" }
        : quiet("Merged", `${event.branch} as ${event.head.slice(0, 8)}`);
    case "loop.woken":
      return { verb: "Goes on", text: event.note, meaning: "running" };
    case "loop.summarised":
      return quiet("Summary", event.path);
    case "loop.prompt":
      return quiet("Prompt", event.text);
  }
}
