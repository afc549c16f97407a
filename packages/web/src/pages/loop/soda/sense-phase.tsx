import { type Claims, type HumanInput, isRead } from "@ralpher/contract";
import MessageSquare from "lucide-react/icons/message-square";
import TriangleAlert from "lucide-react/icons/triangle-alert";
import type { ReactNode } from "react";
import { Ago } from "../../../parts/ago.tsx";
import { exactCount, plural } from "../../../words/count.ts";
import { Markdown } from "../markdown/markdown.tsx";
import { Folding } from "./phase-frame.tsx";

const sections = {
  code_state: "The state of the code",
  survey: "The project",
  work_state: "The work items",
  project_state: "The history",
  human_input: "What people said",
  learnings: "The learnings",
} as const;

const humanWords: Record<HumanInput["type"], string> = {
  answer: "You answered",
  correction: "You said",
  comment: "Comment",
  task_update: "Changed work item",
  spec: "Spec",
};

/** What the systems claimed at the beginning of an iteration: a few figures, and all of it when folded out. */
export function SenseWords({ claims }: { claims: Claims }) {
  const { code_state: code, work_state: work, human_input: human } = claims;
  const troubles = (Object.keys(sections) as (keyof typeof sections)[]).flatMap((name) => {
    const part = claims[name];
    return part === null || isRead<unknown>(part) ? [] : [{ name, error: (part as { error: string }).error }];
  });
  const items = human !== null && isRead(human) ? human.items : [];
  return (
    <>
      <p className="flex flex-wrap gap-x-4 text-soft">
        {isRead(code) && (
          <>
            <Figure n={code.commit_count} one="commit" />
            <Figure n={code.file_count} one="file" />
            <span className="figure leading-[1.375rem]">
              <span className="text-good">+{exactCount(code.lines_added)}</span>{" "}
              <span className="text-bad">−{exactCount(code.lines_removed)}</span>
            </span>
          </>
        )}
        {isRead(work) && (
          <>
            <Figure n={work.open.length} one="open task" />
            {work.blocked.length > 0 && <Figure n={work.blocked.length} one="blocked" many="blocked" />}
            <Figure n={work.closed.length} one="closed" many="closed" />
          </>
        )}
      </p>
      {troubles.map(({ name, error }) => (
        <p key={name} className="flex gap-2 text-bad">
          <TriangleAlert aria-hidden="true" className="mt-1 size-3.5 shrink-0" />
          <span className="min-w-0">
            {sections[name]} could not be read: {error}
          </span>
        </p>
      ))}
      {items.length > 0 && (
        <ul aria-label="What people said" className="flex flex-col gap-1 rounded-md bg-need-tint px-3 py-2">
          {items.map(({ type, content, task_id, timestamp }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: never changed
            <li key={index} className="flex gap-2">
              <MessageSquare aria-hidden="true" className="mt-1 size-3.5 shrink-0 text-need" />
              <span className="min-w-0">
                <span className="text-small text-soft">
                  {humanWords[type]}
                  {task_id === undefined ? "" : ` ${task_id}`} <Ago at={timestamp} />
                </span>
                <br />
                {content}
              </span>
            </li>
          ))}
        </ul>
      )}
      <Folding label="All claims">
        <AllClaims claims={claims} />
      </Folding>
    </>
  );
}

function Figure({ n, one, many }: { n: number; one: string; many?: string }) {
  const [count, ...words] = plural(n, one, many).split(" ");
  return (
    <span>
      <span className="figure text-ink">{count}</span> {words.join(" ")}
    </span>
  );
}

function AllClaims({ claims }: { claims: Claims }) {
  const { code_state: code, survey, work_state: work, project_state: project, learnings } = claims;
  return (
    <dl className="grid gap-x-6 gap-y-3 rounded-md bg-panel px-3 py-2.5 @2xl:grid-cols-[8rem_minmax(0,1fr)]">
      {isRead(code) && (
        <Part name="Code">
          <p>
            on <span className="figure">{code.branch ?? "no branch"}</span>, {code.staged} staged, {code.unstaged}{" "}
            changed
            {code.base === null ? ", no base commit" : ""}
          </p>
          <Lines
            of={code.commits.map(({ hash, message }) => `${hash.slice(0, 8)} ${message}`)}
            all={code.commit_count}
          />
          <Lines
            of={code.files_changed.map(({ path, added, removed }) =>
              added === null || removed === null ? `${path} (binary)` : `${path} +${added} −${removed}`,
            )}
            all={code.file_count}
          />
        </Part>
      )}
      {isRead(survey) && (
        <Part name="Project">
          <p>
            {survey.has_code ? "has code" : "no code yet"}, {survey.has_tests ? "has tests" : "no tests"}
            {survey.manifests.length > 0 ? `: ${survey.manifests.join(", ")}` : ""}
          </p>
          <p>
            {survey.test_command === null ? (
              "Nothing says how tests are run."
            ) : (
              <span className="figure">{survey.test_command}</span>
            )}
          </p>
        </Part>
      )}
      {isRead(work) && (
        <Part name="Work items">
          {work.note !== null && <p>There is no root item yet.</p>}
          <Lines
            of={work.open.map(({ priority, title, blocked }) => `P${priority} ${title}${blocked ? " (blocked)" : ""}`)}
          />
          <Lines of={work.blocked.map(({ title, reason }) => `${title}: ${reason}`)} />
          <Lines of={work.comments.map(({ task_id, source, content }) => `${source} on ${task_id}: ${content}`)} />
        </Part>
      )}
      {isRead(project) && (
        <Part name="History">
          {project.note !== null && <p>This is the first iteration.</p>}
          <Lines of={project.history.map(({ iteration, intent, outcome }) => `${iteration}. ${intent}: ${outcome}`)} />
          <Lines of={project.repeats.map(({ kind, what, times }) => `${kind} came back ${times} times: ${what}`)} />
        </Part>
      )}
      {isRead(learnings) && (
        <Part name="Learnings">{learnings.trim() === "" ? <p>None yet.</p> : <Markdown text={learnings} />}</Part>
      )}
    </dl>
  );
}

function Part({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-small leading-[1.375rem] text-soft @max-2xl:-mb-2.5">{name}</dt>
      <dd className="flex min-w-0 flex-col gap-1">{children}</dd>
    </>
  );
}

/** Some lines of a list; `all`: how many there are, when these are only the first. */
function Lines({ of, all = of.length }: { of: string[]; all?: number }) {
  if (of.length === 0) return null;
  return (
    <ul className="list-disc pl-4 text-soft">
      {of.map((text, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: never changed
        <li key={index}>{text}</li>
      ))}
      {all > of.length && <li>and {all - of.length} more</li>}
    </ul>
  );
}
