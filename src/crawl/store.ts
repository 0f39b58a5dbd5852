/** The state of a crawl in a folder: what is known of URLs and hosts, and how far the caller and the archive are. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { UsageError } from "../outcome.js";
import { openDatabase, type Database } from "./database.js";
import { createHostTable, type HostTable } from "./host-table.js";
import { createTables, readVersion, STATE_VERSION } from "./schema.js";
import { createUrlTable, type UrlTable } from "./url-table.js";

/** What is remembered besides tables. */
export interface Marks {
  /** The last event that the caller has said to be durable. */
  readonly confirmed: number;
  /** The last event that there is. */
  readonly recorded: number;
  /** The archive's file that is being written, from 1, and its bytes; 0 where there is none. */
  readonly warcFile: number;
  readonly warcBytes: number;
  /** 1 while a run is under way: one that finds it did not end in order. */
  readonly isRunning: 0 | 1;
}

export interface Store {
  readonly urls: UrlTable;
  readonly hosts: HostTable;
  readonly marks: Marks;
  mark(marks: Partial<Marks>): void;
  /** Makes durable all that was changed since the last time. */
  commit(): void;
  /** Gives up what was not committed. Closing again does nothing. */
  close(): void;
}

/** Makes the folder where it is not there. Throws OutputError where the state is damaged, UsageError where its version is another. */
export function openStore(dir: string): Store {
  mkdirSync(dir, { recursive: true });
  const database = openDatabase(join(dir, "crawl.sqlite"), `the state of the crawl in ${dir}`);
  try {
    const version = readVersion(database);
    if (version === undefined) createTables(database);
    else if (version !== STATE_VERSION)
      throw new UsageError(
        `the state of the crawl in ${dir} is of version ${String(version)}, and this program knows ${STATE_VERSION}: go on with the version of the program that began it, or crawl into another folder`,
      );
    return createStore(database);
  } catch (error) {
    database.close();
    throw error;
  }
}

const NO_MARKS: Marks = { confirmed: 0, recorded: 0, warcFile: 0, warcBytes: 0, isRunning: 0 };

function createStore(database: Database): Store {
  const rows = database.all("SELECT name, value FROM meta");
  // What `mark` has written has the names and the types of Marks.
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
