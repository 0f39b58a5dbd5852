/** Stores the hosts of a crawl, and the robots.txt files of their origins, in its database. */
import type { Database, Row } from "./database.js";

export interface StoredHost {
  readonly id: number;
  /** The host name; the servers on its ports are asked in turn. */
  readonly name: string;
  /** When it may be asked next, in milliseconds since 1970; 0 if it has never been asked. */
  readonly nextAt: number;
  /** Pages that were fetched from it. */
  readonly pages: number;
}

export interface StoredRobots {
  /** The status of the answer; 0 if there was no answer. */
  readonly status: number;
  readonly body: string;
  readonly fetchedAt: number;
}

export interface HostTable {
  /** Returns the id of a host, and adds the host if it is not known. */
  idOf(name: string): number;
  named(name: string): StoredHost;
  /** Lists hosts with waiting URLs, with ids above `id`, and with fewer pages than are allowed. */
  waitingAfter(
    id: number,
    options: { readonly pagesPerHost: number; readonly limit: number },
  ): readonly StoredHost[];
  countWaiting(): { readonly hosts: number; readonly urls: number };
  /** Counts the waiting URLs of the host that has the most. */
  longestQueue(): number;
  setNextAt(id: number, nextAt: number): void;
  addPage(id: number): void;
  robotsOf(origin: string): StoredRobots | undefined;
  setRobots(origin: string, robots: StoredRobots): void;
  /** Removes the answers whose status `isSilence` accepts; the status is 0 if there was no answer. */
  forgetRobots(isSilence: (status: number) => boolean): void;
}

const HOST = "SELECT id, name, next_at AS nextAt, pages FROM host";

export function createHostTable(database: Database): HostTable {
  const idOf = (name: string): number => {
    const known = database.get("SELECT id FROM host WHERE name = ?", name);
    return known === undefined
      ? database.run("INSERT INTO host (name) VALUES (?)", name).id
      : Number(known["id"]);
  };
  return {
    idOf,
    named(name) {
      const row = database.get(`${HOST} WHERE id = ?`, idOf(name));
      if (row === undefined) throw new Error(`no host ${name}`);
      return toHost(row);
    },
    waitingAfter: (id, { pagesPerHost, limit }) =>
      database
        .all(
          `${HOST} WHERE waiting > 0 AND id > ? AND pages < ? ORDER BY id LIMIT ?`,
          id,
          pagesPerHost,
          limit,
        )
        .map(toHost),
    countWaiting() {
      const row = database.get("SELECT count(*) AS hosts, sum(waiting) AS urls FROM host WHERE waiting > 0");
      return { hosts: Number(row?.["hosts"]), urls: Number(row?.["urls"]) };
    },
    longestQueue: () =>
      Number(database.get("SELECT max(waiting) AS longest FROM host WHERE waiting > 0")?.["longest"] ?? 0),
    setNextAt(id, nextAt) {
      database.run("UPDATE host SET next_at = ? WHERE id = ?", nextAt, id);
    },
    addPage(id) {
      database.run("UPDATE host SET pages = pages + 1 WHERE id = ?", id);
    },
    robotsOf(origin) {
      const row = database.get(
        "SELECT status, body, fetched_at AS fetchedAt FROM robots WHERE origin = ?",
        origin,
      );
      return row as StoredRobots | undefined; // the columns that `setRobots` wrote
    },
    setRobots(origin, { status, body, fetchedAt }) {
      database.run("INSERT OR REPLACE INTO robots VALUES (?, ?, ?, ?)", origin, status, body, fetchedAt);
    },
    forgetRobots(isSilence) {
      for (const { status } of database.all("SELECT DISTINCT status FROM robots"))
        if (isSilence(Number(status))) database.run("DELETE FROM robots WHERE status = ?", Number(status));
    },
  };
}

function toHost(row: Row): StoredHost {
  return row as unknown as StoredHost; // the columns of HOST, which are never null
}
