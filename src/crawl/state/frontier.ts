/**
 * Chooses the host for the next request: keeps hosts in memory by the time at which they may be asked again, and their
 * URL queues on disk.
 */
import type { Reason } from "../../outcome.js";
import type { StoredHost } from "./host-table.js";
import type { Store } from "./store.js";
import type { NewEntry } from "./url-table.js";

/** A request to a host for a file about a site, perhaps another host's; it comes before the host's own URLs. */
export interface Errand {
  readonly file: "robots.txt" | "tdmrep.json";
  /** The origin that the file is for. */
  readonly origin: string;
  readonly url: string;
  readonly hops: number;
  readonly tries: number;
  /** The host that waits for it. */
  readonly owner: Host;
}

/** A host in memory. At most one turn of it is in progress. */
export interface Host {
  readonly id: number;
  readonly name: string;
  nextAt: number;
  /** When the last exchange with it ended; 0 if there was no exchange. */
  askedAt: number;
  pages: number;
  /** URLs that failed in a row. */
  failures: number;
  /** Why no more requests are sent to it. */
  closed: { readonly reason: Reason; readonly detail: string } | undefined;
  readonly errands: Errand[];
  /** Its origins whose sitemaps were added. */
  readonly listed: Set<string>;
  /** Whether it waits for another host to answer with one of its files. */
  isWaiting: boolean;
  state: "ready" | "active" | "blocked";
}

interface FrontierOptions {
  readonly store: Store;
  readonly pagesPerHost: number;
  /** No host is asked before this time, since an earlier run may have asked it just before. */
  readonly notBefore: number;
  /** The longest time for which a host may rest; a later time was stored when the clock was wrong. */
  readonly longestRestMs: number;
}

/** The waiting URLs, by host. */
export interface Frontier {
  /** Adds a URL; returns false if it is known already. */
  add(entry: NewEntry): boolean;
  /** Takes a host that may be asked now; it is active until it is put back. */
  take(now: number): Host | undefined;
  /** Ends the turn of a host. */
  putBack(host: Host): void;
  /** Ends the turn of a host, which then waits until another host has answered for it, or until it gets an errand. */
  block(host: Host): void;
  /** Ends the waiting of a host. */
  release(host: Host): void;
  /** Removes a host without waiting URLs from memory. */
  drop(host: Host): void;
  /** Gives an errand to the host of its URL. */
  send(errand: Errand): void;
  /** Returns the time at which the next host may be asked; undefined if no host is ready. */
  nextTime(): number | undefined;
  /** Returns the number of hosts in memory. */
  size(): number;
}

/** The most hosts in memory; the others wait on disk until some of these have no URLs left. */
const MOST_HOSTS = 10_000;
const HOSTS_A_READ = 1000;

/** Returns the name of a URL's host, without its port. */
export function hostNameOf(url: string): string {
  return new URL(url).hostname;
}

/** The hosts in memory. */
interface Pool {
  readonly hosts: ReadonlyMap<number, Host>;
  readonly ready: Heap<Host>;
  /** Takes a host into memory, unless it is there already. */
  readonly admit: (stored: StoredHost) => Host;
  /** Takes hosts into memory while there is room; with `again`, also hosts that were passed in earlier reads. */
  readonly refill: (again?: "again") => void;
  readonly toReady: (host: Host) => void;
  readonly remove: (host: Host) => void;
}

