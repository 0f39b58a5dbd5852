import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  go,
  later,
  packed,
  page,
  pageHtml,
  robots,
  send,
  site,
  status,
  turns,
} from "../../../bench/lab/crawl/farm/answers.js";
import type { BadCertificate } from "../../../bench/lab/crawl/farm/certificates.js";
import { openFarm, type Answer, type Farm, type Site } from "../../../bench/lab/crawl/farm/farm.js";
import * as hostile from "../../../bench/lab/crawl/farm/hostile.js";
import { crawlAlone, readCrawl, type Crawled, type CrawlResult } from "./crawl-farm.js";

const FETCH_MS = 4000;
const IDLE_MS = 2000;
const MAX_BYTES = 2_000_000;

interface Behaviour {
  readonly answer: Answer;
  /** The reason of its reject; "" if it becomes a document. */
  readonly ends: string | RegExp;
}

const pdf = send("%PDF-1.4\n%abc", { "content-type": "application/pdf" });
const html = pageHtml("A page");

/** Each has its own host, so that none waits for another. */
const BEHAVIOURS: Readonly<Record<string, Behaviour>> = {
  silence: { answer: hostile.silence, ends: "timeout" },
  drip: { answer: hostile.drip, ends: "timeout" },
  "drip-headers": { answer: hostile.dripHeaders, ends: "timeout" },
  "endless-body": { answer: hostile.endlessBody, ends: "too-large" },
  "endless-chunk": { answer: hostile.endlessChunk, ends: "too-large" },
  "endless-headers": { answer: hostile.endlessHeaders, ends: "too-large" },
  "long-header": { answer: hostile.longHeader, ends: "too-large" },
  "cut-short": { answer: hostile.cutShort, ends: "fetch-failed" },
  "cut-chunk": { answer: hostile.cutChunk, ends: "fetch-failed" },
  "two-lengths": { answer: hostile.twoLengths, ends: "fetch-failed" },
  "length-and-chunks": { answer: hostile.lengthAndChunks, ends: "fetch-failed" },
  garbage: { answer: hostile.garbage, ends: "fetch-failed" },
  "no-status": { answer: hostile.noStatus, ends: "fetch-failed" },
  slam: { answer: hostile.slam, ends: "fetch-failed" },
  reset: { answer: hostile.reset, ends: "fetch-failed" },
  "bomb-gzip": { answer: hostile.bomb("gzip", 200), ends: "too-large" },
  "bomb-deflate": { answer: hostile.bomb("deflate", 200), ends: "too-large" },
  "bomb-br": { answer: hostile.bomb("br", 200), ends: "too-large" },
  "bomb-twice": { answer: hostile.bomb("gzip, gzip", 200), ends: "too-large" },
  "cut-gzip": { answer: hostile.cutGzip, ends: /^(broken-gzip|fetch-failed)$/ },
  "unknown-coding": { answer: hostile.unknownCoding, ends: "unsupported-type" },
  "many-codings": { answer: hostile.manyCodings, ends: /^(unsupported-type|fetch-failed)$/ },
  big: { answer: send(`<p>${"a ".repeat(MAX_BYTES)}`), ends: "too-large" },
  empty: { answer: send(""), ends: "empty" },
  pdf: { answer: pdf, ends: "unsupported-type" },
  "pdf-as-page": { answer: send("%PDF-1.4\n%abc\u0000"), ends: "binary" },
  loop: { answer: go("/"), ends: "http-status" },
  chain: {
    answer: (hit) => {
      go(`/?n=${hit.before}`)(hit);
    },
    ends: "http-status",
  },
  "chain-on": {
    answer: (hit) => {
      go(`${hit.path}a`)(hit);
    },
    ends: "http-status",
  },
  "to-file": { answer: go("file:///etc/passwd"), ends: "http-status" },
  "to-script": { answer: go("javascript:alert(1)"), ends: "http-status" },
  "to-nowhere": { answer: go("http://nowhere.farm.test/"), ends: "dns" },
  gone: { answer: status(410), ends: "http-status" },
  failing: { answer: status(500), ends: "http-status" },
  overloaded: { answer: turns(status(503, { "retry-after": "1" }), page("Back")), ends: "" },
  throttled: { answer: turns(status(429), status(429), page("Back")), ends: "" },
  flaky: { answer: turns(hostile.slam, page("Back")), ends: "" },
  slow: { answer: later(1000, page("Slow")), ends: "" },
  packed: { answer: packed(html, "gzip"), ends: "" },
  brotli: { answer: packed(html, "br"), ends: "" },
  chained: { answer: packed(html, "deflate", "gzip"), ends: "" },
  charset: { answer: send(html, { "content-type": "text/html; charset=no-such-thing" }), ends: "" },
  cookies: { answer: send(html, { "set-cookie": "a=b; Max-Age=999999" }), ends: "" },
};

