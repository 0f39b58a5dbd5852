import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compilePattern, fits, normalisePath } from "../../../src/crawl/robots/robots.js";
import {
  ALLOW_ALL,
  decodeRobots,
  FORBID_ALL,
  MAX_ROBOTS_BYTES,
  parseRobots,
  productTokenOf,
  robotsOfStatus,
  robotsUrlOf,
  type Robots,
} from "../../../src/crawl/robots/robots.js";
import { FIELD_CASES, RFC_CASES, type RobotsCase } from "./robots-cases.js";

const HERE = "https://example.org/robots.txt";
const read = (text: string, agent = "FooBot"): Robots => parseRobots(text, HERE, agent);
const at = (path: string): string => `https://example.org${path}`;

function check({ text, agent = "FooBot", allowed = [], forbidden = [] }: RobotsCase): void {
  const robots = read(text, agent);
  expect(allowed.filter((path) => !robots.allows(at(path)))).toEqual([]);
  expect(forbidden.filter((path) => robots.allows(at(path)))).toEqual([]);
}

describe("the rules of RFC 9309", () => {
  it.each(RFC_CASES)("$what", check);
});

describe("the robots.txt of the field", () => {
  it.each(FIELD_CASES)("$what", check);
});

describe("Crawl-delay", () => {
  const delay = (...lines: string[]): number | undefined => read(lines.join("\n")).delayMs;
  it.each<[string, readonly string[], number | undefined]>([
    ["none", ["User-agent: *", "Disallow: /x"], undefined],
    ["whole seconds", ["User-agent: *", "Crawl-delay: 10"], 10_000],
    ["parts of seconds", ["User-agent: *", "crawl-delay: 0.5"], 500],
    ["nothing to wait", ["User-agent: *", "Crawl-delay: 0"], 0],
    ["without user agent", ["Crawl-delay: 5"], undefined],
    ["of others", ["User-agent: Other", "Crawl-delay: 5"], undefined],
    [
      "ours, not that for all",
      ["User-agent: *", "Crawl-delay: 5", "Disallow:", "User-agent: foobot", "Crawl-delay: 2"],
      2000,
    ],
    [
      "that for all is not ours",
      ["User-agent: *", "Crawl-delay: 5", "Disallow:", "User-agent: foobot", "Disallow: /x"],
      undefined,
    ],
    [
      "the longest of several",
      ["User-agent: *", "Crawl-delay: 1", "Crawl-delay: 7", "Disallow:", "User-agent: *", "Crawl-delay: 3"],
      7000,
    ],
    ["no number", ["User-agent: *", "Crawl-delay: slowly"], undefined],
    ["less than nothing", ["User-agent: *", "Crawl-delay: -1"], undefined],
    ["no finite number", ["User-agent: *", "Crawl-delay: 1e999", "Crawl-delay: Infinity"], undefined],
    ["behind rules", ["User-agent: *", "Disallow: /x", "Crawl-delay: 4"], 4000],
  ])("%s", (_what, lines, expected) => {
    expect(delay(...lines)).toBe(expected);
  });
});

describe("Sitemap", () => {
  it("may be anywhere, any number of times, and is for all crawlers", () => {
    const text = [
      "Sitemap: https://example.org/a.xml",
      "User-agent: Other",
      "SITEMAP:https://cdn.example.com/b.xml?x=1&y=2",
      "Disallow: /",
      "sitemap: /c.xml # the third",
      "Sitemap: https://example.org/a.xml",
      "Sitemap:",
      "Sitemap: ftp://example.org/d.xml",
      "Sitemap: https://",
    ].join("\r\n");
    expect(read(text).sitemaps).toEqual([
      "https://example.org/a.xml",
      "https://cdn.example.com/b.xml?x=1&y=2",
      "https://example.org/c.xml",
    ]);
  });
});

describe("what there is too much of", () => {
  const filler = "# 34567\n".repeat(MAX_ROBOTS_BYTES / 8 - 10);
  it("reads 500 KiB", () => {
    const text = `${filler}User-agent: *\nDisallow: /x\n`;
    expect(text.length).toBeLessThanOrEqual(MAX_ROBOTS_BYTES);
    expect(read(text).allows(at("/x"))).toBe(false);
  });
  it("and no more", () => {
    const text = `${filler}${"#\n".repeat(30)}User-agent: *\nDisallow: /\n`;
    expect(read(text).allows(at("/x"))).toBe(true);
    expect(read(decodeRobots(Buffer.from(text))).allows(at("/x"))).toBe(true);
  });
  it("forgets a rule that is cut, which would forbid more than it says", () => {
    const start = "User-agent: *\nDisallow: /first\n";
    const end = "Disallow: /";
    const room = MAX_ROBOTS_BYTES - start.length - end.length;
    const text = `${start}${"#".repeat(room - 1)}\n${end}private\n`;
    for (const robots of [read(text), read(decodeRobots(Buffer.from(text)))]) {
      expect(robots.allows(at("/first"))).toBe(false);
      expect(robots.allows(at("/x"))).toBe(true);
    }
  });
  it("counts bytes, not characters", () => {
    const text = `#${"ツ".repeat(MAX_ROBOTS_BYTES / 3)}\nUser-agent: *\nDisallow: /\n`;
    expect(read(text).allows(at("/x"))).toBe(true);
  });
  it("reads a thousand groups of a thousand agents and rules", () => {
    const text = Array.from(
      { length: 12_000 },
      (_, n) => `User-agent: Bot-${"x".repeat(n % 9)}\nDisallow: /${n}\n`,
    ).join("");
    const started = performance.now();
    expect(read(text, "Bot-xxx").allows(at("/3"))).toBe(false);
    expect(performance.now() - started).toBeLessThan(2000);
  });
});

