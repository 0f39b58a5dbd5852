/** Finds in a farm's record of requests what no polite crawler would have done. */

/** One request. Times are milliseconds on the clock of the farm. */
export interface Visit {
  /** The name and the port that were asked for. */
  readonly host: string;
  /** With the query. */
  readonly path: string;
  /** "http/1.1", "https/1.1" or "https/2". */
  readonly protocol: string;
  /** Of ours, to which the connection was made. */
  readonly address: string;
  readonly userAgent: string;
  /** Whether it was asked only for what has changed. */
  readonly isConditional: boolean;
  /** When the head of the request was there. */
  readonly begin: number;
  /** When the answer was out, or the connection gone; undefined while it goes on. */
  readonly end: number | undefined;
  readonly status: number;
}

/** Two requests to one host of which the second came too early: the gap is below zero where they overlap. */
export interface Breach {
  readonly host: string;
  readonly paths: readonly [string, string];
  readonly gapMs: number;
  readonly wantedMs: number;
}

/** What a timer and two clocks may be off. */
const TOLERANCE_MS = 5;

/** `delayOf` says what a host wants between the end of one exchange and the begin of the next. */
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
      // Of two that overlap, the one that lasts longer counts for what follows.
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

/** How often each page was asked for, robots.txt left out: "host/path" into a count. */
export function countPages(visits: readonly Visit[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { host, path } of visits) {
    if (path === "/robots.txt") continue;
    const name = `${host}${path}`;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}
