import type { Database } from "bun:sqlite";
import { existsSync, mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, resolve } from "node:path";
import type {
  Closed,
  DependencyKind,
  LineProblem,
  Project,
  ProjectChoice,
  ReadyItem,
  RepairReport,
  SyncReport,
  WorkItem,
  WorkItemChanges,
  WorkItemDetail,
  WorkItemDraft,
  WorkItemId,
  WorkItemQuery,
  WorkItems,
  WorkItemTree,
  WorkSnapshot,
} from "@ralpher/contract";
import { Fault, isFault } from "@ralpher/contract/fault";
import {
  type Change,
  closeItem,
  freeId,
  insertComment,
  insertDependency,
  insertItem,
  moveItem,
  requireValid,
  setParent,
  updateItem,
} from "./change.ts";
import { traceHome } from "./home.ts";
import * as rows from "./item-rows.ts";
import { itemsFile } from "./items-file.ts";
import { type Place, placeOf, requireInitialized, requireProject } from "./place.ts";
import { repairItems } from "./repair.ts";
import { TraceStore } from "./trace-store.ts";
import { type Clock, createStamps } from "./trace-time.ts";

export interface WorkItemsOptions {
  /** The folder from which items are seen: in a checkout, in a worktree, or (for other projects only) in neither. */
  directory: string;
  /** Trace's folder. Default: as `traceHome` says. */
  home?: string | undefined;
  clock?: Clock | undefined;
  /** Hears of lines that could not be taken in whole. */
  onProblem?: ((problem: LineProblem) => void) | undefined;
}

/** Open the work items as seen from a folder. Nothing is read before the first method is called. Must be closed. */
export function openWorkItems(options: WorkItemsOptions): WorkItems {
  const { directory, home = traceHome(), clock = Date.now, onProblem = () => {} } = options;
  return new TraceItems(new TraceStore({ directory, home, stamp: createStamps(clock), onProblem }));
}

const defaultDepth = 10;
const mostComments = 200;

class TraceItems implements WorkItems {
  readonly #store: TraceStore;

  constructor(store: TraceStore) {
    this.#store = store;
  }

