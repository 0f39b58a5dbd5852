import { describe, expect, it } from "vitest";
import { canonicalUrl } from "../src/crawl/reach/url.js";
import { parseUrl, withoutUser } from "../src/parse-url.js";

const LETTERS = ["http://bücher.example/ü?ü", "https://example.org/日本/é"];

describe("parseUrl", () => {
  it("reads non-ASCII letters even after 100,000 other calls", () => {
    for (let at = 0; at < 100_000; at += 1) canonicalUrl(`https://example.org/${at}`);
    for (const url of LETTERS) {
      expect(parseUrl(url)?.href).toBe(new URL(url).href);
      expect(parseUrl("ü", url)?.pathname.endsWith("%C3%BC")).toBe(true);
      expect(canonicalUrl(url)).toBe(new URL(url).href);
    }
  });

  it.each([" https://example.org/a", "\tht\ntps://example.org/a", "HTTPS:example.org/a"])(
    "parses %j",
    (url) => {
      expect(parseUrl(url)?.href).toBe("https://example.org/a");
    },
  );

  it.each(["", "a", "/a", "//example.org/a", "?a:b", "http://", "https://[::1", "1x:a", "é:a"])(
    "returns undefined for %j",
    (text) => {
      expect(() => new URL(text)).toThrow(TypeError);
      expect(parseUrl(text)).toBeUndefined();
      expect(parseUrl(text, "no base")).toBeUndefined();
    },
  );

  it("resolves a relative URL against its base", () => {
    expect(parseUrl("../b?c", "https://example.org/a/d")?.href).toBe("https://example.org/b?c");
    expect(parseUrl("", "https://example.org/a")?.href).toBe("https://example.org/a");
    expect(parseUrl("https://[::1", "https://example.org/a")).toBeUndefined();
  });
});

describe("withoutUser", () => {
  it.each([
    ["https://ann:secret@example.org/a?b@c", "https://example.org/a?b@c"],
    ["HTTP://ann@example.org", "HTTP://example.org"],
    ["https://a:b@c@example.org/", "https://example.org/"],
    ["https://example.org/@ann", "https://example.org/@ann"],
    ["//ann:secret@example.org", "//example.org"],
    ["https:///ann:secret@example.org/a@b", "https:///example.org/a@b"],
    ["http:/ann:secret@example.org/", "http:/example.org/"],
    ["https:ann:secret@example.org", "https:example.org"],
    ["https:\\\\ann:secret@example.org", "https:\\\\example.org"],
    [" https://ann:secret@example.org", " https://example.org"],
    ["file:///ann@home", "file:///ann@home"],
    ["mailto:ann@example.org", "mailto:ann@example.org"],
    ["ann@example.org", "ann@example.org"],
  ])("turns %s into %s", (given, expected) => {
    expect(withoutUser(given)).toBe(expected);
  });
});
