/**
 * Stores the robots.txt rules of each origin, and its tdmrep.json, by default for a day, and reads them from the answers
 * of servers.
 */
import type { ExchangeResult } from "../../acquire/http/transport.js";
import { REASONS, type Reason } from "../../outcome.js";
import { canonicalUrl } from "../reach/url.js";
import type { Errand } from "../state/frontier.js";
import type { HostTable, StoredRobots } from "../state/host-table.js";
import { mayPass } from "./politeness.js";
import {
  decodeRobots,
  FORBID_ALL,
  MAX_ROBOTS_REDIRECTS,
  parseRobots,
  productTokenOf,
  robotsOfStatus,
  robotsUrlOf,
  type Robots,
} from "./robots.js";
import { parseTdmrep, tdmrepUrlOf, type Reserved } from "./tdmrep.js";
import { isSuccess } from "../../acquire/http/status.js";

/** Why nothing of an origin may be fetched if its robots.txt could not be read. */
interface Silence {
  readonly reason: Reason;
  readonly detail: string;
}

/** What the robots.txt of an origin says. */
export interface OriginRules {
  readonly robots: Robots;
  readonly silence?: Silence;
}

export interface RobotsKeeper {
  /** Returns the rules for a URL; undefined if they were never fetched, or are too old. */
  rulesFor(url: string): OriginRules | undefined;
  /** Returns what the tdmrep.json for a URL reserves; undefined if it was never fetched, or is too old. */
  reservedFor(url: string): Reserved | undefined;
  /**
   * Reads the answer to an errand. "known": what the file says is known now; a URL: the errand goes on there; "retry":
   * it should be tried again, which is only returned if `mayRetry` is set.
   */
  read(
    errand: Pick<Errand, "file" | "origin" | "url" | "hops">,
    result: ExchangeResult,
    mayRetry: boolean,
  ): "known" | "retry" | { readonly url: string };
  /** Forgets which origins did not answer, so that they are asked again. */
  forgetSilence(): void;
}

/** Bytes after which a robots.txt is cut; only the first of them are parsed (MAX_ROBOTS_BYTES). */
export const ROBOTS_BYTES = 8 << 20;
/** Origins whose files are held in memory. */
const HELD = 2000;
/** Milliseconds after which an origin that did not answer is asked again. */
const SILENCE_MS = 3_600_000;
/** The status stored for a file that counts as missing: too many redirects, or a redirect that leads nowhere. */
const LOST = 404;

interface KeeperOptions {
  readonly hosts: HostTable;
  readonly userAgent: string | undefined;
  readonly robotsMs: number;
}

/** Opens the keeper of a crawl. */
export function openRobotsKeeper({ hosts, userAgent, robotsMs }: KeeperOptions): RobotsKeeper {
  const agent = productTokenOf(userAgent ?? "Thresher");
  const robots = keepFiles({
    hosts,
    robotsMs,
    keyOf: (origin) => origin,
    parse: (origin, stored) => toRules(origin, stored, agent),
  });
  const tdmrep = keepFiles({
    hosts,
    robotsMs,
    // The table has one row for each file.
    keyOf: tdmrepUrlOf,
    parse: (_, { status, body }) => parseTdmrep(isSuccess(status) ? body : ""),
  });
  return {
    rulesFor: (url) => robots.find(url),
    reservedFor: (url) => tdmrep.find(url),
    read({ file, origin, url, hops }, result, mayRetry) {
      const files = file === "robots.txt" ? robots : tdmrep;
      if (!result.ok) {
        const { reason, detail, retryable } = result.failure;
        if (retryable && mayRetry) return "retry";
        return files.keep(origin, 0, JSON.stringify({ reason, detail }));
      }
      const { status, location, bytes } = result.exchange;
      if (mayPass(status) && mayRetry) return "retry";
      if (location === undefined) return files.keep(origin, status, decodeRobots(bytes));
      const next = hops < MAX_ROBOTS_REDIRECTS ? canonicalUrl(location, url) : undefined;
      return next === undefined ? files.keep(origin, LOST, "") : { url: next };
    },
    forgetSilence() {
      robots.clear();
      tdmrep.clear();
      hosts.forgetRobots(isSilence);
    },
  };
}

/** Whether an answer with this status says nothing; 0 if there was no answer. */
function isSilence(status: number): boolean {
  return status === 0 || robotsOfStatus(status) === FORBID_ALL;
}

interface FilesOptions<T> extends Pick<KeeperOptions, "hosts" | "robotsMs"> {
  /** Returns the key under which the file of an origin is stored. */
  readonly keyOf: (origin: string) => string;
  readonly parse: (origin: string, stored: StoredRobots) => T;
}

interface Files<T> {
  find(url: string): T | undefined;
  keep(origin: string, status: number, body: string): "known";
  /** Forgets what is in memory. */
  clear(): void;
}

/** Keeps one file of each origin: in the database, and parsed in memory. */
function keepFiles<T>({ hosts, robotsMs, keyOf, parse }: FilesOptions<T>): Files<T> {
  const held = new Map<string, Pick<StoredRobots, "status" | "fetchedAt"> & { readonly value: T }>();
  const hold = (origin: string, stored: StoredRobots): NonNullable<ReturnType<typeof held.get>> => {
    const { status, fetchedAt } = stored;
    const file = { status, fetchedAt, value: parse(origin, stored) };
    held.delete(origin);
    held.set(origin, file);
    const [oldest] = held.keys();
    if (held.size > HELD && oldest !== undefined) held.delete(oldest);
    return file;
  };
  return {
    find(url) {
      const { origin } = new URL(url);
      const stored = held.get(origin) ?? hosts.robotsOf(keyOf(origin));
      if (stored === undefined) return undefined;
      const { status, fetchedAt, value } = "value" in stored ? stored : hold(origin, stored);
      const holdsMs = isSilence(status) ? Math.min(SILENCE_MS, robotsMs) : robotsMs;
      // The time is far in the future if it was stored when the clock was wrong.
      return Math.abs(Date.now() - fetchedAt) < holdsMs ? value : undefined;
    },
    keep(origin, status, body) {
      const stored = { status, body, fetchedAt: Date.now() };
      hosts.setRobots(keyOf(origin), stored);
      hold(origin, stored);
      return "known";
    },
    clear() {
      held.clear();
    },
  };
}

function toRules(origin: string, { status, body }: StoredRobots, agent: string): OriginRules {
  const url = robotsUrlOf(origin);
  if (status === 0) return { robots: FORBID_ALL, silence: readSilence(body) };
  const robots = robotsOfStatus(status) ?? parseRobots(body, url, agent);
  if (robots !== FORBID_ALL) return { robots };
  // The server has not forbidden anything, but must be treated as if it had (RFC 9309, 2.3.1.4).
  const detail = `robots.txt failed with HTTP ${status}, so nothing may be fetched`;
  return { robots, silence: { reason: "http-status", detail } };
}

function readSilence(body: string): Silence {
  // `read` has written it.
  const { reason, detail } = JSON.parse(body) as Record<string, unknown>;
  return {
    reason: typeof reason === "string" && reason in REASONS ? (reason as Reason) : "fetch-failed", // just looked up
    detail: `robots.txt: ${String(detail)}`,
  };
}
