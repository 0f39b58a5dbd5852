/** Opens the state of a crawl in a folder: URLs, hosts, and the progress of the caller and the archive. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { UsageError } from "../../outcome.js";
import { openDatabase, type Database, type Value } from "./database.js";
import { createHostTable, type HostTable } from "./host-table.js";
import { createUrlTable, type UrlTable } from "./url-table.js";

/** Values that are stored besides the tables. */
export interface Marks {
  /** The number of the last event that the caller has confirmed. */
  readonly confirmed: number;
  /** The number of the last event. */
  readonly recorded: number;
  /** The number, from 1, of the archive file that is being written, and its bytes; 0 if there is no file. */
  readonly warcFile: number;
  readonly warcBytes: number;
  /** 1 during a run; a run that finds it at its start knows that the one before was interrupted. */
  readonly isRunning: 0 | 1;
  /** The options of the last run on which rejects depend, as JSON; "" if there was no run. */
  readonly limits: string;
  /** The scope in which links of the pages were followed, as JSON; "" before the first run. */
  readonly reach: string;
}

export interface Store {
  readonly urls: UrlTable;
  readonly hosts: HostTable;
  readonly marks: Marks;
  mark(marks: Partial<Marks>): void;
  /** Makes all changes durable since the last commit. */
  commit(): void;
  /** Discards changes that were not committed. A second call does nothing. */
  close(): void;
}

/**
 * Opens the state, and creates the folder if it is missing. Throws OutputError if the state is damaged, UsageError if
 * it has another version.
 */
export function openStore(dir: string): Store {
  mkdirSync(dir, { recursive: true });
  const database = openDatabase(join(dir, "crawl.sqlite"), `the state of the crawl in ${dir}`);
  try {
    const version = readVersion(database);
    if (version === undefined) createTables(database);
    else if (version !== STATE_VERSION)
      throw new UsageError(
        `the state of the crawl in ${dir} has version ${String(version)}, but this program needs ${STATE_VERSION}: continue with the version of the program that began it, or crawl into another folder`,
      );
    database.run(LIST_INDEX);
    return createStore(database);
  } catch (error) {
    database.close();
    throw error;
  }
}

const NO_MARKS: Marks = {
  confirmed: 0,
  recorded: 0,
  warcFile: 0,
  warcBytes: 0,
  isRunning: 0,
  limits: "",
  reach: "",
};

function createStore(database: Database): Store {
  const rows = database.all("SELECT name, value FROM meta");
  // The names and types are those of Marks, because `mark` wrote them.
  const written = Object.fromEntries(rows.map(({ name, value }) => [String(name), value])) as Partial<Marks>;
  let marks: Marks = { ...NO_MARKS, ...written };
  return {
    urls: createUrlTable(database),
    hosts: createHostTable(database),
    get marks() {
      return marks;
    },
    mark(changed) {
      marks = { ...marks, ...changed };
      for (const [name, value] of Object.entries(changed))
        database.run("INSERT OR REPLACE INTO meta VALUES (?, ?)", name, value);
    },
    commit: () => {
      database.commit();
    },
    close: () => {
      database.close();
    },
  };
}

/** The version of the tables; this program cannot read other versions. */
const STATE_VERSION = 1;

/*
 * A URL waits (state 0) or has ended (1). The row of its host counts those that wait. The queue of a host is read by
 * depth, then in the order of discovery; its index has only waiting URLs, so it shrinks as the crawl goes on.
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

/** Finds waiting lists without reading all waiting URLs; states of earlier programs get it when they are opened. */
const LIST_INDEX = "CREATE INDEX IF NOT EXISTS url_list ON url (id) WHERE state = 0 AND kind = 'list'";

/** Creates the tables in an empty database. */
function createTables(database: Database): void {
  for (const sql of TABLES) database.run(sql);
  database.run("INSERT INTO meta VALUES ('version', ?)", STATE_VERSION);
  database.commit();
}

/** Reads the version of the tables; undefined if there are no tables yet. */
function readVersion(database: Database): Value | undefined {
  const table = database.get("SELECT 1 AS found FROM sqlite_schema WHERE name = 'meta'");
  if (table === undefined) return undefined;
  return database.get("SELECT value FROM meta WHERE name = 'version'")?.["value"] ?? null;
}