  async init({ file: wanted = true }: { file?: boolean | undefined } = {}) {
    const checkout = this.#checkout();
    const file = itemsFile(checkout.root);
    return await this.#store.change(
      (db) => [placeOf(db, checkout)],
      ({ db, touch }) => {
        const { id, path } = checkout.project;
        rows.registerProject(db, checkout.project);
        if (wanted && !existsSync(file)) {
          mkdirSync(dirname(file), { recursive: true });
          writeFileSync(file, "", { flag: "a" });
        }
        touch(id);
        return { project: { ...checkout.project, path }, path: file };
      },
    );
  }

  async project(choice: ProjectChoice = {}): Promise<Project> {
    return await this.#store.read(
      () => [],
      (db) => this.#choose(db, choice).project,
    );
  }

  async list(query: WorkItemQuery = {}): Promise<WorkItem[]> {
    return await this.#readRows(query, (db, found) => rows.toItems(db, found));
  }

  async ready(query: WorkItemQuery = {}): Promise<ReadyItem[]> {
    return await this.#readRows(query, (db, found) => {
      const blocked = rows.blockedIds(db);
      const items = rows.toItems(
        db,
        found.filter(({ id }) => !blocked.has(id)),
      );
      const parents = rows.parentsOfAll(db);
      return items.map((item) => ({ ...item, parents: parents.get(item.id) ?? [] }));
    });
  }

  async require(id: WorkItemId): Promise<WorkItemDetail> {
    return await this.#readItem(id, (db) => {
      const item = rows.readItem(db, id);
      const titles = item.dependencies.map(({ dependsOnId }): [string, string] => [
        dependsOnId,
        rows.findRow(db, dependsOnId)?.title ?? "(unknown)",
      ]);
      return {
        ...item,
        comments: rows.commentsOf(db, id),
        children: rows.toItems(db, rows.childRows(db, id)),
        titles: Object.fromEntries(titles),
      };
    });
  }

  async tree(id: WorkItemId, maxDepth = defaultDepth): Promise<WorkItemTree> {
    return await this.#readItem(id, (db) => readTree(db, rows.requireRow(db, id), maxDepth, []));
  }

  async comments({ after = "" }: { after?: string | undefined } = {}) {
    const checkout = this.#checkout();
    return await this.#store.read(
      (db) => [placeOf(db, checkout)],
      (db) => rows.commentsIn(db, checkout.project.id, after),
    );
  }

  async snapshot(rootId: WorkItemId): Promise<WorkSnapshot> {
    return await this.#readItem(rootId, (db) =>
      // One transaction, so that what is said between two of its queries is in none of them.
      db.transaction(() => {
        const { project_id } = rows.requireRow(db, rootId);
        const found = rows.subtreeRows(db, rootId);
        return {
          items: rows.toItems(db, found),
          comments: rows.newestComments(db, found, mostComments),
          cursor: rows.latestIn(db, project_id),
        };
      })(),
    );
  }

  stamp(): string {
    return this.#store.stampOf();
  }

  async create(draft: WorkItemDraft, choice: ProjectChoice = {}): Promise<WorkItem> {
    requireValid(draft);
    const locate = (db: Database) => {
      const place = this.#choose(db, choice);
      requireInitialized(db, place);
      return [place];
    };
    return await this.#store.change(locate, (change) => {
      const { db, touch } = change;
      const { project } = this.#choose(db, choice);
      const id = freeId(db, project.name, draft.title);
      insertItem(change, { id, projectId: project.id, draft });
      if (draft.parentId !== undefined) insertDependency(change, id, draft.parentId, "parent");
      if (draft.dependsOnId !== undefined) insertDependency(change, id, draft.dependsOnId, "blocks");
      touch(project.id);
      return rows.readItem(db, id);
    });
  }

  async update(id: WorkItemId, changes: WorkItemChanges): Promise<WorkItem> {
    requireValid(changes);
    return await this.#changeItem(id, (change) => updateItem(change, id, changes));
  }

  async reopen(id: WorkItemId, status: "open" | "in_progress" | "blocked" = "open"): Promise<WorkItem> {
    return await this.update(id, { status });
  }

  async close(ids: WorkItemId[], options: Parameters<WorkItems["close"]>[1] = {}): Promise<Closed> {
    const { force = false, message, source } = options;
    const locate = (db: Database) => [
      ...this.#own(db),
      ...ids.flatMap((id) => {
        const place = attempt(() => this.#placeOfItem(db, id));
        return isFault(place) ? [] : [place];
      }),
    ];
    return await this.#store.change(locate, (change) => {
      const closed: WorkItem[] = [];
      const refused: Closed["refused"] = [];
      for (const id of ids) {
        const outcome = attempt(() => {
          requireInitialized(change.db, this.#placeOfItem(change.db, id));
          closeItem(change, id, force);
          if (message !== undefined) insertComment(change, id, { content: message, source });
          const item = rows.readItem(change.db, id);
          change.touch(item.projectId);
          return item;
        });
        if (isFault(outcome)) refused.push({ id, fault: outcome });
        else closed.push(outcome);
      }
      return { closed, refused };
    });
  }

  async comment(id: WorkItemId, comment: Parameters<WorkItems["comment"]>[1]) {
    return await this.#changeItem(
      id,
      (change) => insertComment(change, id, comment),
      (_item, said) => said,
    );
  }

  async reparent(id: WorkItemId, parentId: WorkItemId | null): Promise<WorkItem> {
    return await this.#changeItem(id, (change) => setParent(change, id, parentId));
  }

  async addDependency(id: WorkItemId, dependsOnId: WorkItemId, type: DependencyKind): Promise<WorkItem> {
    return await this.#changeItem(id, (change) => insertDependency(change, id, dependsOnId, type));
  }

  async removeDependency(id: WorkItemId, dependsOnId: WorkItemId): Promise<WorkItem> {
    return await this.#changeItem(id, ({ db }) => {
      db.run("DELETE FROM dependencies WHERE issue_id = ? AND depends_on_id = ?", [id, dependsOnId]);
    });
  }

  async move(id: WorkItemId, project: string) {
    const target = (db: Database) => {
      const place = this.#choose(db, { project });
      requireInitialized(db, place);
      return place;
    };
    // An item that is not there is said before a project that is not; a folder's newer file may still bring the item.
    const locate = (db: Database) => {
      const places = this.#locateForChange(db, id);
      return rows.findRow(db, id) === null ? places : [...places, target(db)];
    };
    return await this.#store.change(locate, (change) => {
      const { db } = change;
      const row = rows.requireRow(db, id);
      const from = this.#store.placeFor(db, row.project_id).project;
      const to = target(db).project;
      const newId = freeId(db, to.name, row.title);
      moveItem(change, row, { id: newId, projectId: to.id });
      return { item: rows.readItem(db, newId), from, to };
    });
  }

  async repair({ project, dryRun = false }: Parameters<WorkItems["repair"]>[0] = {}): Promise<RepairReport> {
    const work = (db: Database, touch: (id: string) => void): RepairReport => {
      const projectId = project === undefined ? undefined : this.#choose(db, { project }).project.id;
      const { projects, ...counts } = repairItems(db, { projectId, dryRun });
      for (const id of projects) touch(id);
      const affected = projects.map((id) => ({
        path: rows.findProject(db, "id", id)?.path ?? id,
        items: rows.listRows(db, { projectId: id }).length,
      }));
      return { ...counts, affected };
    };
    if (dryRun) {
      return await this.#store.read(
        () => [],
        (db) => work(db, () => {}),
      );
    }
    return await this.#store.change(
      () => [],
      ({ db, touch }) => work(db, touch),
    );
  }

  async sync(): Promise<SyncReport> {
    const checkout = this.#checkout();
    return await this.#store.change(
      (db) => {
        const place = placeOf(db, checkout);
        requireInitialized(db, place);
        return [place];
      },
      ({ touch }, [report]) => {
        touch(checkout.project.id);
        return report as SyncReport;
      },
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#store.close();
  }

  /** @throws Fault `not_a_repository` */
  #checkout() {
    const checkout = this.#store.checkout();
    if (checkout === null) throw new Fault("not_a_repository", { directory: this.#store.directory });
    return checkout;
  }

  #own(db: Database): Place[] {
    const checkout = this.#store.checkout();
    return checkout === null ? [] : [placeOf(db, checkout)];
  }

  #choose(db: Database, { project }: ProjectChoice): Place {
    if (project === undefined) return placeOf(db, this.#checkout());
    const { directory } = this.#store;
    return this.#store.placeFor(db, requireProject(db, project, (path) => realPath(directory, path)).id);
  }

  /** @throws Fault `work_item_not_found`, `project_unknown` */
  #placeOfItem(db: Database, id: WorkItemId): Place {
    return this.#store.placeFor(db, rows.requireRow(db, id).project_id);
  }

  /** The item's place too, unless it is not known (yet): its line may be in the folder's newer file. */
  #locate(db: Database, id: WorkItemId): Place[] {
    const place = attempt(() => this.#placeOfItem(db, id));
    return isFault(place) ? this.#own(db) : [...this.#own(db), place];
  }

  #locateForChange(db: Database, id: WorkItemId): Place[] {
    const places = this.#locate(db, id);
    const row = rows.findRow(db, id);
    if (row !== null) requireInitialized(db, this.#store.placeFor(db, row.project_id));
    return places;
  }

  async #readRows<T>(
    { project, statuses }: WorkItemQuery,
    work: (db: Database, found: rows.ItemRow[]) => T,
  ): Promise<T> {
    if (project === "any") {
      return await this.#store.read(
        (db) => this.#own(db),
        (db) => work(db, rows.listRows(db, { statuses })),
      );
    }
    return await this.#store.read(
      (db) => [this.#choose(db, { project })],
      (db) => work(db, rows.listRows(db, { projectId: this.#choose(db, { project }).project.id, statuses })),
    );
  }

  async #readItem<T>(id: WorkItemId, work: (db: Database) => T): Promise<T> {
    return await this.#store.read((db) => this.#locate(db, id), work);
  }

  async #changeItem(id: WorkItemId, work: (change: Change) => void): Promise<WorkItem>;
  async #changeItem<D, T>(
    id: WorkItemId,
    work: (change: Change) => D,
    answer: (item: WorkItem, done: D) => T,
  ): Promise<T>;
  async #changeItem<D>(id: WorkItemId, work: (change: Change) => D, answer?: (item: WorkItem, done: D) => unknown) {
    return await this.#store.change(
      (db) => this.#locateForChange(db, id),
      (change) => {
        const { project_id } = rows.requireRow(change.db, id);
        requireInitialized(change.db, this.#store.placeFor(change.db, project_id));
        const done = work(change);
        change.touch(project_id);
        const item = rows.readItem(change.db, id);
        return answer === undefined ? item : answer(item, done);
      },
    );
  }
}

/** The value, or the fault as one. */
function attempt<T>(work: () => T): T | Fault {
  try {
    return work();
  } catch (error) {
    if (isFault(error)) return error;
    throw error;
  }
}

/** Children of children, `depth` levels of them. A cycle, which an imported file can hold, ends where it closes. */
function readTree(db: Database, row: rows.ItemRow, depth: number, above: WorkItemId[]): WorkItemTree {
  const path = [...above, row.id];
  const children = depth <= 0 ? [] : rows.childRows(db, row.id).filter(({ id }) => !path.includes(id));
  return {
    item: rows.toItem(row, rows.dependenciesOf(db, row.id)),
    children: children.map((child) => readTree(db, child, depth - 1, path)),
  };
}

function realPath(directory: string, path: string): string {
  const full = resolve(directory, path === "~" || path.startsWith("~/") ? homedir() + path.slice(1) : path);
  return existsSync(full) ? realpathSync(full) : full;
}
