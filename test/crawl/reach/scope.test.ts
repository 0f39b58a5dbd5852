import { describe, expect, it } from "vitest";
import { UsageError } from "../../../src/outcome.js";
import { registeredDomain } from "../../../src/crawl/reach/scope.js";
import { compileUrlPattern } from "../../../src/crawl/reach/pattern.js";
import { openScope } from "../../../src/crawl/reach/scope.js";
import type { ReachOptions } from "../../../src/crawl/types.js";
import { expectLinear } from "../../growth.js";

const SEED = "https://www.example.org/start";

function judge(url: string, options: Partial<ReachOptions> = {}, depth = 1, from = SEED): string {
  const scope = openScope({ depth: 3, reach: "host", include: [], exclude: [], ...options });
  const verdict = scope.admits(url, depth, from);
  return verdict.admitted ? "yes" : `${verdict.reason}: ${verdict.detail}`;
}

describe("the depth of a URL", () => {
  it.each([
    [0, 0, "yes"],
    [1, 0, "out-of-scope: 1 link from the seed, but the limit is 0"],
    [3, 3, "yes"],
    [4, 3, "out-of-scope: 4 links from the seed, but the limit is 3"],
  ])("of %i is checked against the limit %i", (at, depth, expected) => {
    expect(judge("https://www.example.org/a", { depth }, at)).toBe(expected);
  });
});

describe("reach", () => {
  it.each<[ReachOptions["reach"], string, string, boolean]>([
    ["host", SEED, "https://www.example.org/a", true],
    ["host", SEED, "http://www.example.org/a", true],
    ["host", SEED, "https://example.org/a", true],
    ["host", "https://example.org/", "https://www.example.org/a", true],
    ["host", SEED, "https://blog.example.org/", false],
    ["host", SEED, "https://www.example.org:8443/", false],
    ["host", SEED, "https://example.com/", false],
    ["host", "https://www.org/", "https://org/", false],
    ["host", "http://127.0.0.1:81/", "http://127.0.0.1:82/", false],
    ["domain", SEED, "https://blog.a.example.org:8443/", true],
    ["domain", SEED, "https://notexample.org/", false],
    ["domain", SEED, "https://example.org.evil.test/", false],
    ["domain", "https://a.example.co.uk/", "https://b.example.co.uk/", true],
    ["domain", "https://a.co.uk/", "https://b.co.uk/", false],
    ["domain", "https://a.github.io/", "https://b.github.io/", false],
    ["domain", "https://github.io/", "https://b.github.io/", false],
    ["domain", "http://127.0.0.1/", "http://127.0.0.1:8080/", true],
    ["domain", "http://127.0.0.1/", "http://127.0.0.2/", false],
    ["domain", "http://10.0.0.1/", "http://10.1.0.1/", false],
    ["domain", "http://localhost/", "http://localhost:3000/", true],
    ["domain", "https://xn--bcher-kva.example/", "https://shop.xn--bcher-kva.example/", true],
    ["any", SEED, "https://elsewhere.test/", true],
  ])("%s is checked for a link from %s to %s", (reach, from, url, expected) => {
    expect(judge(url, { reach }, 1, from) === "yes").toBe(expected);
  });
  it("names the host or domain that it does not leave", () => {
    expect(judge("https://a.test/")).toBe("out-of-scope: the host is not example.org");
    expect(judge("https://a.test/", { reach: "domain" })).toBe("out-of-scope: the domain is not example.org");
  });
  it.each([
    ["a.b.example.co.uk", "example.co.uk"],
    ["co.uk", "co.uk"],
    ["localhost", "localhost"],
    ["[::1]", "[::1]"],
    ["192.168.0.1", "192.168.0.1"],
  ])("puts %s in the domain %s", (host, domain) => {
    expect(registeredDomain(host)).toBe(domain);
  });
});

describe("include and exclude", () => {
  const options = { include: ["/blog/", "/about"], exclude: ["*.pdf", "re:[?&]print="] };
  it.each([
    ["https://www.example.org/blog/a/b", "yes"],
    ["https://www.example.org/about?x=1", "yes"],
    ["https://www.example.org/shop", "out-of-scope: no pattern includes it"],
    ["https://www.example.org/blog/a.pdf", "out-of-scope: excluded by *.pdf"],
    ["https://www.example.org/blog/a?print=1", "out-of-scope: excluded by re:[?&]print="],
  ])("decide about %s", (url, expected) => {
    expect(judge(url, options)).toBe(expected);
  });
  it("refuse a seed only if it is excluded", () => {
    expect(judge(SEED, { include: ["/nowhere"] }, 0)).toBe("yes");
    expect(judge(SEED, { exclude: ["/start"] }, 0)).toBe("out-of-scope: excluded by /start");
    const trap = `https://www.example.org/${"a/".repeat(40)}`;
    expect(judge(trap, {}, 0, trap)).toBe("yes");
  });
  it("apply to the URLs of a sitemap", () => {
    const map = "https://www.example.org/sitemap.xml";
    expect(judge("https://www.example.org/x", { depth: 0, include: ["/y"] }, 0, map)).toContain("no pattern");
    expect(judge("https://www.example.org/y", { depth: 0, include: ["/y"] }, 0, map)).toBe("yes");
  });
  it("apply with the trap rules to the URLs of a list that is a seed, on every host", () => {
    const scope = openScope({ depth: 0, reach: "host", include: ["/**y"], exclude: ["/z/"] });
    expect(scope.admitsListed("https://elsewhere.example/y").admitted).toBe(true);
    expect(scope.admitsListed("https://elsewhere.example/x")).toMatchObject({ reason: "out-of-scope" });
    expect(scope.admitsListed("https://elsewhere.example/z/y")).toMatchObject({ reason: "out-of-scope" });
    expect(scope.admitsListed(`https://elsewhere.example/${"a/".repeat(40)}y`)).toMatchObject({
      reason: "trap",
    });
  });
  it("do not admit traps", () => {
    expect(judge(`https://www.example.org/${"a/".repeat(40)}`)).toMatch(/^trap: /);
  });
});

