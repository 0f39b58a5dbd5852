/** Opens an SQLite file for one process, with prepared statements; the only file that imports node-sqlite3-wasm. */
import { rmSync } from "node:fs";
import { setFlagsFromString } from "node:v8";
import type { Database as Connection, Statement } from "node-sqlite3-wasm";
import { OutputError } from "../../outcome.js";
import { messageOf } from "../../thrown.js";

// V8 optimizes the few functions of SQLite that are a hundred kilobytes long as soon as they run, which takes .8 s of
// CPU time at the start of every crawl, and saves nothing over 4,000 pages (docs/speed.md). A WebAssembly module keeps
// the budget with which it was loaded; later modules get the default of V8 12 and later.
setFlagsFromString("--wasm-tiering-budget=1000000000");
const { default: sqlite } = await import("node-sqlite3-wasm");
setFlagsFromString("--wasm-tiering-budget=13000000");

export type Value = string | number | null;
export type Row = Readonly<Record<string, Value>>;

/** A database with one open transaction, which `commit` ends. */
export interface Database {
  /** Runs a statement; returns the number of changed rows, and the id of the last inserted row. */
  run(sql: string, ...values: readonly Value[]): { readonly changes: number; readonly id: number };
  /** Returns the first row of a query. */
  get(sql: string, ...values: readonly Value[]): Row | undefined;
  /** Returns all rows of a query. */
  all(sql: string, ...values: readonly Value[]): readonly Row[];
  /** Makes all statements durable that ran since the last commit. */
  commit(): void;
  /** Discards changes that were not committed. A second call does nothing. */
  close(): void;
}

/**
 * Opens a database. Everything runs in a transaction that `commit` ends, so if a process dies, the file is as the last
 * commit left it. This needs the write-ahead log: with the other journal modes, this library takes its own lock for
 * that of another process, and never rolls back. `name` is the name of the file in messages. The caller must hold a
 * lock of its own. Throws OutputError, also in later calls, if the file is damaged or cannot be written.
 */
export function openDatabase(path: string, name: string): Database {
  // The lock of the library is a folder that outlives a killed process; the caller's lock keeps other processes out.
  rmSync(`${path}.lock`, { recursive: true, force: true });
  const tell = (cause: unknown): OutputError => {
    return new OutputError(`${name} is damaged or cannot be written: ${messageOf(cause)}`, { cause });
  };
  const guard = <T>(work: () => T): T => {
    try {
      return work();
    } catch (cause) {
      if (cause instanceof sqlite.SQLite3Error) throw tell(cause);
      throw cause;
    }
  };
  const connection = guard(() => connect(path));
  const statements = new Map<string, Statement>();
  const prepare = (sql: string): Statement => {
    const known = statements.get(sql);
    if (known !== undefined) return known;
    const statement = connection.prepare(sql);
    statements.set(sql, statement);
    return statement;
  };
  return {
    run: (sql, ...values) =>
      guard(() => {
        const { changes, lastInsertRowid } = prepare(sql).run([...values]);
        return { changes, id: Number(lastInsertRowid) };
      }),
    // Our numbers are integers below 2^53, and no blobs are stored, so rows have the values that `Row` allows.
    get: (sql, ...values) => guard(() => prepare(sql).all([...values])[0] as Row | undefined),
    all: (sql, ...values) => guard(() => prepare(sql).all([...values]) as Row[]),
    commit: () => {
      guard(() => {
        connection.exec("COMMIT; BEGIN IMMEDIATE");
      });
    },
    close: () => {
      if (!connection.isOpen) return;
      guard(() => {
        if (connection.inTransaction) connection.exec("ROLLBACK");
        for (const statement of statements.values()) statement.finalize();
        connection.close();
      });
    },
  };
}

/** KiB of the file that are cached in memory. */
const CACHE_KIB = 16_384;

function connect(path: string): Connection {
  const connection = new sqlite.Database(path);
  try {
    connection.exec("PRAGMA locking_mode = EXCLUSIVE");
    const [mode] = connection.all("PRAGMA journal_mode = WAL");
    if (mode?.["journal_mode"] !== "wal") throw new Error("SQLite cannot keep a write-ahead log here");
    connection.exec(`PRAGMA synchronous = FULL; PRAGMA cache_size = -${CACHE_KIB}; BEGIN IMMEDIATE`);
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
}
