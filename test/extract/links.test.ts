import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MAX_LINKS, readPageLinks, type PageLinks } from "../../src/extract/links.js";
import { readRobotsTag } from "../../src/extract/robots-directives.js";
import { decodePage } from "../../src/parse/charset.js";
import { parseQuickly } from "../../src/parse/quick-tree.js";
import { parseHtml } from "../../src/parse/standard-tree.js";
import { expectLinear } from "../growth.js";

const HERE = "https://example.org/a/page.html?x=1";

function read(html: string, url = HERE): PageLinks {
  const page = { id: "page", url, html };
  const links = readPageLinks(parseHtml(page).root, url);
  // Both parsers find the same links, except in elements that the quick one drops.
  if (!/<(?:svg|frame)/.test(html)) expect(readPageLinks(parseQuickly(page).root, url)).toEqual(links);
  return links;
}

/** Returns the URLs, with those of nofollow links in parentheses. */
const shown = (html: string, url = HERE): string[] =>
  read(html, url).links.map((link) => (link.nofollow ? `(${link.url})` : link.url));

function readFixture(name: string, url: string): PageLinks {
  const file = join(import.meta.dirname, "../../fixtures/pages", name, "source.html");
  return read(decodePage(readFileSync(file)).text, url);
}

describe("readPageLinks", () => {
  it("resolves the links that a reader can follow", () => {
    expect(
      shown(`<a href=b.html>b</a> <a href="/c?d=1&amp;e=2#f">c</a> <a href=//other.example/>o</a>
        <map><area href="../m" alt=m></map> <svg><a xlink:href="s.svg"><text>s</text></a></svg>
        <a href=" https://x.example/ü ">x</a>`),
    ).toEqual([
      "https://example.org/a/b.html",
      "https://example.org/c?d=1&e=2",
      "https://other.example/",
      "https://example.org/m",
      "https://example.org/a/s.svg",
      "https://x.example/%C3%BC",
    ]);
  });

  it("leaves out links to other things than pages, and to the page itself", () => {
    expect(
      shown(`<a>x</a><a name=x><a href="#top">t</a><a href="">s</a><a href="page.html?x=1#y">s</a>
        <a href="mailto:a@b.example"><a href="javascript:void(0)"><a href="tel:1"><a href="data:text/html,x">
        <a href="http://"><a href="ftp://example.org/x"><a href="http://[">
        <template><a href=/in-template>t</a></template><link rel=stylesheet href=/s.css><iframe src=/frame></iframe>`),
    ).toEqual([]);
  });

  it("reads links in a shadow root", () => {
    expect(
      shown("<my-card><template shadowrootmode=open><a href=/in-root>t</a></template></my-card>"),
    ).toEqual(["https://example.org/in-root"]);
  });

  it("reads frames", () => {
    expect(shown(`<frameset cols="1,2"><frame src="menu.html"><frame src="text.html"></frameset>`)).toEqual([
      "https://example.org/a/menu.html",
      "https://example.org/a/text.html",
    ]);
  });

  it("gives each URL once, without nofollow if one of its links has none", () => {
    expect(
      shown(`<a href=/a rel=nofollow>1</a><a href=/b rel="ugc external">2</a><a href=/c rel=SPONSORED>3</a>
        <a href=/a#x>4</a><a href=/d rel="noopener author">5</a><a href=/d rel=nofollow>6</a>`),
    ).toEqual([
      "https://example.org/a",
      "(https://example.org/b)",
      "(https://example.org/c)",
      "https://example.org/d",
    ]);
  });

  it.each([
    ["<base href=/x/><a href=y>", "https://example.org/x/y"],
    ["<a href=y><base href=https://cdn.example/x/>", "https://cdn.example/x/y"],
    ["<base target=_top><base href=/x/><base href=/z/><a href=y>", "https://example.org/x/y"],
    ["<base href='http://['><base href=/x/><a href=y>", "https://example.org/a/y"],
    ["<base href=javascript:x><a href=y>", "https://example.org/a/y"],
    ["<base href=><a href=y>", "https://example.org/a/y"],
  ])("reads %s as a link to %s", (html, url) => {
    expect(shown(html)).toEqual([url]);
  });

  it.each([
    ["<base href=https://cdn.example/x/><a href=y>", "", ["https://cdn.example/x/y"]],
    ["<base href=/x/><a href=y>", "", []],
    ["<template><base href=/t/></template><base href=/x/><a href=y>", HERE, ["https://example.org/x/y"]],
    ["<svg><base href=/s/></svg><base href=/x/><a href=y>", HERE, ["https://example.org/x/y"]],
  ])("reads %s on a page at '%s' as links to %j", (html, url, links) => {
    expect(shown(html, url)).toEqual(links);
  });

  it("compares links with the page's URL, not with its base", () => {
    expect(shown("<base href=/other.html><a href='#top'>")).toEqual(["https://example.org/other.html"]);
  });

  it("reads canonical, next, prev and feed links", () => {
    const links =
      read(`<link rel="shortcut icon" href=/i><link rel=canonical href=/canonical#x><link rel=CANONICAL href=/2>
      <link rel="next" href="?x=2"><link rel=prev href="?x=0">
      <link rel=alternate hreflang=de href=/de><link rel="alternate feed" type="application/rss+xml; charset=utf-8" href=/rss>
      <link rel=alternate type=application/atom+xml href="feed:https://x.example/"><link rel=alternate type=Application/Feed+JSON href=/feed.json>
      <link rel=alternate type=application/rss+xml href=/rss><link rel=alternate type=application/rss+xml><link rel=alternate type=application/rss+xml href=" ">`);
    expect(links).toEqual({
      links: [
        { url: "https://example.org/a/page.html?x=2", nofollow: false },
        { url: "https://example.org/a/page.html?x=0", nofollow: false },
        { url: "https://example.org/canonical", nofollow: false },
      ],
      canonical: "https://example.org/canonical",
      next: "https://example.org/a/page.html?x=2",
      feeds: ["https://example.org/rss", "https://example.org/feed.json"],
      robots: { noindex: false, nofollow: false },
      refreshes: [],
      leftOut: 0,
      notes: [],
    });
    expect(read("<a rel=next href=/2>2</a>").next).toBe("https://example.org/2");
    expect(read("<link rel=canonical href=''><link rel=canonical href=mailto:x>").canonical).toBeUndefined();
  });

  it.each([
    ['<meta http-equiv=refresh content="0; url=/new">', ["https://example.org/new"]],
    [`<meta http-equiv=Refresh content=" 5.5,URL = 'new?a=1' ">`, ["https://example.org/a/new?a=1"]],
    ['<meta http-equiv=refresh content="300">', []],
    ['<meta http-equiv=refresh content="0;/new">', ["https://example.org/new"]],
    [`<meta http-equiv=refresh content="0 URL = '/new' x">`, ["https://example.org/new"]],
    ['<meta http-equiv=refresh content=".5,/new">', ["https://example.org/new"]],
    ['<meta http-equiv=refresh content="url=/new">', []],
    ['<meta http-equiv=refresh content="0;url=">', []],
    ['<meta http-equiv=refresh content="0;url=javascript:x">', []],
  ])("reads the refresh %s", (html, expected) => {
    expect(shown(html)).toEqual(expected);
  });

  it.each<[string, boolean, boolean]>([
    ["", false, false],
    ["<meta name=robots content='noindex, nofollow'>", true, true],
    ["<meta name=ROBOTS content=NONE>", true, true],
    ["<meta name=robots content='index,follow'>", false, false],
    ["<meta name=robots content='noindex'><meta name=robots content='nofollow'>", true, true],
    ["<meta name=thresher content='nofollow'>", false, true],
    ["<meta name=googlebot content='noindex'>", false, false],
    ["<meta name=robots content='noindexed max-snippet:0'>", false, false],
    ["<p><meta name=robots content=noindex>", true, false],
    ["<meta name=robots>", false, false],
  ])("reads the robots directives of '%s'", (html, noindex, nofollow) => {
    const links = read(`${html}<a href=/x>x</a>`);
    expect(links.robots).toEqual({ noindex, nofollow });
    expect(links.links).toEqual([{ url: "https://example.org/x", nofollow }]);
  });
});