describe("patterns made to take long", () => {
  const timed = (text: string, path: string): number => {
    const robots = read(text);
    const started = performance.now();
    robots.allows(at(path));
    return performance.now() - started;
  };
  it.each([
    ["many stars", `Disallow: /${"*a".repeat(2000)}b`, `/${"a".repeat(8000)}`],
    [
      "long parts that nearly fit",
      `Disallow: /${`*${"a".repeat(4000)}b`.repeat(100)}`,
      `/${"a".repeat(8000)}`,
    ],
    [
      "many such rules",
      Array.from({ length: 30 }, (_, n) => `Disallow: /*${"a".repeat(4000 + n)}b*c`).join("\n"),
      `/${"a".repeat(8000)}`,
    ],
    ["stars and nothing else", `Disallow: /${"*".repeat(100_000)}x$`, `/${"a".repeat(8000)}`],
    ["thousands of short rules", "Disallow: *a*b*c$\n".repeat(28_000), `/${"ab".repeat(2000)}`],
  ])("%s", (_what, rules, path) => {
    expect(timed(`User-agent: *\n${rules}`, path)).toBeLessThan(1500);
  });

  it("fit as a plain search says", () => {
    const letters = fc.array(fc.constantFrom("a", "b", "/", "*"), { maxLength: 12 });
    const path = fc.array(fc.constantFrom("a", "b", "/"), { maxLength: 20 });
    fc.assert(
      fc.property(
        letters,
        path,
        fc.boolean(),
        fc.integer({ min: 1, max: 40 }),
        (pattern, rest, isClosed, times) => {
          // Repeating makes parts long enough for the table.
          const wide = pattern.map((letter) => (letter === "a" ? "a".repeat(times) : letter));
          const text = `/${rest.map((letter) => (letter === "a" ? "a".repeat(times) : letter)).join("")}`;
          const simple = new RegExp(`^/${wide.join("").replaceAll(/\*+/g, ".*")}${isClosed ? "$" : ""}`);
          expect(fits(text, compilePattern(`/${wide.join("")}${isClosed ? "$" : ""}`))).toBe(
            simple.test(text),
          );
        },
      ),
      { numRuns: 2000 },
    );
  });

  it("have one normal form", () => {
    fc.assert(
      fc.property(fc.webUrl({ withQueryParameters: true }), (url) => {
        const { pathname, search } = new URL(url);
        const once = normalisePath(pathname + search);
        expect(normalisePath(once)).toBe(once);
      }),
    );
  });
});

describe("statuses", () => {
  it.each<[number, Robots | undefined]>([
    [200, undefined],
    [204, undefined],
    [301, ALLOW_ALL],
    [401, ALLOW_ALL],
    [403, ALLOW_ALL],
    [404, ALLOW_ALL],
    [410, ALLOW_ALL],
    [429, FORBID_ALL],
    [500, FORBID_ALL],
    [503, FORBID_ALL],
    [599, FORBID_ALL],
    [0, FORBID_ALL],
  ])("%i", (status, expected) => {
    expect(robotsOfStatus(status)).toBe(expected);
  });
  it("mean all or nothing", () => {
    expect(ALLOW_ALL.allows(at("/x"))).toBe(true);
    expect(FORBID_ALL.allows(at("/x"))).toBe(false);
    expect(FORBID_ALL.allows(at("/robots.txt"))).toBe(true);
  });
});

describe("names and places", () => {
  it.each([
    ["Thresher/0.1 (+https://example.org)", "Thresher"],
    ["thresher", "thresher"],
    ["Mozilla/5.0 (compatible; Foo_Bot-x/2; +https://example.org)", "Foo_Bot-x"],
    ["Mozilla/5.0 (X11; Linux x86_64)", "Mozilla"],
    ["", ""],
    ["42", ""],
  ])("the product token of %s", (header, token) => {
    expect(productTokenOf(header)).toBe(token);
  });
  it.each([
    ["https://example.org:8443/a/b?c#d", "https://example.org:8443/robots.txt"],
    ["http://[::1]/x", "http://[::1]/robots.txt"],
  ])("the robots.txt of %s", (url, expected) => {
    expect(robotsUrlOf(url)).toBe(expected);
  });
  it("decodes UTF-8, and UTF-16 by its mark", () => {
    const text = "User-agent: *\nDisallow: /ü\n";
    const wide = Buffer.from(`\ufeff${text}`, "utf16le");
    for (const bytes of [Buffer.from(text), Buffer.from(`\ufeff${text}`), wide, Buffer.from(wide).swap16()])
      expect(read(decodeRobots(bytes)).allows(at("/ü"))).toBe(false);
    expect(decodeRobots(Uint8Array.of(0x61, 0xff, 0x62))).toBe("a\ufffdb");
  });
  it("reads any bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.string(), (bytes, agent) => {
        expect(typeof read(decodeRobots(bytes), agent).allows(at("/x"))).toBe("boolean");
      }),
    );
  });
});
