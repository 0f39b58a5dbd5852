/** Stores the URLs of a crawl in its database: the waiting ones by host, and the outcomes of the others. */
import type { Reason } from "../../outcome.js";
import type { CrawlOutcome, CrawlResult } from "../types.js";
import type { Database, Row } from "./database.js";

type EntryKind = "page" | "list";

/** A URL that waits. */
export interface Entry {
  readonly id: number;
  readonly url: string;
  readonly kind: EntryKind;
  readonly seed: string;
  readonly depth: number;
  /** Redirects, or lists in lists, on the way to it. */
  readonly hops: number;
  readonly attempts: number;
  /** What is known of the answer in an earlier crawl. */
  readonly earlier: Earlier;
}

/** Data of an earlier answer, for a conditional request. */
interface Earlier {
  readonly etag?: string;
  readonly lastModified?: string;
  /** When the answer with the page was received. */
  readonly pageDate?: string;
  readonly warcRecord?: string;
  readonly warcFile?: string;
  readonly warcOffset?: number;
  readonly digest?: string;
}

/** How an entry was reached. */
export type Way = Pick<Entry, "seed" | "depth" | "hops">;

/** A URL to add. */
export interface NewEntry {
  readonly url: string;
  readonly kind: EntryKind;
  /** The seed from which it was reached; for a seed, its own URL. */
  readonly seed: string;
  readonly depth: number;
  readonly hops: number;
}

/** The outcome of an entry; with a number it is an event. Columns of absent fields become null. */
export interface Finish
  extends
    Earlier,
    Pick<
      CrawlOutcome,
      | "reason"
      | "detail"
      | "status"
      | "contentType"
      | "redirectedTo"
      | "bytes"
      | "ms"
      | "fetchedAt"
      | "warcFile"
      | "warcOffset"
    > {
  readonly result: Exclude<CrawlResult, "waiting">;
  readonly number?: number;
  /** Set to 0 if no exchange was made; otherwise one is counted. */
  readonly attempts?: 0;
}

/** A row with its place in the order. */
export interface Placed {
  readonly id: number;
  /** The number of its event. */
  readonly number: number;
  readonly outcome: CrawlOutcome;
}

export interface UrlTable {
  /** Adds a URL; returns false if it is known. If it waits, and this way to it is shorter, it gets this depth and seed. */
  add(entry: NewEntry, host: number): boolean;
  /** Returns the URL that this one was redirected to; undefined if it was not redirected. */
  redirectOf(url: string): string | undefined;
  idOf(url: string): number | undefined;
  /** Returns the first entry in the queue of a host. */
  next(host: number): Entry | undefined;
  /** Lists waiting entries of all hosts with ids above `id`. */
  waitingAfter(id: number, limit: number): readonly Entry[];
  /** Whether a list waits, or a page whose links would be followed: these may add URLs. */
  mayGrow(depth: number): boolean;
  /** Returns how an entry was reached. While it waits, or is fetched, a shorter way may be found. */
  wayTo(id: number): Way;
  addAttempt(id: number): void;
  finish(id: number, finish: Finish): void;
  /** Queues an entry again as if it had never been fetched. */
  requeue(id: number): void;
  /**
   * Queues all entries again, except those that were rejected for one of these reasons: to be fetched if they have
   * changed since, or in any case. Redirects too, since they may lead elsewhere now, and an old one is not part of a
   * loop.
   */
  requeueAll(when: "if-changed" | "in-any-case", except: readonly Reason[]): void;
  /** Lists entries with this end, with ids above `id`. */
  endedAfter(end: End, id: number, limit: number): readonly Entry[];
  /** Records why cleaning made no document of the page of an event. */
  rejectClean(number: number, reason: Reason, detail: string | undefined): void;
  outcomesAfter(id: number, limit: number, confirmed: number): readonly Placed[];
  eventsAfter(number: number, limit: number): readonly Placed[];
  countEventsAfter(number: number): number;
  outcomeOf(id: number): CrawlOutcome;
  /** Returns the sum of the bytes of all bodies. */
  bytes(): number;
  tallies(): readonly Tally[];
}