describe("patterns", () => {
  it.each([
    ["/", "https://example.org/", true],
    ["/", "https://example.org/a/b", true],
    ["/blog", "https://example.org/blog", true],
    ["/blog", "https://example.org/blog/", false],
    ["/blog", "https://example.org/blogs", false],
    ["/blog/", "https://example.org/blog/", true],
    ["/blog/", "https://example.org/blog/2024/01/x?y=z", true],
    ["/blog/", "https://example.org/a/blog/", false],
    ["/blog/*", "https://example.org/blog/x", true],
    ["/blog/*", "https://example.org/blog/x/y", false],
    ["/blog/**", "https://example.org/blog/x/y", true],
    ["/**/print", "https://example.org/a/b/print", true],
    ["/*/news/*.html", "https://example.org/en/news/1.html", true],
    ["/*/news/*.html", "https://example.org/en/news/x1html", false],
    ["/a?id=*", "https://example.org/a?id=1&u=/x/y", true],
    ["/a?id=*", "https://example.org/a", false],
    ["/a?id=1", "https://example.org/a?id=12", false],
    ["*.pdf", "https://example.org/a/b.pdf", true],
    ["*.pdf", "https://example.org/a/b.pdf?v=2", true],
    ["*.pdf", "https://example.org/a.pdf/b", true],
    ["*.pdf", "https://example.org/a.pdfs", false],
    ["*.example.org", "https://www.example.org/a", true],
    ["*.example.org", "https://example.org/a", false],
    ["login", "https://example.org/user/login/now", true],
    ["login", "https://example.org/user/login-now", false],
    ["*?page=*", "https://example.org/list?page=2", true],
    ["example.org/a/*", "https://example.org/a/b", true],
    ["example.org/a/*", "http://example.org/a/b?c", true],
    ["example.org/a/*", "https://www.example.org/a/b", false],
    ["**.example.org/a", "https://x.y.example.org/a", true],
    ["example.org:8080/", "https://example.org:8080/a", true],
    ["https://example.org/**", "https://example.org/a/b?c", true],
    ["https://example.org/**", "http://example.org/a", false],
    ["/a.b(c)[d]{e}+^$|\\", "https://example.org/a.b(c)[d]{e}+^$|\\", false],
    ["/a.b(c)[d]+$", "https://example.org/a.b(c)[d]+$", true],
    ["/ü/*", "https://example.org/%C3%BC/x", true],
    ["/%C3%BC/*", "https://example.org/%C3%BC/x", true],
    ["bücher.example/", "https://xn--bcher-kva.example/x", true],
    ["/a%FF*", "https://example.org/a%FFb", true],
    ["re:/\\d{4}/\\d\\d/", "https://example.org/2024/05/x", true],
    ["re:^https://example\\.org/$", "https://example.org/a", false],
    ["re:(?i)PRIVATE", "https://example.org/a?private", true],
    ["re:/über", "https://example.org/%C3%BCber", true],
  ])("include %s matched against %s: %s", (pattern, url, expected) => {
    expect(compileUrlPattern(pattern).fits(url)).toBe(expected);
  });

  it.each(["", "re:(", "re:(?=a)", "re:(a)\\1", "re:a**", "re:(?:a{1000}){1000}", "x".repeat(1001)])(
    "that are not valid throw: %s",
    (pattern) => {
      expect(() => compileUrlPattern(pattern)).toThrow(UsageError);
    },
  );

  it.each([
    "re:(a+)+$",
    "re:(a|a)*b",
    "re:(.*a){20}b",
    "re:(?:a?){100}a{100}b",
    `/${"**a".repeat(300)}b`,
    `${"*a".repeat(400)}b`,
  ])("such as %s take time in proportion to the URL", async (pattern) => {
    const compiled = compileUrlPattern(pattern);
    const write = (size: number): string => `https://example.org/${"a".repeat(size)}?${"a".repeat(size)}%`;
    await expectLinear(4000, write, (url) => compiled.fits(url));
  });
});
