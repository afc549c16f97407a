/** Where nothing takes it up: it becomes a task when it is copied to the specs folder. */
export const exampleFile = "/Control/example_task.md";

export const exampleTask = `---
title: Greet in two languages
verify: test -f greeting.txt
---

# Greet in two languages

This is an example of a task. Nothing happens with it here. Copy it to \`Specs/greeting.md\`, and either run
\`ralpher task start Specs/greeting.md\`, or let \`ralpher task watch .\` take up whatever is put into \`Specs/\`.

Each box is a step. The agent does them from top to bottom, and Ralpher ticks them. When all are ticked, the file is moved
to \`Done/\`. A file without boxes is one step. You may edit this file at any time.

## 1. Write it

- [ ] 1.1 Write "Hello" to greeting.txt
- [ ] 1.2 Add a second line in another language
  - [ ] Choose the language
  - [ ] Write the line (verify: grep -c . greeting.txt)

## 2. Check it

- [ ] 2.1 Read the file again and correct what is misspelled
  What stands below a step belongs to it, and is told to the agent.
  verify: none

## About checks

A step counts as done only when its check, the command after \`verify:\`, ends with 0. It stands in brackets at the end of
the step's line, on a line of its own below it, or in a comment like \`<!-- verify: bun test -->\`. A step without one has
the check of the step it belongs to, else the one at the top of the file; \`verify: none\` is no check. Checks are run in the
vault's folder, without a shell: put what needs \`&&\` or \`|\` into a script.
`;