const ENTRY = `SELECT u.id, u.url, u.kind, coalesce(s.url, u.url) AS seed, u.depth, u.hops, u.attempts, u.etag,
  u.last_modified AS lastModified, u.page_date AS pageDate, u.warc_record AS warcRecord, u.warc_file AS warcFile,
  u.warc_offset AS warcOffset, u.digest
  FROM url u LEFT JOIN url s ON s.id = u.seed`;
const OUTCOME = `SELECT u.id, u.number, u.url, u.result, coalesce(s.url, u.url) AS seed, u.depth, u.reason, u.detail, u.status,
  u.content_type AS contentType, u.redirected_to AS redirectedTo, u.bytes, u.ms, u.fetched_at AS fetchedAt, u.attempts,
  u.warc_file AS warcFile, u.warc_offset AS warcOffset, u.warc_record AS warcRecord
  FROM url u LEFT JOIN url s ON s.id = u.seed`;
/** Keeps the shortest way to a URL that waits, since it decides which links of the page are followed. */
const ADD = `INSERT INTO url (url, host, kind, seed, depth, hops)
  VALUES (?, ?, ?, (SELECT id FROM url WHERE url = ?), ?, ?)
  ON CONFLICT (url) DO UPDATE SET seed = excluded.seed, depth = excluded.depth, hops = excluded.hops
    WHERE state = 0 AND kind = excluded.kind AND depth > excluded.depth
  RETURNING id`;
/** The column for each field that `finish` writes. */
const FINISH_COLUMNS = {
  result: "result",
  number: "number",
  reason: "reason",
  detail: "detail",
  status: "status",
  contentType: "content_type",
  redirectedTo: "redirected_to",
  bytes: "bytes",
  ms: "ms",
  fetchedAt: "fetched_at",
  warcFile: "warc_file",
  warcOffset: "warc_offset",
  warcRecord: "warc_record",
  digest: "digest",
  etag: "etag",
  lastModified: "last_modified",
  pageDate: "page_date",
} satisfies Record<Exclude<keyof Finish, "attempts">, string>;
// The keys of an object literal are those of its type.
const FINISH_FIELDS = Object.keys(FINISH_COLUMNS) as (keyof typeof FINISH_COLUMNS)[];
const FINISH = `UPDATE url SET state = 1, attempts = attempts + ?,
  ${FINISH_FIELDS.map((field) => `${FINISH_COLUMNS[field]} = ?`).join(", ")} WHERE id = ?`;
/** Keeps the columns that a later crawl needs of an earlier answer. */
const REQUEUE = `UPDATE url SET state = 0, number = NULL, result = 'waiting', reason = NULL, detail = NULL, attempts = 0,
  status = NULL, content_type = NULL, redirected_to = NULL, bytes = NULL, ms = NULL, fetched_at = NULL`;
/** Appended to REQUEUE if the next request must not be conditional. */
const FORGET = ", etag = NULL, last_modified = NULL";
/** Reads only the first entry of each queue, since queues are ordered by depth. */
const SHALLOW = `SELECT 1 FROM host h WHERE h.waiting > 0
  AND (SELECT min(depth) FROM url WHERE host = h.id AND state = 0) < ? LIMIT 1`;
const COUNT_WAITING = "UPDATE host SET waiting = waiting + ? WHERE id = (SELECT host FROM url WHERE id = ?)";

export function createUrlTable(database: Database): UrlTable {
  const tallies = createTallies(database);
  return {
    ...createQueue(database, tallies),
    ...createEnds(database, tallies),
    ...createReading(database),
    tallies: () => tallies.read(),
  };
}

type Queue = Pick<UrlTable, "add" | "redirectOf" | "idOf" | "next" | "wayTo" | "waitingAfter" | "mayGrow">;

