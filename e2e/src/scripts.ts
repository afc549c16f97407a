/** Scripts for the scripted model: what an agent does in a journey. */

const tool = (name: string, input: Record<string, unknown>) => ({ name, input });

/** One iteration that appends a line to `notes.txt` through the agent's own shell, and says something. */
const appending = (n: number, last: string) => ({
  when: `This is iteration ${n} `,
  steps: [
    { text: "I look first.", tools: [tool("read", { filePath: "notes.txt" })] },
    {
      text: "I add a line.",
      tools: [tool("bash", { command: `echo "line ${n}" >> notes.txt`, description: "Add a line" })],
    },
    { text: last },
  ],
});

/** So many iterations, the last with the promise. */
export const appendingScript = (iterations: number) => ({
  conversations: Array.from({ length: iterations }, (_, i) =>
    appending(
      i + 1,
      i + 1 === iterations ? "All lines are there.\n\n<promise>COMPLETE</promise>\n" : `Line ${i + 1} is there.`,
    ),
  ),
});

/** Iterations without end. */
export const endlessScript = {
  conversations: [
    {
      steps: [
        {
          text: "I add a line.",
          tools: [tool("bash", { command: "echo more >> notes.txt", description: "Add a line" })],
        },
        { text: "There is always more." },
      ],
    },
  ],
};

/** A turn that runs a command that does not end, in a process group of its own. */
export const sleepingScript = {
  conversations: [
    {
      steps: [
        {
          text: "I wait.",
          tools: [
            tool("bash", { command: "echo begun > begun.txt; sleep 1000", description: "Wait", timeout: 2_000_000 }),
          ],
        },
        { text: "Done.\n<promise>COMPLETE</promise>" },
      ],
    },
  ],
};

/** Every request is answered with this HTTP status. */
export const statusScript = (status: number, more: Record<string, unknown> = {}) => ({
  conversations: [{ steps: [{ fault: { kind: "status", status, ...more } }] }],
});
