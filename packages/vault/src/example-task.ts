/** Where nothing takes it up: it becomes a task when it is copied to the specs folder. */
export const exampleFile = "/Control/example_task.md";

export const exampleTask = `---
title: Greet in two languages
verify: test -f greeting.txt
---

# Greet in two languages

Copy this file to \`Specs/\`, or to \`Specs/greeting/tasks.md\`, and change it. With \`ralpher task watch\` it is then taken
up; else run \`ralpher task start Specs/greeting/tasks.md\`.

Each box is a step. They are worked on from top to bottom, and ticked when they are done. A file without boxes is one
step.

## 1. Write it

- [ ] 1.1 Write "Hello" to greeting.txt
- [ ] 1.2 Add a second line in another language
  - [ ] Choose the language
  - [ ] Write the line (verify: grep -c . greeting.txt)

## 2. Check it

- [ ] 2.1 Read the file again and correct what is misspelled
  What stands below a step belongs to it, and is told to the agent.
  verify: none

A step is done when the command after \`verify:\` ends with 0: in brackets at the end of its line, on a line of its own
below it, or in a comment like \`<!-- verify: bun test -->\`. Steps within a step have its check, and without any there is
the one at the top of the file. \`verify: none\` is no check.
`;