function createPool({ store, pagesPerHost, notBefore, longestRestMs }: FrontierOptions): Pool {
  const ready = createHeap<Host>(({ nextAt }) => nextAt);
  const hosts = new Map<number, Host>();
  /** Hosts that were removed, but must not be asked again in this run. */
  const closed = new Map<number, Host["closed"]>();
  // The last host that was read from disk; undefined if all hosts with waiting URLs are in memory.
  let cursor: number | undefined = 0;
  const pool: Pool = {
    hosts,
    ready,
    toReady(host) {
      host.state = "ready";
      ready.push(host);
    },
    admit(stored) {
      const known = hosts.get(stored.id);
      if (known !== undefined) return known;
      const host: Host = {
        ...stored,
        nextAt: Math.max(Math.min(stored.nextAt, Date.now() + longestRestMs), notBefore),
        askedAt: 0,
        failures: 0,
        closed: closed.get(stored.id),
        errands: [],
        listed: new Set(),
        isWaiting: false,
        state: "ready",
      };
      hosts.set(host.id, host);
      ready.push(host);
      return host;
    },
    refill(again) {
      if (again !== undefined) cursor = 0;
      while (cursor !== undefined && hosts.size < MOST_HOSTS) {
        const more = store.hosts.waitingAfter(cursor, { pagesPerHost, limit: HOSTS_A_READ });
        for (const stored of more) pool.admit(stored);
        cursor = more.at(-1)?.id;
      }
    },
    remove(host) {
      hosts.delete(host.id);
      if (host.closed !== undefined) closed.set(host.id, host.closed);
    },
  };
  return pool;
}

/** Creates the frontier of one run. */
export function createFrontier(options: FrontierOptions): Frontier {
  const { store } = options;
  const { hosts, ready, admit, refill, toReady, remove } = createPool(options);
  return {
    add(entry) {
      const name = hostNameOf(entry.url);
      const id = store.hosts.idOf(name);
      if (!store.urls.add(entry, id)) return false;
      if (hosts.has(id)) return true;
      if (hosts.size < MOST_HOSTS) admit(store.hosts.named(name));
      else refill("again");
      return true;
    },
    take(now) {
      if (hosts.size < MOST_HOSTS / 2) refill();
      const first = ready.peek();
      if (first === undefined || first.nextAt > now) return undefined;
      ready.pop();
      first.state = "active";
      return first;
    },
    putBack: toReady,
    block(host) {
      host.state = "blocked";
      if (host.errands.length > 0 || !host.isWaiting) toReady(host);
    },
    release(host) {
      host.isWaiting = false;
      if (host.state === "blocked") toReady(host);
    },
    drop(host) {
      if (host.errands.length > 0) toReady(host);
      else remove(host);
    },
    send(errand) {
      const host = admit(store.hosts.named(hostNameOf(errand.url)));
      host.errands.push(errand);
      // Two hosts may wait for each other.
      if (host.state === "blocked") toReady(host);
    },
    nextTime: () => ready.peek()?.nextAt,
    size: () => hosts.size,
  };
}

/** A priority queue by a number of each value; the value with the smallest number comes first. */
export interface Heap<T> {
  readonly size: number;
  push(value: T): void;
  /** Returns the first value without removing it. */
  peek(): T | undefined;
  pop(): T | undefined;
}

/** Creates a heap. The key of a value must not change while it is inside. */
export function createHeap<T>(keyOf: (value: T) => number): Heap<T> {
  const values: T[] = [];
  const keyAt = (at: number): number => {
    const value = values[at];
    return value === undefined ? Infinity : keyOf(value);
  };
  const swap = (one: number, other: number): void => {
    const held = values[one];
    const second = values[other];
    if (held === undefined || second === undefined) return;
    values[one] = second;
    values[other] = held;
  };
  const rise = (from: number): void => {
    for (let at = from; at > 0;) {
      const parent = (at - 1) >> 1;
      if (keyAt(parent) <= keyAt(at)) return;
      swap(parent, at);
      at = parent;
    }
  };
  const sink = (): void => {
    for (let at = 0; ;) {
      const left = 2 * at + 1;
      const child = keyAt(left + 1) < keyAt(left) ? left + 1 : left;
      if (keyAt(at) <= keyAt(child)) return;
      swap(at, child);
      at = child;
    }
  };
  return {
    get size() {
      return values.length;
    },
    push(value) {
      values.push(value);
      rise(values.length - 1);
    },
    peek: () => values[0],
    pop() {
      swap(0, values.length - 1);
      const value = values.pop();
      sink();
      return value;
    },
  };
}
