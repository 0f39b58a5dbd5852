import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { withoutSession } from "../../../src/crawl/reach/url.js";
import { looksLikeTrap } from "../../../src/crawl/reach/traps.js";
import { canonicalUrl } from "../../../src/crawl/reach/url.js";
import { expectLinear } from "../../growth.js";

const NOW = new Date("2026-11-21T00:00:00Z");
const at = (rest: string): string => `https://example.org${rest}`;
const why = (rest: string): string | undefined => looksLikeTrap(at(rest), NOW);

describe("looksLikeTrap", () => {
  it.each([
    ["/calendar/2029/01/", "calendar"],
    ["/events/2031-05/", "calendar"],
    ["/events/month/2031-05-17/", "calendar"],
    ["/kalender/2040/3", "calendar"],
    ["/?year=2031&month=5", "calendar"],
    ["/events?tribe-bar-date=2035-01-01", "calendar"],
    ["/cal.php?date=20350101", "calendar"],
    ["/calendar?year=1066", "calendar"],
    ["/agenda/0999/12/", "calendar"],
    ["/a;jsessionid=0123456789ABCDEF?x=1", "session id"],
    ["/(S(abcdefghij0123456789abcd))/page.aspx", "session id"],
    ["/index.php?PHPSESSID=0123456789abcdef0123456789abcdef", "session id"],
    ["/viewtopic.php?t=5&sid=58428beaa14598c2e02d93ad5c773e4d", "session id"],
    ["/forum/show.php?s=0123456789abcdef0123456789abcdef", "session id"],
    ["/a/a/a/a/", "repeat"],
    ["/x/en/news/en/news/en/news/", "repeat"],
    ["/x/A/b/a/B/a/b/c", "repeat"],
    ["/index.php/about/index.php/about", "own path"],
    [`/${Array.from({ length: 21 }, (_, n) => `p${n}`).join("/")}`, "folders deep"],
    [`/${"long-".repeat(130)}`, "path has more than"],
    [`/?q=${"long-".repeat(420)}`, "URL has more than"],
    [`/?${Array.from({ length: 31 }, (_, n) => `p${n}=1`).join("&")}`, "parameters"],
    ["/?sort=a&sort=a&sort=a", "same parameter"],
    [`/?${Array.from({ length: 13 }, (_, n) => `f=${n}`).join("&")}`, "same parameter"],
    ["/login?next=%2525252Flogin", "escapes"],
  ])("refuses %s", (rest, expected) => {
    expect(why(rest)).toContain(expected);
  });

  it.each([
    "/",
    "/2026/11/21/a-title-of-a-post/",
    "/2011/11/11/11/11/eleven",
    "/blog/2027/01/02/",
    "/1999/12/31/",
    "/archive/1789/07/14/",
    "/news/agenda-2050/",
    "/vision-2050/12/",
    "/2050/01/what-the-world-will-be",
    "/products/9999/12",
    "/article?Date=99999999&ArtNo=1",
    "/album.php?album=a&date=0000-00-00",
    "/events/2026/12/christmas-concert",
    "/events/2028/",
    "/events/",
    "/calendar",
    "/movies?year=1650",
    "/list?year=2026&month=11",
    "/viewtopic.php?f=4&t=167&sid=12",
    "/page?sid=introduction-to-words",
    "/session/2024-spring-conference-keynote",
    "/a;b=c/d",
    "/?s=search+words",
    "/docs/api/api/",
    "/news/news/news.html",
    "/de/transparenz/transparenz/transparenz",
    "/a/b/a/b/",
    "/x/1/1/1/1/",
    "/2024-01/2024-01/2024-01/2024-01/x",
    "///a//",
    "/index.html/x",
    "/?filter[]=a&filter[]=b&filter[]=c&filter[]=d",
    "/?color=red&color=blue&size=1",
    "/?a=1&a=1",
    "/search?q=a&page=2&sort=price&order=asc&min=1&max=9&brand=x&in_stock=1&view=grid&per_page=50",
    "/login?next=%252Faccount",
    `/wiki/${encodeURIComponent("ก".repeat(180))}`,
    `/%D0%BD%D0%BE%D0%B2%D0%BE%D1%81%D1%82%D0%B8/${encodeURIComponent("длинный-заголовок-".repeat(12))}`,
    "/%FF%FE/%C3",
    "/a/very/deep/but/still/quite/ordinary/path/of/a/documentation/tree/index.html",
  ])("accepts %s", (rest) => {
    expect(why(rest)).toBeUndefined();
  });

  it("takes time in proportion to the URL for any input", async () => {
    for (const rest of [
      `/${"a/".repeat(4000)}`,
      `/${"1/".repeat(4000)}`,
      `/?${"a=1&".repeat(2000)}`,
      `/?${"sid=aaaaaaaaaaaaaaaa&".repeat(390)}`,
      `/${"%C3%BC".repeat(1300)}`,
      `/${"%FF".repeat(2700)}`,
      `/${";jsessionid=".repeat(600)}`,
      `/?date=${"2031-".repeat(1000)}`,
      `/${"(S(a".repeat(2000)}`,
      `/?${"date_".repeat(1500)}=2035`,
      `/${"a-calendar".repeat(800)}`,
    ])
      await expectLinear(rest.length, (size) => rest.slice(0, size), why);
  });

  it("accepts any URL, also without a given date", () => {
    fc.assert(
      fc.property(fc.webUrl({ withQueryParameters: true }), (url) => {
        const canonical = canonicalUrl(url);
        if (canonical !== undefined)
          expect(["string", "undefined"]).toContain(typeof looksLikeTrap(canonical));
      }),
    );
  });
});

describe("withoutSession", () => {
  it.each([
    ["/a;jsessionid=0123456789ABCDEF.node1?x=1", "/a?x=1"],
    ["/a;jsessionid=0123456789ABCDEF;v=2/b", "/a;v=2/b"],
    ["/app/(S(abcdefghij0123456789abcd))/page.aspx", "/app/page.aspx"],
    ["/(A(abcdefghij01)S(abcdefghij01))", "/"],
    ["/t?f=4&sid=58428beaa14598c2e02d93ad5c773e4d&t=1", "/t?f=4&t=1"],
    ["/t?PHPSESSID=58428beaa14598c2e02d93ad5c773e4d", "/t"],
    ["/t?sid=5&s=a%20b&b=%3D", "/t?sid=5&s=a%20b&b=%3D"],
    ["/t?&&a", "/t?&&a"],
    ["/x?u=/a;jsessionid=0123456789ABCDEF", "/x?u=/a;jsessionid=0123456789ABCDEF"],
  ])("cleans %s", (rest, expected) => {
    expect(withoutSession(at(rest))).toBe(at(expected));
  });
});
