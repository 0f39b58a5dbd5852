/** Finds requests in a farm's log that a polite crawler would not have made. */

/** One request. Times are milliseconds on the farm's clock. */
export interface Visit {
  /** The requested host name, with the port. */
  readonly host: string;
  /** The path with the query. */
  readonly path: string;
  /** "http/1.1", "https/1.1" or "https/2". */
  readonly protocol: string;
  /** The local address to which the client connected. */
  readonly address: string;
  readonly userAgent: string;
  /** Whether the request has `If-None-Match` or `If-Modified-Since`. */
  readonly isConditional: boolean;
  /** When the head of the request had arrived. */
  readonly begin: number;
  /** When the answer was sent or the connection closed; undefined while the answer is not complete. */
  readonly end: number | undefined;
  readonly status: number;
}

/** Two requests to one host of which the second came too early; `gapMs` is below zero when they overlap. */
export interface Breach {
  readonly host: string;
  readonly paths: readonly [string, string];
  readonly gapMs: number;
  readonly wantedMs: number;
}

/** How many milliseconds a timer and two clocks may be off. */
const TOLERANCE_MS = 5;

/**
 * Finds breaches; `delayOf` returns the milliseconds that a host wants between the end of a request and the next start.
 */
export function findBreaches(visits: readonly Visit[], delayOf: (host: string) => number): Breach[] {
  const breaches: Breach[] = [];
  for (const [host, own] of groupByHost(visits)) {
    const wantedMs = delayOf(host);
    let before: Visit | undefined;
    for (const visit of own.sort((a, b) => a.begin - b.begin)) {
      if (before !== undefined) {
        const gapMs = visit.begin - (before.end ?? Infinity);
        if (gapMs < wantedMs - TOLERANCE_MS)
          breaches.push({ host, paths: [before.path, visit.path], gapMs, wantedMs });
      }
      // Of two requests that overlap, the next one is compared with the one that ends later.
      if (before === undefined || (visit.end ?? Infinity) > (before.end ?? Infinity)) before = visit;
    }
  }
  return breaches;
}

function groupByHost(visits: readonly Visit[]): Map<string, Visit[]> {
  const hosts = new Map<string, Visit[]>();
  for (const visit of visits) {
    const own = hosts.get(visit.host);
    if (own === undefined) hosts.set(visit.host, [visit]);
    else own.push(visit);
  }
  return hosts;
}

/** Counts the requests for each page, as "host/path", without robots.txt. */
export function countPages(visits: readonly Visit[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { host, path } of visits) {
    if (path === "/robots.txt") continue;
    const name = `${host}${path}`;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}
