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
import { expectLinear } from "../../growth.js";

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

describe("robots.txt files of real sites", () => {
  it.each(FIELD_CASES)("$what", check);
});

describe("reserved uses", () => {
  const reserved = (path: string, ...lines: string[]): readonly string[] =>
    read(lines.join("\n")).reservationsOf(at(path));
  it("are those of the group that applies", () => {
    const lines = [
      "User-agent: *",
      "Content-Signal: search=yes,ai-train=no",
      "Allow: /",
      "Content-Usage: train-ai=n",
    ];
    expect(reserved("/x", ...lines)).toEqual(["train-ai", "ai-train"]);
    expect(reserved("/x", ...lines, "User-agent: FooBot", "Allow: /")).toEqual([]);
    expect(reserved("/x", "Content-Signal: ai-train=no")).toEqual([]);
    expect(ALLOW_ALL.reservationsOf(at("/x"))).toEqual([]);
    expect(FORBID_ALL.reservationsOf(at("/x"))).toEqual([]);
  });

  it("are those of the longest matching path", () => {
    const lines = [
      ...["User-agent: *", "Content-Usage: train-ai=n", "Content-Usage: /free/ train-ai=y"],
      ...["Content-Usage: /*.txt$ ai-output=n, train-ai=n", "Disallow:"],
    ];
    expect(reserved("/x", ...lines)).toEqual(["train-ai"]);
    expect(reserved("/free/x", ...lines)).toEqual([]);
    expect(reserved("/a.txt", ...lines)).toEqual(["ai-output", "train-ai"]);
  });

  it("end the list of user agents, like other rules", () => {
    const robots = read("User-agent: *\nContent-Signal: ai-train=no\n\nUser-agent: BarBot\nDisallow: /");
    expect(robots.allows(at("/x"))).toBe(true);
    expect(robots.reservationsOf(at("/x"))).toEqual(["ai-train"]);
  });
});

describe("Crawl-delay", () => {
  const delay = (...lines: string[]): number | undefined => read(lines.join("\n")).delayMs;
  it.each<[string, readonly string[], number | undefined]>([
    ["none", ["User-agent: *", "Disallow: /x"], undefined],
    ["whole seconds", ["User-agent: *", "Crawl-delay: 10"], 10_000],
    ["fractions of seconds", ["User-agent: *", "crawl-delay: 0.5"], 500],
    ["zero seconds", ["User-agent: *", "Crawl-delay: 0"], 0],
    ["a delay without a user agent", ["Crawl-delay: 5"], undefined],
    ["a delay for other crawlers", ["User-agent: Other", "Crawl-delay: 5"], undefined],
    [
      "our own delay, not that for all",
      ["User-agent: *", "Crawl-delay: 5", "Disallow:", "User-agent: foobot", "Crawl-delay: 2"],
      2000,
    ],
    [
      "none in our group, although there is one for all",
      ["User-agent: *", "Crawl-delay: 5", "Disallow:", "User-agent: foobot", "Disallow: /x"],
      undefined,
    ],
    [
      "the longest of several",
      ["User-agent: *", "Crawl-delay: 1", "Crawl-delay: 7", "Disallow:", "User-agent: *", "Crawl-delay: 3"],
      7000,
    ],
    ["not a number", ["User-agent: *", "Crawl-delay: slowly"], undefined],
    ["a negative number", ["User-agent: *", "Crawl-delay: -1"], undefined],
    ["an infinite number", ["User-agent: *", "Crawl-delay: 1e999", "Crawl-delay: Infinity"], undefined],
    ["after rules", ["User-agent: *", "Disallow: /x", "Crawl-delay: 4"], 4000],
  ])("is read: %s", (_what, lines, expected) => {
    expect(delay(...lines)).toBe(expected);
  });
});

