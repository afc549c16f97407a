import type { CriterionVerdict, Evidence, Verdict } from "@ralpher/contract";
import {
  type KeyboardEvent,
  type MouseEvent,
  memo,
  type SyntheticEvent,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { Link } from "wouter";
import { createStore, type Store, useStore } from "../../../feed/store.ts";
import { hrefOf } from "../tabs.ts";
import { countsOf, type Matrix, type MatrixRow, worstOf } from "./matrix-model.ts";
import { Ticked } from "./ticked.tsx";

const glyphs = new Map<Verdict, { glyph: string; word: string; look: string }>([
  [true, { glyph: "✓", word: "satisfied", look: "text-good" }],
  [false, { glyph: "✕", word: "not satisfied", look: "text-bad" }],
  ["unverifiable", { glyph: "?", word: "cannot be verified from here", look: "text-need" }],
]);
const none = { glyph: "·", word: "not judged", look: "text-faint" };
const lookOf = (verdict: Verdict | undefined) => (verdict === undefined ? none : (glyphs.get(verdict) ?? none));

interface Place {
  row: number;
  column: number;
}

/** Every criterion in every iteration; a cell tells what it stands on. The arrow keys lead from cell to cell. */
export function CriteriaMatrix({
  id,
  matrix,
  chosen,
  changed,
  onChoose,
}: {
  id: string;
  matrix: Matrix;
  /** The iteration on the screen. */
  chosen: number | null;
  /** Paths of changed files, which a link can lead to. */
  changed: ReadonlySet<string>;
  onChoose: (iteration: number) => void;
}) {
  const { iterations, rows } = matrix;
  const scroller = useRef<HTMLDivElement>(null);
  /** The cell that keys go on from; the rest is reached from it. */
  const [at, setAt] = useState<Place>({ row: 0, column: iterations.length - 1 });
  const focus: Place = { row: Math.min(at.row, rows.length - 1), column: Math.min(at.column, iterations.length - 1) };
  // What the pointer is over, or was last chosen. A store: three thousand cells need not be drawn again for it.
  const [shown] = useState(() => createStore<Place | null>(worstOf(matrix)));
  const [pinned] = useState(() => createStore<Place | null>(worstOf(matrix)));
  const byHand = useRef(false);

  // The newest is what one wants to see first, and again when a newer one comes.
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls when there is one more
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element !== null) element.scrollLeft = element.scrollWidth;
    // What nobody chose by hand is the worst of the newest.
    if (byHand.current) return;
    pinned.set(worstOf(matrix));
    shown.set(worstOf(matrix));
  }, [iterations.length]);

  const go = (place: Place) => {
    setAt(place);
    shown.set(place);
    const cell = scroller.current?.querySelector<HTMLElement>(`[data-cell="${place.row} ${place.column}"]`);
    cell?.focus();
    cell?.scrollIntoView({ block: "nearest", inline: "nearest" });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (placeOf(event.target) === null) return;
    const { row, column } = focus;
    const [lastRow, lastColumn] = [rows.length - 1, iterations.length - 1];
    const to: Place | undefined = {
      ArrowUp: { row: row - 1, column },
      ArrowDown: { row: row + 1, column },
      ArrowLeft: { row, column: column - 1 },
      ArrowRight: { row, column: column + 1 },
      Home: { row, column: 0 },
      End: { row, column: lastColumn },
      PageUp: { row: Math.max(0, row - 10), column },
      PageDown: { row: Math.min(lastRow, row + 10), column },
    }[event.key];
    if (to === undefined) {
      if (event.key === "Enter" || event.key === " ") {
        event.preventDefault();
        choose(focus);
      }
      return;
    }
    event.preventDefault();
    event.stopPropagation();
    if (to.row >= 0 && to.row <= lastRow && to.column >= 0 && to.column <= lastColumn) go(to);
  };
  const choose = (place: Place) => {
    byHand.current = true;
    pinned.set(place);
    shown.set(place);
    const iteration = iterations[place.column];
    if (iteration !== undefined) onChoose(iteration);
  };
  const onClick = (event: MouseEvent) => {
    const place = placeOf(event.target);
    if (place === null) return;
    setAt(place);
    choose(place);
  };
  const onOver = (event: SyntheticEvent) => {
    const place = placeOf(event.target);
    if (place !== null) shown.set(place);
  };

  const column = chosen === null ? -1 : iterations.indexOf(chosen);
  return (
    <>
      <div ref={scroller} className="relative -mx-4 max-h-[min(30rem,60dvh)] overflow-auto @4xl:mx-0">
        <table
          // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: it is moved in by the arrow keys
          role="grid"
          aria-label="Acceptance criteria by iteration"
          onClick={onClick}
          onMouseOver={onOver}
          onFocus={onOver}
          onMouseLeave={() => shown.set(pinned.get())}
          onKeyDown={onKeyDown}
          className="border-separate border-spacing-0"
        >
          <thead>
            <tr>
              <th
                scope="col"
                className="sticky top-0 left-0 z-20 border-b border-line bg-bg py-1 pr-2 pl-4 text-left text-small font-normal text-soft @4xl:pl-0"
              >
                Criterion
              </th>
              {iterations.map((iteration, index) => (
                <th key={iteration} scope="col" className="sticky top-0 z-10 border-b border-line bg-bg p-0">
                  <button
                    type="button"
                    tabIndex={-1}
                    aria-label={`Iteration ${iteration}`}
                    aria-current={index === column ? "true" : undefined}
                    onClick={() => onChoose(iteration)}
                    className={`figure h-6 w-full min-w-6 rounded-sm px-1 ${index === column ? "bg-run-tint font-semibold text-run" : "text-soft hover:bg-raise hover:text-ink"}`}
                  >
                    {iteration}
                  </button>
                </th>
              ))}
              <td className="sticky top-0 w-full border-b border-line bg-bg pr-4" />
            </tr>
          </thead>
          <tbody>
            {rows.map((row, index) => (
              <Row
                key={row.key}
                row={row}
                index={index}
                iterations={iterations}
                focus={focus.row === index ? focus.column : null}
                chosen={column}
              />
            ))}
          </tbody>
        </table>
      </div>
      <Legend />
      <Detail id={id} matrix={matrix} shown={shown} changed={changed} />
    </>
  );
}

