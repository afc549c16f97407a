import type { Database } from "bun:sqlite";
import { Fault } from "@ralpher/contract/fault";

/** Trace 0.2's. */
const version = "3";

const comments = `
  CREATE TABLE IF NOT EXISTS comments (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    issue_id TEXT NOT NULL REFERENCES issues(id) ON DELETE CASCADE,
    content TEXT NOT NULL,
    source TEXT NOT NULL DEFAULT 'user',
    created_at TEXT NOT NULL
  );
  CREATE INDEX IF NOT EXISTS idx_comments_issue ON comments(issue_id);`;

const tables = `
  CREATE TABLE IF NOT EXISTS issues (
    id TEXT PRIMARY KEY,
    project_id TEXT NOT NULL,
    title TEXT NOT NULL,
    description TEXT DEFAULT '',
    status TEXT DEFAULT 'open' CHECK (status IN ('open', 'in_progress', 'closed', 'blocked')),
    priority INTEGER DEFAULT 2 CHECK (priority >= 0 AND priority <= 4),
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    closed_at TEXT
  );
  CREATE TABLE IF NOT EXISTS projects (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    current_path TEXT NOT NULL
  );
  CREATE TABLE IF NOT EXISTS dependencies (
    issue_id TEXT NOT NULL REFERENCES issues(id) ON DELETE CASCADE,
    depends_on_id TEXT NOT NULL REFERENCES issues(id) ON DELETE CASCADE,
    type TEXT NOT NULL CHECK (type IN ('parent', 'blocks', 'related')),
    created_at TEXT NOT NULL,
    PRIMARY KEY (issue_id, depends_on_id)
  );
  CREATE TABLE IF NOT EXISTS metadata (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL
  );
  ${comments}
  CREATE INDEX IF NOT EXISTS idx_issues_project ON issues(project_id);
  CREATE INDEX IF NOT EXISTS idx_issues_status ON issues(status);
  CREATE INDEX IF NOT EXISTS idx_issues_priority ON issues(priority);
  CREATE INDEX IF NOT EXISTS idx_deps_issue ON dependencies(issue_id);
  CREATE INDEX IF NOT EXISTS idx_deps_depends ON dependencies(depends_on_id);
  INSERT OR IGNORE INTO metadata (key, value) VALUES ('schema_version', '${version}');`;

/** Up to Trace 0.1 a project was (name, path, git_remote); its path becomes its id. */
const projectsFrom1 = `
  ALTER TABLE projects RENAME TO projects_of_version_1;
  CREATE TABLE projects (id TEXT PRIMARY KEY, name TEXT NOT NULL, current_path TEXT NOT NULL);
  INSERT INTO projects (id, name, current_path) SELECT path, name, path FROM projects_of_version_1;
  DROP TABLE projects_of_version_1;`;

/** Make the tables, or bring those of an older Trace up to version 3. @throws Fault `trace_too_new` */
export function requireSchema(db: Database, path: string): void {
  if (versionOf(db) === version) return;
  db.transaction(() => {
    const found = versionOf(db);
    if (found !== null && !(Number(found) <= Number(version))) {
      throw new Fault("trace_too_new", { path, version: found, known: version });
    }
    const columns = db.query<{ name: string }, []>("SELECT name FROM pragma_table_info('projects')").all();
    if (columns.some(({ name }) => name === "path") && !columns.some(({ name }) => name === "id")) {
      db.run(projectsFrom1);
    }
    db.run(tables);
    db.run("UPDATE metadata SET value = ? WHERE key = 'schema_version'", [version]);
  }).immediate();
}

function versionOf(db: Database): string | null {
  const exists = db.query("SELECT 1 FROM sqlite_master WHERE name = 'metadata'").get() !== null;
  if (!exists) return null;
  return (
    db.query<{ value: string }, []>("SELECT value FROM metadata WHERE key = 'schema_version'").get()?.value ?? null
  );
}