describe("Sitemap", () => {
  it("may be anywhere and repeated, and applies to all crawlers", () => {
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

describe("a robots.txt that is too long", () => {
  const filler = "# 34567\n".repeat(MAX_ROBOTS_BYTES / 8 - 10);
  it("is read up to 500 KiB", () => {
    const text = `${filler}User-agent: *\nDisallow: /x\n`;
    expect(text.length).toBeLessThanOrEqual(MAX_ROBOTS_BYTES);
    expect(read(text).allows(at("/x"))).toBe(false);
  });
  it("is not read beyond 500 KiB", () => {
    const text = `${filler}${"#\n".repeat(30)}User-agent: *\nDisallow: /\n`;
    expect(read(text).allows(at("/x"))).toBe(true);
    expect(read(decodeRobots(Buffer.from(text))).allows(at("/x"))).toBe(true);
  });
  it("does not apply a rule that the limit cuts, because it would forbid too much", () => {
    const start = "User-agent: *\nDisallow: /first\n";
    const end = "Disallow: /";
    const room = MAX_ROBOTS_BYTES - start.length - end.length;
    const text = `${start}${"#".repeat(room - 1)}\n${end}private\n`;
    for (const robots of [read(text), read(decodeRobots(Buffer.from(text)))]) {
      expect(robots.allows(at("/first"))).toBe(false);
      expect(robots.allows(at("/x"))).toBe(true);
    }
  });
  it("is measured in bytes, not in characters", () => {
    const text = `#${"ツ".repeat(MAX_ROBOTS_BYTES / 3)}\nUser-agent: *\nDisallow: /\n`;
    expect(read(text).allows(at("/x"))).toBe(true);
  });
  it("is read in linear time with thousands of groups", async () => {
    const write = (length: number): string =>
      Array.from({ length }, (_, n) => `User-agent: Bot-${"x".repeat(n % 9)}\nDisallow: /${n}\n`).join("");
    expect(read(write(12_000), "Bot-xxx").allows(at("/3"))).toBe(false);
    await expectLinear(12_000, write, (text) => read(text, "Bot-xxx"));
  });
});

describe("path patterns", () => {
  it.each([
    ["many stars", `Disallow: /${"*a".repeat(2000)}b`, `/${"a".repeat(8000)}`],
    [
      "long parts that nearly match",
      `Disallow: /${`*${"a".repeat(4000)}b`.repeat(100)}`,
      `/${"a".repeat(8000)}`,
    ],
    [
      "many such rules",
      Array.from({ length: 30 }, (_, n) => `Disallow: /*${"a".repeat(4000 + n)}b*c`).join("\n"),
      `/${"a".repeat(8000)}`,
    ],
    ["only stars", `Disallow: /${"*".repeat(100_000)}x$`, `/${"a".repeat(8000)}`],
    ["thousands of short rules", "Disallow: *a*b*c$\n".repeat(28_000), `/${"ab".repeat(2000)}`],
  ])("take linear time: %s", async (_what, rules, path) => {
    const robots = read(`User-agent: *\n${rules}`);
    await expectLinear(
      path.length,
      (size) => at(path.slice(0, size)),
      (part) => robots.allows(part),
    );
  });

  it("match the same paths as a regular expression", () => {
    const letters = fc.array(fc.constantFrom("a", "b", "/", "*"), { maxLength: 12 });
    const path = fc.array(fc.constantFrom("a", "b", "/"), { maxLength: 20 });
    fc.assert(
      fc.property(
        letters,
        path,
        fc.boolean(),
        fc.integer({ min: 1, max: 40 }),
        (pattern, rest, isClosed, times) => {
          // Repetition makes parts that are long enough for the search table.
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

  it("do not change when they are normalised twice", () => {
    fc.assert(
      fc.property(fc.webUrl({ withQueryParameters: true }), (url) => {
        const { pathname, search } = new URL(url);
        const once = normalisePath(pathname + search);
        expect(normalisePath(once)).toBe(once);
      }),
    );
  });
});

describe("HTTP statuses of robots.txt", () => {
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
  ])("decide who may crawl: %i", (status, expected) => {
    expect(robotsOfStatus(status)).toBe(expected);
  });
  it("allow or forbid everything except robots.txt itself", () => {
    expect(ALLOW_ALL.allows(at("/x"))).toBe(true);
    expect(FORBID_ALL.allows(at("/x"))).toBe(false);
    expect(FORBID_ALL.allows(at("/robots.txt"))).toBe(true);
  });
});

describe("names, addresses and bytes", () => {
  it.each([
    ["Thresher/0.1 (+https://example.org)", "Thresher"],
    ["thresher", "thresher"],
    ["Mozilla/5.0 (compatible; Foo_Bot-x/2; +https://example.org)", "Foo_Bot-x"],
    ["Mozilla/5.0 (X11; Linux x86_64)", "Mozilla"],
    ["", ""],
    ["42", ""],
  ])("give the product token of %s", (header, token) => {
    expect(productTokenOf(header)).toBe(token);
  });
  it.each([
    ["https://example.org:8443/a/b?c#d", "https://example.org:8443/robots.txt"],
    ["http://[::1]/x", "http://[::1]/robots.txt"],
  ])("give the robots.txt of %s", (url, expected) => {
    expect(robotsUrlOf(url)).toBe(expected);
  });
  it("are decoded from UTF-8, and from UTF-16 by its byte order mark", () => {
    const text = "User-agent: *\nDisallow: /ü\n";
    const wide = Buffer.from(`\ufeff${text}`, "utf16le");
    for (const bytes of [Buffer.from(text), Buffer.from(`\ufeff${text}`), wide, Buffer.from(wide).swap16()])
      expect(read(decodeRobots(bytes)).allows(at("/ü"))).toBe(false);
    expect(decodeRobots(Uint8Array.of(0x61, 0xff, 0x62))).toBe("a\ufffdb");
  });
  it("are read without an error, whatever bytes there are", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.string(), (bytes, agent) => {
        expect(typeof read(decodeRobots(bytes), agent).allows(at("/x"))).toBe("boolean");
      }),
    );
  });
});