function placeOf(target: EventTarget): Place | null {
  const text = (target as HTMLElement).closest<HTMLElement>("[data-cell]")?.dataset.cell;
  if (text === undefined) return null;
  const [row = 0, column = 0] = text.split(" ").map(Number);
  return { row, column };
}

const Row = memo(
  function Row({
    row,
    index,
    iterations,
    focus,
    chosen,
  }: {
    row: MatrixRow;
    index: number;
    iterations: number[];
    /** The column that keys go on from, when it is in this row. */
    focus: number | null;
    chosen: number;
  }) {
    return (
      <tr className="group/row">
        <th
          scope="row"
          title={row.criterion}
          className="sticky left-0 z-10 max-w-0 min-w-[11.5rem] border-b border-line bg-bg py-1 pr-2 pl-4 text-left font-normal group-hover/row:bg-panel @lg:min-w-[18rem] @4xl:pl-0 @7xl:min-w-[24rem]"
        >
          <span className={`line-clamp-2 leading-[1.125rem] ${row.gone ? "text-soft line-through" : ""}`}>
            <Ticked text={row.criterion} />
          </span>
        </th>
        {row.cells.map((cell, column) => {
          const { glyph, word, look } = lookOf(cell?.satisfied);
          return (
            <td
              // biome-ignore lint/suspicious/noArrayIndexKey: a column has no other identity
              key={column}
              data-cell={`${index} ${column}`}
              tabIndex={focus === column ? 0 : -1}
              aria-label={`Iteration ${iterations[column]}: ${word}`}
              className={`cursor-pointer border-b border-line px-1 text-center leading-6 font-semibold -outline-offset-2 ${look} ${column === chosen ? "bg-run-tint" : "group-hover/row:bg-panel"} hover:bg-raise`}
            >
              {glyph}
            </td>
          );
        })}
        <td className="border-b border-line group-hover/row:bg-panel" />
      </tr>
    );
  },
  (a, b) =>
    a.index === b.index &&
    a.focus === b.focus &&
    a.chosen === b.chosen &&
    a.row.criterion === b.row.criterion &&
    a.row.gone === b.row.gone &&
    a.row.cells.length === b.row.cells.length &&
    a.row.cells.every((cell, at) => cell?.satisfied === b.row.cells[at]?.satisfied),
);

