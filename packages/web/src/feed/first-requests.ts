/** What a loop's page opens with fills any screen; the pages of the log that follow are larger. */
export const firstLogPage = 100;

/**
 * What a loop's page asks for before all else, by address. The document names them (`loop.html`), so that the browser
 * has them on the way before it has read a line of script; they must be what the feed asks for, to the letter.
 */
export function firstRequests(id: string): string[] {
  return [`/api/loops/${id}/view`, `/api/loops/${id}/logs?limit=${firstLogPage}&newest=true`];
}
