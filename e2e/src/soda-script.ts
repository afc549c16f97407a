import type { NewTask, Orientation, TaskReport } from "@ralpher/contract";

/** How an agent calls the tool that runs a command. */
export const shellOf = { opencode: "bash", claude: "Bash" } as const;
export type SodaAgent = keyof typeof shellOf;

/** Scripts for the model behind a SODA run: what ORIENT answers in an iteration, and what executors do. */
export const orient = (iteration: number, answer: Partial<Orientation>) => ({
  when: `iteration ${iteration}. Other agents`,
  steps: [
    {
      structured: {
        summary: `judged in iteration ${iteration}`,
        criteria: [],
        spec_satisfied: false,
        actionable_work_exists: true,
        confidence: 0.9,
        ...answer,
      },
    },
  ],
});

/** An executor that reads, runs a command for its work, and reports. */
export const execute = (agent: SodaAgent, title: string, command: string, report: Partial<TaskReport> = {}) => [
  {
    when: `(${title}). `,
    steps: [
      { text: "I do it.", tools: [{ name: shellOf[agent], input: { command, description: "Do the work" } }] },
      { text: "It is done." },
    ],
  },
  {
    when: `(${title}) is over`,
    steps: [{ structured: { outcome: "completed", summary: `${title}: done and proved`, ...report } }],
  },
];

/** What every executor says when it has read what there is. */
export const setUp = { when: "Before you change anything", steps: [{ text: "I have read what there is." }] };

export const task = (ref: string, title: string): NewTask => ({
  ref,
  title,
  description: "",
  priority: 2,
  kind: "task",
});

/** A command that writes files, by a here document each. */
export function writing(files: Record<string, string>): string {
  return Object.entries(files)
    .map(([path, text]) => `mkdir -p "$(dirname '${path}')" && cat > '${path}' <<'EOF'\n${text}EOF`)
    .join("\n");
}
