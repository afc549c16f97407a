/** The place to answer a loop that asks, and the end of the address that leads there. */
export const answerId = "answer";

/** Give it the focus, if it is on the screen. */
export function goToAnswer(): void {
  const box = document.getElementById(answerId);
  box?.scrollIntoView({ block: "center" });
  box?.focus({ preventScroll: true });
}