describe("the fixture pages", () => {
  it("give the links of forum-thread-de", () => {
    const { links, next, notes } = readFixture(
      "forum-thread-de",
      "https://forum.example.org/f/viewtopic.php?t=3318&start=10",
    );
    expect(next).toBe("https://forum.example.org/f/viewtopic.php?t=3318&start=20");
    expect(links.map(({ url }) => url)).toContain("https://forum.example.org/f/viewtopic.php?t=3318");
    // A link to the page itself.
    expect(links.map(({ url }) => url)).not.toContain(
      "https://forum.example.org/f/viewtopic.php?t=3318&start=10",
    );
    expect(notes).toEqual([]);
  });
  it("give the links of news-article-sv", () => {
    const { canonical, links } = readFixture("news-article-sv", "https://kustbladet.example.org/x");
    expect(canonical).toBe("https://kustbladet.example.org/nyheter/fyren-pa-graskar-tands-igen");
    expect(links.some(({ url }) => url === canonical)).toBe(true);
  });
  it("give the nofollow links of blog-with-comments-fi", () => {
    const { links } = readFixture("blog-with-comments-fi", "https://blogi.example.org/p/");
    const marked = links.filter(({ nofollow }) => nofollow).map(({ url }) => url);
    expect(marked).toContain("https://blogi.example.org/p/?replytocom=2201");
    expect(marked).toContain("https://savupirtti.example.com/");
    expect(links.length).toBeGreaterThan(marked.length);
  });
  it("give the links of upper-case-attributes, unclosed-tags, xhtml-namespaces and frames-and-forms", () => {
    for (const name of ["upper-case-attributes", "unclosed-tags", "xhtml-namespaces", "frames-and-forms"])
      expect(readFixture(name, "https://example.org/").links.length, name).toBeGreaterThan(1);
  });
});