function createQueue(database: Database, tallies: Tallies): Queue {
  // Rows are never removed, so the id of a new one is the largest.
  let newest: number | undefined;
  return {
    add({ url, kind, seed, depth, hops }, host) {
      newest ??= Number(database.get("SELECT max(id) AS id FROM url")?.["id"] ?? 0);
      const id = Number(database.get(ADD, url, host, kind, seed, depth, hops)?.["id"] ?? 0);
      if (id <= newest) return false;
      newest = id;
      database.run("UPDATE host SET waiting = waiting + 1 WHERE id = ?", host);
      tallies.change({ result: "waiting" }, 1);
      return true;
    },
    redirectOf(url) {
      const to = database.get("SELECT redirected_to AS url FROM url WHERE url = ?", url)?.["url"];
      return typeof to === "string" ? to : undefined;
    },
    idOf(url) {
      const row = database.get("SELECT id FROM url WHERE url = ?", url);
      return row === undefined ? undefined : Number(row["id"]);
    },
    next(host) {
      const row = database.get(
        `${ENTRY} WHERE u.host = ? AND u.state = 0 ORDER BY u.depth, u.id LIMIT 1`,
        host,
      );
      return row === undefined ? undefined : toEntry(row);
    },
    wayTo(id) {
      const row = database.get(`${ENTRY} WHERE u.id = ?`, id);
      if (row === undefined) throw new Error(`no URL has the number ${id}`);
      const { seed, depth, hops } = toEntry(row);
      return { seed, depth, hops };
    },
    waitingAfter: (id, limit) =>
      database.all(`${ENTRY} WHERE u.id > ? AND u.state = 0 ORDER BY u.id LIMIT ?`, id, limit).map(toEntry),
    mayGrow: (depth) =>
      database.get("SELECT 1 FROM url WHERE state = 0 AND kind = 'list' LIMIT 1") !== undefined ||
      (depth > 0 && database.get(SHALLOW, depth) !== undefined),
  };
}

type Ends = Pick<UrlTable, "addAttempt" | "finish" | "requeue" | "requeueAll" | "endedAfter" | "rejectClean">;

function createEnds(database: Database, tallies: Tallies): Ends {
  return {
    addAttempt(id) {
      database.run("UPDATE url SET attempts = attempts + 1 WHERE id = ?", id);
    },
    finish(id, finish) {
      const values = FINISH_FIELDS.map((field) => finish[field] ?? null);
      database.run(FINISH, finish.attempts ?? 1, ...values, id);
      database.run(COUNT_WAITING, -1, id);
      tallies.change({ result: "waiting" }, -1);
      tallies.change(finish, 1);
    },
    requeue(id) {
      database.run(
        "UPDATE host SET pages = pages - 1 WHERE id = (SELECT host FROM url WHERE id = ? AND result = 'page')",
        id,
      );
      database.run(`${REQUEUE}${FORGET}, digest = NULL WHERE id = ?`, id);
      database.run(COUNT_WAITING, 1, id);
      tallies.forget();
    },
    requeueAll(when, except) {
      database.run(
        `${REQUEUE}${when === "in-any-case" ? FORGET : ""} WHERE state = 1
          AND NOT (result = 'rejected' AND reason IN (SELECT value FROM json_each(?)))`,
        JSON.stringify(except),
      );
      database.run(
        "UPDATE host SET waiting = (SELECT count(*) FROM url WHERE host = host.id AND state = 0), pages = 0",
      );
      tallies.forget();
    },
    endedAfter: ({ result, reason }, id, limit) =>
      database
        .all(
          `${ENTRY} WHERE u.id > ? AND u.state = 1 AND u.result = ? AND u.reason IS ? ORDER BY u.id LIMIT ?`,
          ...[id, result, reason ?? null, limit],
        )
        .map(toEntry),
    rejectClean(number, reason, detail) {
      const before = database.get("SELECT result, reason FROM url WHERE number = ?", number);
      if (before?.["result"] !== "page") return;
      if (before["reason"] === null) {
        tallies.change({ result: "page" }, -1);
        tallies.change({ result: "page", reason }, 1);
      } else tallies.forget();
      database.run("UPDATE url SET reason = ?, detail = ? WHERE number = ?", reason, detail ?? null, number);
    },
  };
}