const ROBOTS: Readonly<Record<string, { readonly answer: Answer; readonly ends: string }>> = {
  "robots-forbids": { answer: robots("User-agent: *", "Disallow: /"), ends: "robots" },
  "robots-404": { answer: status(404), ends: "" },
  "robots-403": { answer: status(403), ends: "" },
  "robots-500": { answer: status(500), ends: "http-status" },
  "robots-silent": { answer: hostile.silence, ends: "timeout" },
  "robots-slam": { answer: hostile.slam, ends: "fetch-failed" },
  "robots-loop": { answer: go("/robots.txt"), ends: "" },
  "robots-moved": { answer: go("/robots"), ends: "robots" },
  "robots-bomb": { answer: hostile.bomb("gzip", 200), ends: "" },
  "robots-endless": { answer: hostile.endlessBody, ends: "" },
  "robots-huge": {
    answer: send(`User-agent: *\nDisallow: /\n${"# words\n".repeat(200_000)}`, {
      "content-type": "text/plain",
    }),
    ends: "robots",
  },
  "robots-slow": { answer: robots("User-agent: *", "Crawl-delay: 100000"), ends: "robots" },
};

const CERTIFICATES: Readonly<Record<string, BadCertificate>> = {
  "tls-self": "self-signed",
  "tls-old": "expired",
  "tls-other": "other-name",
};

type NamedSite = readonly [string, Site];

let farm: Farm;
let result: CrawlResult;
let crawled: Crawled;
const dir = mkdtempSync(join(tmpdir(), "thresher-hostile-"));

beforeAll(async () => {
  const simple = Object.entries(BEHAVIOURS).map(([name, { answer }]): NamedSite => [
    name,
    site({ "*": answer }),
  ]);
  const guarded = Object.entries(ROBOTS).map(([name, { answer }]): NamedSite => [
    name,
    site({
      "/robots.txt": answer,
      "/robots": robots("User-agent: *", "Disallow: /"),
      "/": page("Behind robots.txt"),
    }),
  ]);
  const secret = Object.keys(CERTIFICATES).map((name): NamedSite => [
    name,
    site({ "/": page("Never seen") }),
  ]);
  const sites = Object.fromEntries<Site>([
    ...simple,
    ...guarded,
    ...secret,
    ["trusted", site({ "/": page("Seen") })],
  ]);
  farm = await openFarm({ sites, certificates: CERTIFICATES });
  const seeds = [
    ...[...simple, ...guarded].map(([name]) => farm.url(name)),
    ...["trusted", ...Object.keys(CERTIFICATES)].map((name) => farm.secureUrl(name)),
    ...["http://missing.farm.test/", "http://127.0.0.1:1/", "ftp://trusted.farm.test/"],
  ];
  result = await crawlAlone(
    farm,
    [
      ...["--seeds", "-", "-o", dir, "--max-bytes", String(MAX_BYTES), "--retries", "2"],
      ...[
        "--fetch-timeout",
        `${FETCH_MS}ms`,
        "--idle-timeout",
        `${IDLE_MS}ms`,
        "--any-host",
        "--hosts",
        "100",
      ],
    ],
    { stdin: seeds.join("\n") },
  );
  crawled = readCrawl(dir);
}, 240_000);
afterAll(async () => {
  await farm.close();
  rmSync(dir, { recursive: true });
});

function outcomeOf(url: string): string {
  const { result: what, reason } = crawled.outcomes.get(url) ?? {};
  if (what === "redirected") {
    // The target of the redirect has its own outcome.
    const to = String(crawled.outcomes.get(url)?.["redirectedTo"]);
    return outcomeOf(to);
  }
  return typeof reason === "string" ? reason : what === "page" ? "" : `no outcome: ${String(what)}`;
}

describe("a crawl among hostile servers", () => {
  it("ends without an error", () => {
    expect(result.stderr).not.toContain("This is a bug");
    expect(result.code, result.stderr).toBe(0);
  });

  it.each(Object.entries(BEHAVIOURS))("handles the server %s as expected", (name, { ends }) => {
    expect(outcomeOf(farm.url(name))).toEqual(typeof ends === "string" ? ends : expect.stringMatching(ends));
  });

  it.each(Object.entries(ROBOTS))("handles %s as RFC 9309 says", (name, { ends }) => {
    expect(outcomeOf(farm.url(name))).toBe(ends);
  });

  it("fetches nothing if robots.txt forbids it or cannot be read", () => {
    for (const [name, { ends }] of Object.entries(ROBOTS)) {
      if (ends === "") continue;
      expect(crawled.outcomes.get(farm.url(name))?.["detail"]).toMatch(/robots\.txt|Crawl-delay/);
      expect(farm.visits().filter(({ host, path }) => host.startsWith(`${name}.`) && path === "/")).toEqual(
        [],
      );
    }
  });

  it.each(Object.keys(CERTIFICATES))("rejects the certificate %s", (name) => {
    expect(outcomeOf(farm.secureUrl(name))).toBe("tls");
    expect(farm.visits().filter(({ host }) => host.startsWith(name))).toEqual([]);
  });

  it("reads a trusted host, and reports an unknown host and a refused connection", () => {
    expect(outcomeOf(farm.secureUrl("trusted"))).toBe("");
    expect(outcomeOf("http://missing.farm.test/")).toBe("dns");
    expect(outcomeOf("http://127.0.0.1:1/")).toBe("fetch-failed");
  });

  it("has a document or a reject for each URL", () => {
    const told = new Set([...crawled.documents, ...crawled.rejects].map(({ url }) => url));
    const pages = [...crawled.outcomes.values()].filter(({ result: what }) => what !== "redirected");
    expect(pages.map(({ url }) => url).filter((url) => !told.has(url))).toEqual([]);
  });

  it("never holds a decompression bomb in memory", () => {
    expect(result.peakMb).toBeGreaterThan(30);
    expect(result.peakMb).toBeLessThan(400);
  });
});
