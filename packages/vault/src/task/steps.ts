import type { TaskStep } from "@ralpher/contract";
import { indentOf, splitLines } from "../markdown/lines.ts";
import { type Box, type Item, type OutlineLine, readOutline } from "../markdown/outline.ts";
import { readLineBelow, readStepLine } from "../markdown/verify.ts";

/** A step with where its box is. */
export interface Step extends TaskStep {
  box: Box;
  /** The step right above it that it belongs to. */
  parent: Step | null;
  children: Step[];
}

interface Draft {
  words: string;
  /** Of the headings it stands below. */
  headings: string[];
  below: string[];
  verify: string | null | undefined;
  line: number;
  /** Where its words begin. */
  column: number;
  box: Box;
  parent: Draft | null;
}

/**
 * The steps of a text in the order they stand there, from where its body begins, and its first heading. Boxes in code,
 * comments and quotations are no steps, nor is a box without words. `verify`: the check of those that name none.
 */
export function readSteps(
  text: string,
  { bodyFrom, verify }: { bodyFrom: number; verify: string | null },
): { steps: Step[]; heading: string | null } {
  const outline = readOutline(splitLines(text, bodyFrom));
  const heading = outline.find((line) => line.kind === "heading" && line.words !== "");
  return {
    steps: finish(collect(outline), verify),
    heading: heading?.kind === "heading" ? heading.words : null,
  };
}

function collect(outline: OutlineLine[]): Draft[] {
  const drafts: Draft[] = [];
  const ofItem = new Map<Item, Draft>();
  const owner = (item: Item | null): Draft | null => {
    for (let at = item; at !== null; at = at.parent) {
      const found = ofItem.get(at);
      if (found !== undefined) return found;
    }
    return null;
  };
  let headings: { level: number; words: string }[] = [];
  let last: Draft | null = null;
  for (const line of outline) {
    if (line.kind === "heading") {
      headings = [...headings.filter(({ level }) => level < line.level), { level: line.level, words: line.words }];
      last = null;
    } else if (line.kind === "item" && line.box !== null && readStepLine(line.content).words !== "") {
      const { words, verify } = readStepLine(line.content);
      last = {
        words,
        verify,
        headings: headings.map((above) => above.words).filter((above) => /^\d+(\.\d+)*[.):]?[ \t]/.test(above)),
        below: [],
        line: line.number,
        column: line.item.contentColumn,
        box: line.box,
        parent: owner(line.item.parent),
      };
      ofItem.set(line.item, last);
      drafts.push(last);
    } else if (line.kind === "blank") last?.below.push("");
    else if (line.kind === "text" || line.kind === "item" || line.kind === "code") {
      last = owner(line.item);
      if (last !== null) addBelow(last, line, line.kind === "code");
    }
  }
  return drafts;
}

function addBelow(step: Draft, line: OutlineLine, isCode: boolean): void {
  const text = line.text.trimEnd();
  const { words, verify } = isCode ? { words: text, verify: undefined } : readLineBelow(text);
  if (verify !== undefined) step.verify = verify;
  if (words !== "") step.below.push(dedent(words, step.column));
}

function finish(drafts: Draft[], verify: string | null): Step[] {
  const keys = createKeys(drafts);
  const made = new Map<Draft, Step>();
  const steps = drafts.map((draft) => {
    const parent = draft.parent === null ? null : (made.get(draft.parent) ?? null);
    const step: Step = {
      ...keys(draft),
      text: [draft.words, ...draft.below].join("\n").trimEnd(),
      line: draft.line,
      depth: parent === null ? 0 : parent.depth + 1,
      done: draft.box.isTicked,
      isParent: false,
      verify: draft.verify !== undefined ? draft.verify : parent === null ? verify : parent.verify,
      box: draft.box,
      parent,
      children: [],
    };
    if (parent !== null) {
      parent.children.push(step);
      parent.isParent = true;
    }
    made.set(draft, step);
    return step;
  });
  // A parent stands above its children.
  for (const step of steps.toReversed()) if (step.isParent) step.done = step.children.every(({ done }) => done);
  return steps;
}

/** Between the words of a path, and those of the step. */
export const pathSign = " › ";

/**
 * What each is called: its words alone where no other place has them, else with the path before them, whichever of them
 * comes first. Only the same words at the same path get a number: `Write tests (2)`.
 */
function createKeys(drafts: Draft[]): (draft: Draft) => Pick<Step, "key" | "path" | "twins"> {
  const paths = pathsOf(drafts);
  const placesOf = new Map<string, Map<string, number>>();
  const placeOf = (draft: Draft) => JSON.stringify(paths.get(draft));
  for (const draft of drafts) {
    const places = placesOf.get(draft.words) ?? new Map<string, number>();
    placesOf.set(draft.words, places.set(placeOf(draft), (places.get(placeOf(draft)) ?? 0) + 1));
  }
  const unique = createNumbers();
  return (draft) => {
    const path = paths.get(draft) ?? [];
    const places = placesOf.get(draft.words);
    const name = (places?.size ?? 0) > 1 ? [...path, draft.words].join(pathSign) : draft.words;
    return { key: unique(name), path, twins: places?.get(placeOf(draft)) ?? 1 };
  };
}

/** The words of what each belongs to. A parent stands above its children. */
function pathsOf(drafts: Draft[]): Map<Draft, string[]> {
  const paths = new Map<Draft, string[]>();
  for (const draft of drafts) {
    const { parent, headings } = draft;
    paths.set(draft, parent === null ? headings : [...(paths.get(parent) ?? []), parent.words]);
  }
  return paths;
}

function createNumbers(): (name: string) => string {
  const taken = new Set<string>();
  const numbers = new Map<string, number>();
  return (name) => {
    let key = name;
    while (taken.has(key)) {
      const number = (numbers.get(name) ?? 1) + 1;
      numbers.set(name, number);
      key = `${name} (${number})`;
    }
    taken.add(key);
    return key;
  };
}

/** Without the indentation of the step's words. */
function dedent(text: string, columns: number): string {
  let at = 0;
  while (at < text.length && /[ \t]/.test(text.charAt(at)) && indentOf(text.slice(0, at + 1)).column <= columns) at++;
  return text.slice(at);
}