describe("hostile pages", () => {
  it("keep the first links if there are too many", () => {
    const html = Array.from({ length: MAX_LINKS + 50 }, (_, n) => `<a href=/${n}>${n}</a>`).join("");
    const { links, notes } = read(`${html}<link rel=canonical href=/c><a href=/0>again</a>`);
    expect(links.length).toBe(MAX_LINKS);
    expect(links.at(-1)?.url).toBe(`https://example.org/${MAX_LINKS - 1}`);
    expect(notes).toEqual(["links-capped"]);
  });
  it("give as many links as the caller wants, and the others are counted", () => {
    const html = "<a href=/1>1</a><a href=/2>2</a><a href=/3>3</a><a href=/1>1</a><a href=/4>4</a>";
    const { root } = parseQuickly({ id: "", url: HERE, html });
    const { links, leftOut } = readPageLinks(root, HERE, { maxLinks: 2 });
    expect(links.map(({ url }) => new URL(url).pathname)).toEqual(["/1", "/2"]);
    expect(leftOut).toBe(2);
    expect(readPageLinks(root, HERE, { maxLinks: 1 }).leftOut).toBe(3);
  });
  it("may have very many elements", async () => {
    const write = (size: number): string => `${"<a href=/x>".repeat(size)}<a href=/y>`;
    const { links, notes } = read(write(60_000));
    expect(links.map(({ url }) => url)).toEqual(["https://example.org/x"]);
    expect(notes).toEqual(["links-capped"]);
    await expectLinear(60_000, write, read);
  });
  it("lose only links that are too long", () => {
    const { links, notes } = read(
      `<a href="/${"x".repeat(10_000)}"><a href="data:image/png;base64,${"x".repeat(10_000)}"><a href=/y>`,
    );
    expect(links.map(({ url }) => url)).toEqual(["https://example.org/y"]);
    expect(notes).toEqual(["long-links"]);
    expect(read(`<a href="data:text/html,${"x".repeat(10_000)}">`).notes).toEqual([]);
  });
  it("take linear time with long attribute values", async () => {
    const write = (size: number): string => {
      const spaces = " ".repeat(20 * size);
      return `<base href="${"x".repeat(2 * size)}"><meta http-equiv=refresh content="0${spaces};${spaces}url=${spaces}">
        ${`<meta http-equiv=refresh content="${"1".repeat(size)}x">`.repeat(50)}
        <meta name=robots content="${",".repeat(10 * size)}nofollow"><a rel="${"x ".repeat(5 * size)}nofollow" href=/y>`;
    };
    expect(shown(write(10_000))).toEqual(["https://example.org/y"]);
    await expectLinear(10_000, write, read);
  });
  it("give only absolute links without a URL of their own", () => {
    expect(shown("<a href=/x><a href=https://example.org/y>", "")).toEqual(["https://example.org/y"]);
    expect(shown("<a href=x>", "about:blank")).toEqual([]);
  });
  it("give only valid URLs, whatever they contain", () => {
    const piece = fc.oneof(
      fc.constantFrom(
        "<a href=",
        "'",
        '"',
        ">",
        "<base href=",
        "//",
        "http://",
        "rel=nofollow ",
        "<template>",
        "</template>",
        "<svg>",
        "<meta name=robots content=",
      ),
      fc.string(),
      fc.webUrl(),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const { root } = parseHtml({ id: "x", url: HERE, html: pieces.join("") });
        for (const { url } of readPageLinks(root, HERE).links) {
          expect(url).toMatch(/^https?:\/\/[^#]+$/);
          expect(new URL(url).href).toBe(url);
        }
      }),
    );
  });
});

describe("X-Robots-Tag", () => {
  it.each<[readonly string[], boolean, boolean]>([
    [[], false, false],
    [["noindex"], true, false],
    [["NoIndex, NoFollow"], true, true],
    [["none"], true, true],
    [["noindex", "nofollow"], true, true],
    [["thresher: noindex"], true, false],
    [["otherbot: noindex, nofollow"], false, false],
    [["otherbot: noindex, Thresher: nofollow"], false, true],
    [["unavailable_after: 25 Jun 2010 15:00:00 PST, nofollow"], false, true],
    [["max-snippet: 0, noindex"], true, false],
    [["noarchive, all"], false, false],
    [["\u0000,,:,::noindex"], false, false],
    [[`${",".repeat(5000)}noindex`], false, false],
  ])("is read from %j", (values, noindex, nofollow) => {
    expect(readRobotsTag(values, "Thresher")).toEqual({ noindex, nofollow });
  });
});
