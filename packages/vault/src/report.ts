import { type TaskConfig, type TaskReportText, type TaskState, toSecond } from "@ralpher/contract";
import { frontMatterText } from "./control/front-matter-text.ts";
import { fenced, inOneLine } from "./hand-off/fenced.ts";
import { findWritten, isSaid, nameOf, writeDated } from "./hand-off/hand-offs.ts";
import { fromRoot } from "./vault-path.ts";

/** `Logs/2026-02-15_auth_feature_report.md`, with a number where that is taken. Its path. Idempotent. */
export async function writeReport(root: string, config: TaskConfig, report: TaskReportText): Promise<string> {
  const { loopId, state, taskPath, now } = report;
  const folder = fromRoot(config.logs_folder);
  const told = { type: "completion_report", loop_id: loopId, iterations: state.counters.iterations };
  const written = await findWritten(root, folder, (data) => isSaid(data, told));
  return written ?? (await writeDated(root, folder, { now, name: `${nameOf(taskPath)}_report` }, reportText(report)));
}

function reportText({ loopId, taskPath, title, outcome, state, now }: TaskReportText): string {
  const front = frontMatterText({
    type: "completion_report",
    loop_id: loopId,
    iterations: state.counters.iterations,
    task: taskPath,
    created: toSecond(now),
    status: state.status,
  });
  const { counters, started_at } = state;
  const numbers = [
    ["Started", started_at],
    ["Ended", toSecond(now)],
    ["Iterations", `${counters.iterations} of ${counters.max_iterations}`],
    ["Successes", String(counters.total_successes)],
    ["Failures", String(counters.total_failures)],
  ];
  const table = ["| | |", "|---|---|", ...numbers.map(([name, value]) => `| ${name} | ${value} |`)].join("\n");
  const sections = [`# ${inOneLine(title)}`, inOneLine(outcome), table, ...historyOf(state)];
  return `${front}\n${sections.join("\n\n")}\n`;
}

function historyOf({ history }: TaskState): string[] {
  if (history.length === 0) return [];
  const lines = history.map(
    ({ iteration, timestamp, action, result, duration_seconds, error }) =>
      `${iteration}  ${timestamp}  ${result}  ${duration_seconds} s  ${inOneLine(action)}${error === undefined ? "" : `  (${inOneLine(error)})`}`,
  );
  return ["## Iterations", fenced(lines.join("\n"))];
}
