import { describe, expect, it } from "vitest";
import { readStatements } from "../../../src/extract/metadata/metadata.js";
import { parseHtml } from "../../../src/parse/standard-tree.js";
import { expectLinear } from "../../growth.js";

function authorAndDate(html: string) {
  const { author, date } = readStatements(parseHtml({ id: "page", url: "", html })).meta;
  return { author, date };
}

const HEAD =
  "From: hal@yard.example.com (Hal Gorman)\nNewsgroups: rec.boats\nSubject: ribs\nDate: 14 Feb 1996 03:12:55 GMT\nMessage-ID: &lt;4fr1d7$k2j@yard.example.com&gt;\n";

describe("a message in a mail archive", () => {
  it.each([
    [
      "Pipermail",
      '<TITLE> [Tape] Dropouts</TITLE><BODY><H1>[Tape] Dropouts</H1>\n <B>Marta Lindqvist</B>\n <A HREF="mailto:tape%40example.org" TITLE="[Tape] Dropouts">marta at example.se\n </A><BR>\n <I>Tue Mar 11 21:14:02 CET 2003</I>\n<P><UL><LI>Previous message: <A HREF="1.html">Heads</A></LI></UL><HR>\n<!--beginarticle-->\n<PRE>Yes.</PRE><!--endarticle-->',
      { author: "Marta Lindqvist", date: "2003-03-11" },
    ],
    [
      "MHonArc",
      "<!-- MHonArc v2.6.10 -->\n<title>Re: bikes</title><body><h1>Re: bikes</h1><ul><li><em>To</em>: <a href=x>bikes@xxx</a></li>\n<li><em>From</em>: Joan Perez &lt;<a href='mailto:j@x'>joan@xxx</a>&gt;</li>\n<li><em>Date</em>: Fri, 16 Apr 2004 08:22:41 -0700</li></ul><pre>Yes.</pre>",
      { author: "Joan Perez", date: "2004-04-16T08:22:41-07:00" },
    ],
    [
      "Hypermail",
      '<title>bikes</title><body><h1>bikes</h1><!-- name="Joan P&eacute;rez" --><!-- isosent="20040416152241" --><p>Yes.',
      { author: "Joan Pérez", date: "2004-04-16" },
    ],
    [
      "public-inbox",
      '<title>fs: a fix - Anders Moe</title><body><pre>archive mirror</pre><pre\nid=b>From: "Anders Moe" &lt;anders@example.no&gt;\nTo: x@y\nSubject: <a href=#r>fs: a fix</a>\nDate: Fri, 12 Apr 2019 11:20:31 +0200\t[<a href=#r>thread overview</a>]\nMessage-ID: &lt;2019@example.no&gt; (<a href=raw>raw</a>)\n\nA fix.</pre>',
      { author: "Anders Moe", date: "2019-04-12T11:20:31+02:00" },
    ],
    [
      "news",
      `<title>ribs</title><body><PRE>\n${HEAD}\nThe rule is an hour.</PRE>`,
      { author: "Hal Gorman", date: "1996-02-14T03:12:55Z" },
    ],
  ])("from %s has a sender and a date", (_name, html, expected) => {
    expect(authorAndDate(html)).toEqual(expected);
  });

  it("has no author if only an address is shown", () => {
    const bare = HEAD.replace(" (Hal Gorman)", "");
    expect(authorAndDate(`<body><pre>${bare}</pre>`).author).toBeUndefined();
  });

  it("is overridden by what the page states", () => {
    const stated = '<meta name="author" content="Ada Lund"><meta name="date" content="2001-02-03">';
    expect(authorAndDate(`${stated}<body><pre>${HEAD}</pre>`)).toEqual({
      author: "Ada Lund",
      date: "2001-02-03",
    });
  });

  it("is not assumed on other pages", () => {
    expect(authorAndDate("<body><p>From: Hal Gorman<p>Date: 14 Feb 1996").author).toBeUndefined();
  });

  it("is looked for in linear time", async () => {
    await expectLinear(
      16_000,
      (size) => `<body>Message-ID: ${"</H1><B>x</B><A ".repeat(size)}`,
      (html) => authorAndDate(html),
    );
  });
});
