import { type Claims, isRead, type LoopView, type SodaIteration } from "@ralpher/contract";
import { sodaActions } from "./soda-actions.ts";
import { attention, bold, dim } from "./style.ts";
import { actionLine, cut, totals } from "./words.ts";
import { wrapped } from "./wrapped.ts";

/** What there is to know about a run that is stuck. */
export interface Stuck {
  /** What a human is needed for: each in words of its own. */
  needs: string[];
  /** Tasks that nobody can work on, and why. */
  blocked: { id: string; title: string; reason: string }[];
}

/** `claims`: as they are now; null when they could not be had. */
export function stuckOf(reason: string, newest: SodaIteration | undefined, claims: Claims | null): Stuck {
  const decided = newest?.decision;
  const gaps = newest?.orientation?.gaps ?? [];
  const weight = { critical: 0, major: 1, minor: 2 };
  const worst = gaps.toSorted((a, b) => weight[a.severity] - weight[b.severity]).map(({ description }) => description);
  const isDecided = decided?.outcome === "STUCK" && decided.reason === reason;
  return {
    needs: isDecided && worst.length > 0 ? worst : [reason],
    blocked: claims !== null && isRead(claims.work_state) ? claims.work_state.blocked : [],
  };
}

/** What a stuck run needs, in full, and the ways to help it. `waiting`: somebody waits, and goes on when it is helped. */
export function stuckLines(view: LoopView, { needs, blocked }: Stuck, waiting: boolean): string[] {
  const known = blocked.filter(({ reason }) => !needs.includes(reason));
  const actions = sodaActions(view, blocked[0]?.id);
  return [
    "",
    bold(attention("? STUCK: it needs a human")),
    ...needs.flatMap((need) => wrapped(need, { first: "  ", paint: attention })),
    ...known.flatMap(({ id, title, reason }) =>
      wrapped(`${cut(title, 120)} is blocked: ${reason}`, { first: `  ${id} `, paint: attention }),
    ),
    "",
    dim(totals(view)),
    ...(waiting ? actions.filter(([words]) => words !== "Then go on") : actions).map(actionLine),
    ...(waiting ? ["Any of these helps, from any terminal: it goes on by itself then."] : []),
  ];
}