function Legend() {
  return (
    <p className="flex flex-wrap gap-x-4 text-small text-soft">
      {[...glyphs.values()].map(({ glyph, word, look }) => (
        <span key={word}>
          <span aria-hidden="true" className={`mr-1 font-semibold ${look}`}>
            {glyph}
          </span>
          {word}
        </span>
      ))}
    </p>
  );
}

/** What the cell under the pointer, or the chosen one, stands on. Its place is kept free, so that nothing moves. */
function Detail({
  id,
  matrix,
  shown,
  changed,
}: {
  id: string;
  matrix: Matrix;
  shown: Store<Place | null>;
  changed: ReadonlySet<string>;
}) {
  const place = useStore(shown, (value) => value);
  const row = place === null ? undefined : matrix.rows[place.row];
  const cell = place === null ? null : (row?.cells[place.column] ?? null);
  const iteration = place === null ? undefined : matrix.iterations[place.column];
  return (
    <section
      aria-label="What it stands on"
      aria-live="polite"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
      className="h-36 overflow-y-auto rounded-md bg-panel px-3 py-2"
    >
      {row === undefined || iteration === undefined ? (
        <p className="text-soft">Point at a cell, or move there with the arrow keys, to see what it stands on.</p>
      ) : (
        <VerdictWords id={id} criterion={row.criterion} verdict={cell} iteration={iteration} changed={changed} />
      )}
    </section>
  );
}

function VerdictWords({
  id,
  criterion,
  verdict,
  iteration,
  changed,
}: {
  id: string;
  criterion: string;
  verdict: CriterionVerdict | null;
  iteration: number;
  changed: ReadonlySet<string>;
}) {
  const { word, look } = lookOf(verdict?.satisfied);
  return (
    <div className="flex flex-col gap-1 [overflow-wrap:anywhere]">
      <p className="text-small">
        <span className={`font-medium ${look === none.look ? "text-soft" : look}`}>
          {word.charAt(0).toUpperCase() + word.slice(1)}
        </span>
        <span className="text-soft"> in iteration {iteration}</span>
      </p>
      <p>
        <Ticked text={criterion} />
      </p>
      {verdict?.note !== undefined && <p className="text-soft">{verdict.note}</p>}
      {verdict !== null && verdict.evidence.length === 0 && (
        <p className="text-small text-soft">No evidence was given.</p>
      )}
      {verdict?.evidence.map((evidence, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: never changed
        <EvidenceLine key={index} id={id} evidence={evidence} changed={changed} />
      ))}
    </div>
  );
}

/** What a verdict stands on: a place in the code, a test, or what was seen. */
function EvidenceLine({
  id,
  evidence: { file, line, test, output },
  changed,
}: {
  id: string;
  evidence: Evidence;
  changed: ReadonlySet<string>;
}) {
  return (
    <div className="flex flex-col text-small">
      <p className="flex flex-wrap gap-x-3">
        {file !== undefined &&
          (changed.has(file) ? (
            <Link href={hrefOf(id, "changes", { file })} className="figure text-run underline-offset-2 hover:underline">
              {file}
              {line === undefined ? "" : `:${line}`}
            </Link>
          ) : (
            <span className="figure">
              {file}
              {line === undefined ? "" : `:${line}`}
            </span>
          ))}
        {test !== undefined && <span>test “{test}”</span>}
      </p>
      {output !== undefined && <pre className="figure whitespace-pre-wrap text-soft">{output}</pre>}
    </div>
  );
}

/** How many criteria hold, in the newest judgement. */
export function CriteriaCount({ criteria }: { criteria: readonly CriterionVerdict[] }) {
  const { yes, no, unverifiable } = useMemo(() => countsOf(criteria), [criteria]);
  return (
    <span className="figure">
      <span className={no === 0 && unverifiable === 0 ? "text-good" : "text-ink"}>{yes}</span>
      <span className="text-soft"> of {criteria.length}</span>
      {unverifiable > 0 && <span className="text-need"> · {unverifiable} cannot be verified</span>}
    </span>
  );
}