type Reading = Pick<UrlTable, "outcomesAfter" | "eventsAfter" | "countEventsAfter" | "outcomeOf" | "bytes">;

function createReading(database: Database): Reading {
  const count = (sql: string, ...values: number[]): number => Number(database.get(sql, ...values)?.["count"]);
  return {
    outcomesAfter: (id, limit, confirmed) =>
      database
        .all(`${OUTCOME} WHERE u.id > ? ORDER BY u.id LIMIT ?`, id, limit)
        .map((row) => toPlaced(row, confirmed)),
    eventsAfter: (number, limit) =>
      database
        .all(`${OUTCOME} WHERE u.number > ? ORDER BY u.number LIMIT ?`, number, limit)
        .map((row) => toPlaced(row, number)),
    countEventsAfter: (number) => count("SELECT count(*) AS count FROM url WHERE number > ?", number),
    outcomeOf(id) {
      const row = database.get(`${OUTCOME} WHERE u.id = ?`, id);
      if (row === undefined) throw new Error(`no URL has the number ${id}`);
      return toPlaced(row, 0).outcome;
    },
    bytes: () => count("SELECT coalesce(sum(bytes), 0) AS count FROM url"),
  };
}

function toEntry(row: Row): Entry {
  const { id, url, kind, seed, depth, hops, attempts, ...earlier } = row;
  const bare = { id, url, kind, seed, depth, hops, attempts, earlier: withoutNulls(earlier) };
  return bare as unknown as Entry; // the columns of ENTRY, as `add` and `finish` wrote them
}

function toPlaced({ id, number, ...row }: Row, confirmed: number): Placed {
  const isConfirmed = typeof number !== "number" ? row["result"] !== "waiting" : number <= confirmed;
  const outcome = { ...withoutNulls(row), isConfirmed };
  // The columns of OUTCOME, as `add` and `finish` wrote them.
  return { id: Number(id), number: Number(number), outcome: outcome as unknown as CrawlOutcome };
}

function withoutNulls(row: Row): Row {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null));
}

interface End {
  readonly result: CrawlResult;
  readonly reason?: Reason;
}

interface Tally extends End {
  readonly count: number;
}

/** Counts of URLs by result and reason: read once from the database, and then updated with each change. */
interface Tallies {
  change(end: End, by: number): void;
  /** Drops the counts after a large change, so that they are read again. */
  forget(): void;
  read(): readonly Tally[];
}

function createTallies(database: Database): Tallies {
  let counts: Map<string, Tally> | undefined;
  const count = (): Map<string, Tally> => {
    const rows = database.all("SELECT result, reason, count(*) AS count FROM url GROUP BY result, reason");
    const read = rows.map(({ result, reason, count: many }): Tally => {
      // Only values of these types are written.
      const end = { result: result as CrawlResult, ...(reason !== null && { reason: reason as Reason }) };
      return { ...end, count: Number(many) };
    });
    return new Map(read.map((tally) => [keyOf(tally), tally]));
  };
  return {
    change({ result, reason }, by) {
      const end = { result, ...(reason !== undefined && { reason }) };
      counts?.set(keyOf(end), { ...end, count: (counts.get(keyOf(end))?.count ?? 0) + by });
    },
    forget() {
      counts = undefined;
    },
    read() {
      counts ??= count();
      return [...counts.values()].filter(({ count: many }) => many > 0);
    },
  };
}

function keyOf({ result, reason }: End): string {
  return `${result} ${reason ?? ""}`;
}
