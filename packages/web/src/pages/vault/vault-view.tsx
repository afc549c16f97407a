import type { VaultBoard, VaultTask } from "@ralpher/contract";
import Eye from "lucide-react/icons/eye";
import { type ReactNode, useId, useState } from "react";
import { Link } from "wouter";
import { Button, buttonLook } from "../../parts/button.tsx";
import { CommandLine } from "../../parts/command-line.tsx";
import { Bone, Delayed } from "../../parts/delayed.tsx";
import { Problem } from "../../parts/problem.tsx";
import { plural } from "../../words/count.ts";
import { InjectBox } from "./inject-box.tsx";
import { LayOut } from "./lay-out.tsx";
import { Problems } from "./problems.tsx";
import { StopDialog } from "./stop-dialog.tsx";
import { StopNotice } from "./stop-notice.tsx";
import { HandOffRow, TaskRow } from "./task-row.tsx";
import { tellVault } from "./tell-vault.ts";
import { useVault } from "./use-vault.ts";

/** A vault as it is now: what it waits for, and its tasks. */
export function VaultView({ directory }: { directory: string }) {
  const { board, refusal, refresh } = useVault(directory);
  if (refusal?.code === "vault_unusable") {
    return (
      <div className="flex max-w-2xl flex-col gap-3">
        <LayOut directory={directory} onDone={refresh} />
        <p className="text-small text-soft">
          {directory}: {String(refusal.data.detail ?? refusal.message)}.
        </p>
      </div>
    );
  }
  if (board === null) {
    if (refusal !== null) return <Problem title="The vault did not load" refusal={refusal} onRetry={refresh} />;
    return (
      <Delayed>
        <div role="status" aria-label="Loading the vault" className="flex flex-col gap-4">
          <Bone className="w-72 max-w-full" />
          <Bone className="w-96 max-w-full" />
        </div>
      </Delayed>
    );
  }
  return <Shown directory={directory} board={board} onChanged={refresh} />;
}

function Shown({ directory, board, onChanged }: { directory: string; board: VaultBoard; onChanged: () => void }) {
  const { root, config, open, done, rejected, needsAction, stopHook, waitingPrompt, isWatched, problems } = board;
  const running = open.filter(({ loop }) => loop !== null && under.has(loop.status)).length;
  const every = config?.check_reinject_every_n_iterations;
  return (
    <>
      {stopHook !== null && <StopNotice directory={directory} stopHook={stopHook} onLifted={onChanged} />}
      <Problems problems={problems} />
      <div className="grid gap-x-12 gap-y-8 @4xl:grid-cols-[minmax(0,3fr)_minmax(18rem,2fr)]">
        <div className="flex min-w-0 flex-col gap-7">
          {needsAction.length > 0 && (
            <Folder title="Needs action" count={needsAction.length} loud>
              {needsAction.map(({ path, modifiedAt, loop }) => (
                <HandOffRow key={path} path={path} at={modifiedAt} loop={loop} />
              ))}
            </Folder>
          )}
          <Folder
            title="Open"
            count={open.length}
            empty={`Nothing is open. Put a Markdown file into ${config?.specs_folder ?? "/Specs"}.`}
          >
            {open.map((task) => (
              <TaskRow key={task.path} root={root} task={task} canStart={config !== null} />
            ))}
          </Folder>
          <Rest title="Done" tasks={done} root={root} />
          <Rest title="Rejected" tasks={rejected} root={root} isRejected />
        </div>
        <div className="flex min-w-0 flex-col gap-7">
          <section aria-label="How it is worked off" className="flex flex-col items-start gap-2">
            <p className="flex items-start gap-2">
              <Eye aria-hidden="true" className={`mt-0.5 size-4 shrink-0 ${isWatched ? "text-run" : "text-faint"}`} />
              {isWatched ? (
                <span>
                  <span className="font-medium text-run">Watched.</span>{" "}
                  <span className="text-soft">
                    What is put into {config?.specs_folder ?? "/Specs"} is taken up by itself
                    {config === null ? "" : `, ${plural(config.max_parallel_tasks, "task")} at once`}.
                  </span>
                </span>
              ) : (
                <span className="text-soft">
                  Not watched: tasks are started by hand. To take up by itself whatever is put into{" "}
                  {config?.specs_folder ?? "/Specs"}:
                </span>
              )}
            </p>
            {!isWatched && <CommandLine command={`ralpher task watch ${quotedPath(root)}`} />}
            <div className="flex flex-wrap gap-2">
              <Link href={`/new?${new URLSearchParams({ vault: root })}`} className={buttonLook("outlined")}>
                New task
              </Link>
              {running > 0 && stopHook === null && (
                <StopAll directory={directory} running={running} onStopped={onChanged} />
              )}
            </div>
          </section>
          <section aria-labelledby="say-title" className="flex min-w-0 flex-col gap-2">
            <h2 id="say-title" className="font-semibold">
              Say it later
            </h2>
            <InjectBox
              directory={directory}
              label="Say it to a task of the vault"
              waiting={waitingPrompt}
              when={`The first task that looks takes it${every === undefined ? "" : `; each looks every ${plural(every, "iteration")}`}.`}
              onTold={onChanged}
            />
          </section>
        </div>
      </div>
    </>
  );
}

/** As a shell takes it. */
const quotedPath = (path: string) => (/^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`);

const under = new Set(["starting", "running", "waiting"]);

function Folder({
  title,
  count,
  loud = false,
  empty,
  children,
}: {
  title: string;
  count: number;
  loud?: boolean;
  empty?: string;
  children: ReactNode;
}) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="flex min-w-0 flex-col gap-1.5">
      <h2 id={id} className="flex items-baseline gap-2 font-semibold">
        {title}
        <span className={`figure ${loud ? "font-semibold text-need" : "font-normal text-soft"}`}>{count}</span>
      </h2>
      {count === 0 ? <p className="text-soft">{empty}</p> : <ul className="border-y border-line">{children}</ul>}
    </section>
  );
}

const firstShown = 10;

/** What is done with: the newest first, the others when they are asked for. */
function Rest({
  title,
  tasks,
  root,
  isRejected = false,
}: {
  title: string;
  tasks: VaultTask[];
  root: string;
  isRejected?: boolean;
}) {
  const [all, setAll] = useState(false);
  if (tasks.length === 0) return null;
  const shown = all ? tasks : tasks.slice(0, firstShown);
  return (
    <div className="flex flex-col items-start gap-1 [&>section]:w-full">
      <Folder title={title} count={tasks.length}>
        {shown.map((task) => (
          <TaskRow key={task.path} root={root} task={task} canStart={false} isRejected={isRejected} />
        ))}
      </Folder>
      {shown.length < tasks.length && (
        <button
          type="button"
          onClick={() => setAll(true)}
          className="rounded-md px-3 py-1.5 text-small text-soft hover:bg-raise hover:text-ink touch:py-3"
        >
          Show all {tasks.length}
        </button>
      )}
    </div>
  );
}

function StopAll({ directory, running, onStopped }: { directory: string; running: number; onStopped: () => void }) {
  const [asking, setAsking] = useState(false);
  const stop = async (reason: string | undefined) => {
    if (await tellVault(directory, { type: "stop", ...(reason === undefined ? {} : { reason }) })) onStopped();
  };
  return (
    <>
      <Button look="quiet" onClick={() => setAsking(true)}>
        Stop {running === 1 ? "its task" : `all ${running}`}
      </Button>
      {asking && (
        <StopDialog
          title="Stop the vault’s tasks?"
          about="Each stops when its iteration ends, and no other begins while the stop hook is there."
          onStop={(reason) => void stop(reason)}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}
