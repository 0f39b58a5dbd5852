import { describe, expect, it } from "vitest";
import { findLinks, findRefresh } from "../../../src/crawl/turns/found-urls.js";
import { expectLinear } from "../../growth.js";

const find = (html: string, agent = "Thresher"): ReturnType<typeof findLinks> => {
  const content = { kind: "bytes", bytes: Buffer.from(html), format: "html" } as const;
  return findLinks({ id: "", url: "http://one.test/", content }, agent);
};
const pathsOf = (html: string): string[] => find(html).links.map(({ url }) => new URL(url).pathname);

describe("findLinks", () => {
  it("reads frames", () => {
    expect(pathsOf(`<frameset cols="20%,80%"><frame src=/menu><frame src=/text></frameset>`)).toEqual([
      "/menu",
      "/text",
    ]);
  });

  it("reads links in noscript elements and in SVG drawings", () => {
    const html = `<noscript><link rel=stylesheet href=/s.css></noscript><base href="/sub/"><p>Text
      <svg><a xlink:href=drawn>d</a></svg><noscript><a href="?page=2">more</a><a href=/menu>m</a></noscript>`;
    expect(pathsOf(html)).toEqual(["/sub/drawn", "/sub/", "/menu"]);
  });

  it("obeys robots meta tags that name our user agent", () => {
    const html = `<meta name="mybot" content="nofollow"><meta name="" content="nofollow"><a href=/a>a</a>`;
    expect(find(html, "MyBot").links).toEqual([{ url: "http://one.test/a", nofollow: true }]);
    for (const agent of ["Thresher", ""])
      expect(find(html, agent).links).toEqual([{ url: "http://one.test/a", nofollow: false }]);
  });

  it("reads at most as many links as a sitemap may have, and counts the rest", () => {
    const html = Array.from({ length: 50_010 }, (_, n) => `<a href=/${n}>${n}</a>`).join("");
    const { links, leftOut } = find(html);
    expect([links.length, leftOut]).toEqual([50_000, 10]);
  });
});

describe("findRefresh", () => {
  it("takes linear time on a page that is made to be slow", async () => {
    const make = (spaces: number) =>
      ({
        kind: "bytes",
        bytes: Buffer.from(`<meta http-equiv=${" ".repeat(spaces)}x><p>`),
        format: "html",
      }) as const;
    await expectLinear(16_000, make, (content) => {
      for (let times = 0; times < 50; times += 1)
        expect(findRefresh({ id: "", url: "http://one.test/", content }, { headers: [] })).toBeUndefined();
    });
  });
});
