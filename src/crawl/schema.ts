/** An empty database into the tables of a crawl's state, with its version. */
import type { Database, Value } from "./database.js";

/** Another number means tables that this program does not know. */
export const STATE_VERSION = 1;

/*
 * A URL waits (state 0) or has ended (1). Its host's row counts those that wait. The queue of a host is read by depth,
 * then in the order of discovery; the index holds only what waits, so that it shrinks as the crawl goes on.
 */
const TABLES = [
  "CREATE TABLE meta (name TEXT PRIMARY KEY, value) WITHOUT ROWID",
  `CREATE TABLE host (
     id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, next_at INTEGER NOT NULL DEFAULT 0,
     waiting INTEGER NOT NULL DEFAULT 0, pages INTEGER NOT NULL DEFAULT 0)`,
  "CREATE INDEX host_waiting ON host (id) WHERE waiting > 0",
  `CREATE TABLE robots (
     origin TEXT PRIMARY KEY, status INTEGER NOT NULL, body TEXT NOT NULL, fetched_at INTEGER NOT NULL) WITHOUT ROWID`,
  `CREATE TABLE url (
     id INTEGER PRIMARY KEY, url TEXT NOT NULL UNIQUE, host INTEGER NOT NULL, kind TEXT NOT NULL, seed INTEGER,
     depth INTEGER NOT NULL, hops INTEGER NOT NULL, state INTEGER NOT NULL DEFAULT 0,
     attempts INTEGER NOT NULL DEFAULT 0, number INTEGER, result TEXT NOT NULL DEFAULT 'waiting', reason TEXT, detail TEXT,
     status INTEGER, content_type TEXT, redirected_to TEXT, bytes INTEGER, ms INTEGER, fetched_at TEXT,
     warc_file TEXT, warc_offset INTEGER, warc_record TEXT, digest TEXT, etag TEXT, last_modified TEXT, page_date TEXT)`,
  "CREATE INDEX url_queue ON url (host, depth, id) WHERE state = 0",
  "CREATE UNIQUE INDEX url_number ON url (number) WHERE number IS NOT NULL",
];

export function createTables(database: Database): void {
  for (const sql of TABLES) database.run(sql);
  database.run("INSERT INTO meta VALUES ('version', ?)", STATE_VERSION);
  database.commit();
}

/** Undefined where there are no tables yet. */
export function readVersion(database: Database): Value | undefined {
  const table = database.get("SELECT 1 AS found FROM sqlite_schema WHERE name = 'meta'");
  if (table === undefined) return undefined;
  return database.get("SELECT value FROM meta WHERE name = 'version'")?.["value"] ?? null;
}
