import type { GitCommit, LoopView } from "@ralpher/contract";
import { useState } from "react";
import { Link } from "wouter";
import { readCommits } from "../../../feed/loop-api.ts";
import { Ago } from "../../../parts/ago.tsx";
import { Button } from "../../../parts/button.tsx";
import { CopyButton } from "../../../parts/copy-button.tsx";
import { tellFailed } from "../../../parts/notices.tsx";
import { plural } from "../../../words/count.ts";
import { firstLine } from "../../../words/cut.ts";
import { hrefOf } from "../tabs.ts";

const page = 100;

/** The loop's commits, newest first; the view holds the newest ones, the rest is read on request. */
export function Commits({ view }: { view: LoopView }) {
  const [earlier, setEarlier] = useState<{ commits: GitCommit[]; before: number | null } | null>(null);
  const [busy, setBusy] = useState(false);
  const known = new Set(view.commits.map(({ sha }) => sha));
  const commits = [...(earlier?.commits.filter(({ sha }) => !known.has(sha)) ?? []), ...view.commits].reverse();
  const more = commits.length < view.commitCount && (earlier === null || earlier.before !== null);

  const load = async () => {
    setBusy(true);
    try {
      const before = earlier?.before;
      const events = await readCommits(view.id, { limit: page, ...(before == null ? {} : { before }) });
      const older = events.map(({ commit }) => commit);
      setEarlier({
        commits: [...older, ...(earlier?.commits ?? [])],
        before: events.length < page ? null : (events[0]?.seq ?? null),
      });
    } catch (error) {
      tellFailed("Earlier commits did not load", error);
    } finally {
      setBusy(false);
    }
  };

  return (
    <section aria-labelledby="commits-title">
      <h2 id="commits-title" className="pb-2 font-semibold">
        Commits <span className="figure font-normal text-soft">{view.commitCount}</span>
      </h2>
      {commits.length === 0 ? (
        <p className="text-soft">None yet. Each iteration that changes something ends with one.</p>
      ) : (
        <ol className="-mx-2">
          {commits.map(({ sha, message, iteration, timestamp, filesChanged }) => (
            <li key={sha} className="group/commit relative flex items-center gap-3 rounded-md px-2 py-1 hover:bg-panel">
              <Link
                href={hrefOf(view.id, "changes", { commit: sha })}
                aria-label={`Changes of ${sha.slice(0, 8)}`}
                className="figure shrink-0 text-run after:absolute after:inset-0 after:rounded-md"
              >
                {sha.slice(0, 8)}
              </Link>
              <CopyButton text={sha} what="the commit's id" className="-my-1 max-sm:hidden" />
              <span className="min-w-0 flex-1 truncate" title={message}>
                {firstLine(message)}
              </span>
              <span className="shrink-0 text-small text-soft max-md:hidden">
                {iteration > 0 ? `iteration ${iteration}` : "by hand"}
              </span>
              <span className="w-16 shrink-0 text-right text-small text-soft max-sm:hidden">
                {plural(filesChanged, "file")}
              </span>
              <Ago at={timestamp} className="w-16 shrink-0 text-right text-small text-soft" />
            </li>
          ))}
        </ol>
      )}
      {more && (
        <Button className="mt-3" busy={busy} onClick={() => void load()}>
          Earlier commits
        </Button>
      )}
    </section>
  );
}
