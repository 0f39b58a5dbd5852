import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalUrl } from "../../../src/crawl/reach/url.js";
import { MAX_URL } from "../../../src/parse-url.js";

describe("canonicalUrl", () => {
  it.each([
    ["http://example.org", "http://example.org/"],
    ["  HTTP://EXAMPLE.org:80/a  ", "http://example.org/a"],
    ["https://example.org:443/", "https://example.org/"],
    ["https://example.org:80/", "https://example.org:80/"],
    ["http://user:secret@example.org/", "http://example.org/"],
    ["http://example.org/a#b", "http://example.org/a"],
    ["http://example.org/a#", "http://example.org/a"],
    ["http://example.org/a?", "http://example.org/a"],
    ["http://example.org/a?#b", "http://example.org/a"],
    ["http://example.org/?b=2&a=1&b=1", "http://example.org/?b=2&a=1&b=1"],
    ["http://example.org/a/./b/../c/%2e%2E/d", "http://example.org/a/d"],
    ["http://example.org/../../x", "http://example.org/x"],
    ["http://example.org//a//b/", "http://example.org//a//b/"],
    ["http://example.org./a", "http://example.org/a"],
    ["http://example.org.:8080/", "http://example.org:8080/"],
    ["http://bücher.example/ü?ü", "http://xn--bcher-kva.example/%C3%BC?%C3%BC"],
    ["http://example.org/%7Euser/%41%2d%c3%bc", "http://example.org/~user/A-%C3%BC"],
    ["http://example.org/a%2fb%3f", "http://example.org/a%2Fb%3F"],
    ["http://example.org/100%", "http://example.org/100%25"],
    ["http://example.org/%%341", "http://example.org/%2541"],
    ["http://example.org/?q=a+b%20c", "http://example.org/?q=a+b%20c"],
    ["http://example.org/a|b^c{d}?e|f", "http://example.org/a%7Cb%5Ec%7Bd%7D?e%7Cf"],
    ["http://example.org/a;b=c,d!$&'()*@:", "http://example.org/a;b=c,d!$&'()*@:"],
    ["http:\\\\example.org\\a", "http://example.org/a"],
    ["http:example.org", "http://example.org/"],
    ["http://ex\tample.org/a\nb", "http://example.org/ab"],
    ["http://0x7f.1/", "http://127.0.0.1/"],
    ["http://2130706433/", "http://127.0.0.1/"],
    ["http://127.0.0.1./", "http://127.0.0.1/"],
    ["http://[0:0::1]:80/", "http://[::1]/"],
    ["http://[::FFFF:10.0.0.1]/", "http://[::ffff:a00:1]/"],
    ["http://example.org/\ud800", "http://example.org/%EF%BF%BD"],
  ])("turns %s into %s", (url, expected) => {
    expect(canonicalUrl(url)).toBe(expected);
  });

  it.each([
    "",
    "example.org",
    "/a",
    "ftp://example.org/",
    "file:///etc/passwd",
    "javascript:alert(1)",
    "mailto:a@example.org",
    "data:text/html,x",
    "http://",
    "http:///",
    "http://a b/",
    "http://example.org:99999/",
    "http://[::1/",
    "http://./",
    "http://../",
    "http://1../",
    "http://a..b/",
    "http://.example.org/",
    "http://%00/",
    `http://example.org/${"a".repeat(MAX_URL)}`,
    `http://example.org/${"ü".repeat(2000)}`,
  ])("returns undefined for %s", (url) => {
    expect(canonicalUrl(url)).toBeUndefined();
  });

  it.each([
    ["b?c", "http://example.org/x/a#f", "http://example.org/x/b?c"],
    ["//other.example/y", "https://example.org/", "https://other.example/y"],
    ["?q", "http://example.org/x?p", "http://example.org/x?q"],
    ["#f", "http://example.org/x?p", "http://example.org/x?p"],
    ["", "http://example.org/x?", "http://example.org/x"],
    ["mailto:x", "http://example.org/", undefined],
    ["a", "no base", undefined],
  ])("resolves %s against %s as %s", (url, base, expected) => {
    expect(canonicalUrl(url, base)).toBe(expected);
  });

  const letters = (text: string): string[] => text.split("");
  const wild = fc.oneof(
    fc.webUrl({ withQueryParameters: true, withFragments: true, validSchemes: ["http", "https", "ftp"] }),
    fc
      .tuple(
        fc.constantFrom("http://", "https://", "HTTP:", "http:\\\\"),
        fc.string({ unit: "binary", maxLength: 12 }),
        fc.string({
          unit: fc.constantFrom(...letters("%%%%0123456789abcdefABCDEF/.?#&;=:@+-_~ |^{}[]<>\"'`\\\u00fc")),
          maxLength: 40,
        }),
      )
      .map(([scheme, host, rest]) => `${scheme}${host}a.example/${rest}`),
    fc
      .string({ unit: fc.constantFrom(...letters("0123456789abcdefx.%2e:@[]/")), maxLength: 20 })
      .map((host) => `http://${host}/%%34%2`),
  );

  it("does not change its own result", () => {
    let known = 0;
    fc.assert(
      fc.property(wild, (url) => {
        const once = canonicalUrl(url);
        if (once === undefined) return;
        known += 1;
        expect(canonicalUrl(once)).toBe(once);
        expect(new URL(once).href).toBe(once);
        expect(once).toMatch(/^https?:\/\/[^\s#]+$/);
      }),
      { numRuns: 5000 },
    );
    expect(known).toBeGreaterThan(1000);
  });

  it("keeps the resource that the URL names", () => {
    const decode = (text: string): string =>
      text.replaceAll(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
    fc.assert(
      fc.property(fc.webUrl({ withQueryParameters: true }), (url) => {
        const { pathname, search, hostname } = new URL(url);
        const canonical = new URL(canonicalUrl(url) ?? "");
        expect(canonical.hostname).toBe(hostname);
        expect(decode(canonical.pathname + canonical.search)).toBe(
          decode(pathname + (search === "?" ? "" : search)),
        );
      }),
    );
  });
});
