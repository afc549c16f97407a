/** The words of work items without Zod, for programs that must start in milliseconds. work-item.ts has the schemas. */
export const workItemStatuses = ["open", "in_progress", "closed", "blocked"] as const;
/** `parent`: belongs to. `blocks`: waits for. `related`: see also. */
export const dependencyKinds = ["parent", "blocks", "related"] as const;
/** 0 is critical, 4 is some day. */
export const priorities = { least: 0, most: 4, usual: 2 } as const;
