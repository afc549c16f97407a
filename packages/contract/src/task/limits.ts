/** How far a task goes where nobody said otherwise: so many iterations, and so many failures in a row. */
export const taskLimits = { max_iterations: 100, failure_threshold: 3 } as const;
