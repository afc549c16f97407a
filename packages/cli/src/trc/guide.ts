/** What `trc guide` prints: for the file in which a project tells agents how to work (CLAUDE.md, AGENTS.md). */
export const guide = `
Work items for agents
=====================

Put this into the file that tells agents how to work here (AGENTS.md, CLAUDE.md):

-------------------------------------------------------------------------------

## Work items

What there is to do in this repository is kept with \`trc\`. The items outlive your session: write down there what the
next one has to know. They are stored in \`.trace/issues.jsonl\`, which belongs into commits; never edit it by hand.

Once in a repository:

    trc init

Find work:

    trc ready                      nothing open stands in its way
    trc list                       everything that is not closed
    trc show ID                    one item: text, dependencies, what was said
    trc tree ID                    an item and what it was broken into

Do it:

    trc update ID --status in_progress
    trc comment ID "what I found out" --source executor
    trc close ID [ID...]           children first

Write down new work:

    trc create "Title" --description "why, where, how to tell that it is done"
    trc create "Part of it" --description "..." --parent ID
    trc create "Comes later" --description "..." --depends-on ID
    trc add-dependency ID DEPENDS_ON     ID waits for DEPENDS_ON

- The description is required, for whoever reads it knows nothing of your session. \`--description ""\` if there is
  really nothing to say.
- Break an item down or move it elsewhere (\`trc reparent\`) whenever you understand it better.
- A worktree shares the items of its repository.
- \`--json\` makes every command print JSON; \`trc COMMAND --help\` lists the options.

-------------------------------------------------------------------------------
`;
