import {
  type BundleLine,
  type Captures,
  type CapturesIntake,
  type Clock,
  type DurableEvent,
  type Journal,
  type Lease,
  type Loop,
  type LoopConfig,
  LoopId,
  type LoopImport,
  type LoopState,
  type LoopView,
} from "@ralpher/contract";
import { compileStopPattern } from "../stop-pattern.ts";
import { invalid, readBundle } from "./read-bundle.ts";

export interface ImportParts {
  journal: Journal;
  captures: Captures;
  clock: Clock;
  newId: () => string;
}

/** See Hub. */
export async function importLoop(
  parts: ImportParts,
  source: LoopImport | AsyncIterable<Uint8Array>,
): Promise<LoopView> {
  return Symbol.asyncIterator in source ? await importBundle(parts, source) : await importAlone(parts, source);
}

async function importAlone(parts: ImportParts, loop: LoopImport): Promise<LoopView> {
  compileStopPattern(loop.config.stopPattern);
  await using place = await takePlace(parts, loop.config.id);
  const event = imported(parts, place.id, loop);
  return await parts.journal.takeIn(
    place.id,
    (async function* () {
      yield event;
    })(),
  );
}

async function importBundle(parts: ImportParts, packed: AsyncIterable<Uint8Array>): Promise<LoopView> {
  const lines = readBundle(packed);
  try {
    const { value: head } = await lines.next();
    if (head?.type !== "ralpher-loop") throw invalid("it is empty");
    compileStopPattern(head.loop.config.stopPattern);
    return await importHistory(parts, head.loop, lines);
  } finally {
    await lines.return();
  }
}

async function importHistory(parts: ImportParts, loop: Loop, lines: AsyncIterable<BundleLine>): Promise<LoopView> {
  await using place = await takePlace(parts, loop.config.id);
  await using intake = parts.captures.openIntake();
  let isKept = false;
  const events = async function* (): AsyncGenerator<DurableEvent, void, void> {
    yield* history(lines, place.id, intake);
    isKept = true;
    await intake.keep(place.id);
    yield imported(parts, place.id, loop);
  };
  try {
    return await parts.journal.takeIn(place.id, events());
  } catch (error) {
    if (isKept) await parts.captures.remove(place.id);
    throw error;
  }
}

/** The id that it has here, held until it is in: its own, unless that is taken. */
async function takePlace(
  { journal, newId }: ImportParts,
  wanted: string | undefined,
): Promise<{ id: LoopId } & AsyncDisposable> {
  const own = LoopId.safeParse(wanted).data;
  if (own !== undefined) {
    const lease = await journal.lease(own);
    if (lease !== null && (await journal.find(own)) === null) return hold(own, lease);
    await lease?.[Symbol.asyncDispose]();
  }
  const id = LoopId.parse(newId());
  return hold(id, await journal.lease(id));
}

function hold(id: LoopId, lease: Lease | null): { id: LoopId } & AsyncDisposable {
  return {
    id,
    async [Symbol.asyncDispose]() {
      await lease?.[Symbol.asyncDispose]();
    },
  };
}

/** The events it brings along, as this loop's; its captures go aside. */
async function* history(
  lines: AsyncIterable<BundleLine>,
  id: LoopId,
  intake: CapturesIntake,
): AsyncGenerator<DurableEvent, void, void> {
  let events = 0;
  for await (const line of lines) {
    if (line.type === "capture") await intake.write(line.name, line.text);
    if (line.type === "end" && line.events !== events) {
      throw invalid(`${line.events} events were written and ${events} are there`);
    }
    if (line.type !== "event") continue;
    events += 1;
    const isBeginning = line.event.type === "loop.created" || line.event.type === "loop.imported";
    if (events === 1 && !isBeginning) throw invalid("its first event is not that of its making");
    if (line.event.type === "loop.deleted") throw invalid("it was deleted");
    yield belongingTo(id, line.event);
  }
}

function belongingTo(id: LoopId, event: DurableEvent): DurableEvent {
  switch (event.type) {
    case "loop.created":
    case "loop.updated":
      return { ...event, loopId: id, config: { ...event.config, id } };
    case "loop.imported":
      return { ...event, loopId: id, config: { ...event.config, id }, state: { ...event.state, id } };
    default:
      return { ...event, loopId: id };
  }
}

function imported({ clock }: ImportParts, id: LoopId, { config, state }: LoopImport): DurableEvent {
  const at = clock.now().toISOString();
  const whole: LoopConfig = { ...config, id, createdAt: config.createdAt ?? at, updatedAt: config.updatedAt ?? at };
  return { type: "loop.imported", loopId: id, at, config: whole, state: { ...restingState(state), id } };
}

/** What only meant something where it ran: who waits to hear what, in which session. */
function restingState(state: LoopImport["state"]): Omit<LoopState, "id"> {
  const { queued: _, session: _s, asked: _a, waitingUntil: _w, ...rest } = state as LoopState;
  return rest;
}
