import { describe, expect, it } from "vitest";
import { normaliseDate } from "../../../src/extract/metadata/dates/date.js";
import { readStatements } from "../../../src/extract/metadata/metadata.js";
import { cutSite, cutToHeading } from "../../../src/extract/metadata/title.js";
import type { Metadata } from "../../../src/document.js";
import { parseHtml } from "../../../src/parse/standard-tree.js";
import type { ParsedPage } from "../../../src/document/tree.js";
import { expectLinear } from "../../growth.js";

const parse = (html: string): ParsedPage => parseHtml({ id: "page", url: "https://example.org/page", html });
const meta = (html: string): Metadata => readStatements(parse(html)).meta;
const jsonLd = (json: string): string => `<script type="application/ld+json">${json}</script>`;

describe("readStatements", () => {
  it("returns nothing for a page that states nothing", () => {
    expect(meta("<p>x")).toEqual({});
    expect(meta('<title> </title><meta name=author content=""><html lang="">')).toEqual({});
  });

  it("reads Open Graph", () => {
    expect(
      meta(`<html lang=en_gb><title>x</title><meta property=og:title content="The &amp; Title"><meta property="og:site_name" content="Daily">
        <META PROPERTY="article:published_time" CONTENT="2024-05-02T10:00:00+02:00"><meta property=article:author content="https://x.com/jane">
        <meta name=Author content="By Jane Doe">`),
    ).toEqual({
      title: "The & Title",
      site: "Daily",
      date: "2024-05-02T10:00:00+02:00",
      author: "Jane Doe",
      lang: "en-GB",
    });
  });

  it.each<[string, string, Metadata]>([
    [
      "an article",
      '{"@type":"NewsArticle","headline":"H","author":{"name":"A"},"datePublished":"2020-01-02","publisher":{"name":"P"},"inLanguage":"de"}',
      { title: "H", author: "A", date: "2020-01-02", site: "P", lang: "de" },
    ],
    ["several authors", '{"@type":"Article","author":[{"name":"A"},"B",{"name":"A"}]}', { author: "A, B" }],
    [
      "a graph with references",
      '{"@graph":[{"@type":"Article","headline":"H","author":{"@id":"#a"}},{"@type":"Person","@id":"#a","name":"Ann"},{"@type":"WebSite","name":"S"}]}',
      { title: "H", author: "Ann", site: "S" },
    ],
    ["an array", '[{"@type":"BreadcrumbList"},{"@type":["BlogPosting"],"headline":"H"}]', { title: "H" }],
    [
      "HTML references inside",
      '{"@type":"Article","headline":"A &amp;amp; B &#8217;s &quot;C&quot;"}',
      { title: 'A & B ’s "C"' },
    ],
    [
      "line breaks in strings and a trailing comma",
      '{"@type":"Article","headline":"A\nB",}',
      { title: "A B" },
    ],
    ["comment marks", '<!-- {"@type":"Article","headline":"H"} -->', { title: "H" }],
    ["CDATA marks", '//<![CDATA[\n{"@type":"Article","headline":"H"}\n//]]>', { title: "H" }],
    [
      "a question",
      '{"@type":"QAPage","mainEntity":{"@type":"Question","name":"Q?","dateCreated":"2020-06-14T17:22:41Z"}}',
      { title: "Q?", date: "2020-06-14T17:22:41Z" },
    ],
    ["no JSON at all", "{{ template }}", {}],
    [
      "values of the wrong type",
      '{"@type":"Article","headline":3,"author":null,"datePublished":["x"],"publisher":"P"}',
      { site: "P" },
    ],
    ["null, a number, a string", "null", {}],
    [
      "empty values beside others",
      '{"@type":"Article","author":[],"creator":"A","datePublished":"","dateCreated":"2020-01-02"}',
      { author: "A", date: "2020-01-02" },
    ],
    [
      "a person who has only the parts of a name",
      '{"@type":"Article","author":{"@type":"Person","givenName":"Ada","familyName":"Lovelace"}}',
      { author: "Ada Lovelace" },
    ],
    [
      "escaped apostrophes",
      String.raw`{"@type":"Article","headline":"It\'s C:\\'"}`,
      { title: "It's C:\\'" },
    ],
  ])("reads JSON-LD: %s", (_name, json, expected) => {
    const { title, author, date, site, lang } = meta(jsonLd(json));
    const read = Object.entries({ title, author, date, site, lang }).filter(
      ([, value]) => value !== undefined,
    );
    expect(Object.fromEntries(read)).toEqual(expected);
  });

  it.each<[string, number, (size: number) => string]>([
    ["unclosed brackets", 100_000, (n) => jsonLd('{"a":['.repeat(n))],
    ["items in one list", 50_000, (n) => jsonLd(`[${'{"@type":"Article"},'.repeat(n)}{}]`)],
    ["scripts", 20_000, (n) => jsonLd('{"@type":"Article","headline":"x"}').repeat(n)],
    ["nested items", 20_000, (n) => `${'<div itemprop="author">'.repeat(400)}${"<b>x</b>".repeat(n)}`],
    [
      "nested parts of a heading",
      20_000,
      (n) => `<title>T</title><h1>${"<b>".repeat(400)}${"<b>x</b>".repeat(n)}`,
    ],
    ["meta elements", 50_000, (n) => "<meta name=author content=a>".repeat(n)],
    [
      "signs in a tag of a description",
      60_000,
      (n) => jsonLd(`{"@type":"Article","description":"<a ${"=".repeat(n)}<"}`),
    ],
  ])("takes linear time with many %s", async (_what, size, write) => {
    await expectLinear(size, write, meta);
  });

  it("prefers the more telling title", () => {
    expect(meta("<title>T - Site</title><meta property=og:title content=OG><h1>H</h1>").title).toBe("OG");
    expect(meta("<title>T - Site</title><h1>H</h1>").title).toBe("T - Site");
    expect(meta("<h1>H <b>1</b></h1>").title).toBe("H 1");
    expect(meta("<h1>H</h1><h1>I</h1>").title).toBeUndefined();
    expect(meta("<svg><title>icon</title></svg><p>x").title).toBeUndefined();
  });

  it.each(["L_2016119EN.01000101.xml", "Microsoft Word - Mills final.doc", "bericht-2019.PDF"])(
    "takes the name of a file for no title: %s",
    (name) => {
      expect(meta(`<title>${name}</title><h1>Mills</h1><p>x`).title).toBe("Mills");
      expect(meta(`<title>${name}</title><p>x`).title).toBeUndefined();
    },
  );

  it("does not cut a long title in the middle of a character", () => {
    const long = `${"otter ".repeat(83)}a`;
    expect(meta(`<title>${long}🦦 b</title><h1>${long}🦦 b</h1>`).title).toBe(long);
    expect(meta(`<title>${long}🦦 b</title>`).title).toBe(long);
    expect(meta(`<meta property=og:title content="${long}🦦 b">`).title).toBe(long);
  });

  it("does not cut a long clue in the middle of a character", () => {
    const { clues } = readStatements(parse('<meta property=og:type content="otter.example:otter🦦">'));
    expect(clues).toContain("og:otter.example:otter");
  });

  it("does not cut a long description or tag in the middle of a character", () => {
    const long = `${"otter ".repeat(333)}a`;
    expect(meta(`<meta name=description content="${long}🦦 b">`).description).toBe(long);
    expect(meta(`<meta name=keywords content="${"otter,".repeat(333)}a🦦">`).tags).toEqual(["otter", "a"]);
  });

  it.each([
    ["Otter Board &bull; View topic - Which river is best?", "Which river is best?"],
    ["www.otters.example :: View topic - Films", "Films"],
    ["Otterforum &bull; Thema anzeigen - Welcher Fluss - und wann?", "Welcher Fluss - und wann?"],
    ["Форум выдр • Просмотр темы - Какая река лучше", "Какая река лучше"],
    // A thread about these words, and a board without a thread.
    ["How to hide View topic - in phpBB", "How to hide View topic - in phpBB"],
    ["Otter Board • View topic - ", "Otter Board • View topic -"],
  ])("uses the title of a phpBB thread without the name of its board: %s", (title, wanted) => {
    expect(meta(`<title>${title}</title><h2>Otters</h2>`).title).toBe(wanted);
  });

  it("splits the title of a page of DokuWiki into title and site", () => {
    const title = "<title>rivers:otters [Otter Wiki]</title><h1>Beasts</h1>";
    expect(meta(`<meta name=generator content=DokuWiki>${title}`)).toEqual({
      title: "rivers:otters",
      site: "Otter Wiki",
    });
    expect(meta(title)).toEqual({ title: "rivers:otters [Otter Wiki]" });
  });

  it("takes the first heading of a page of DokuWiki for its title if that is its id", () => {
    const page = (title: string): unknown =>
      meta(
        `<meta name=generator content=DokuWiki><title>${title} [Otter Wiki]</title><h1><a href=/start>Otter Wiki</a></h1><h1 class=sectionedit1>The Aire</h1>`,
      ).title;
    expect(page("rivers:the_aire")).toBe("The Aire");
    expect(page("Rivers of the north")).toBe("Rivers of the north");
  });

  it.each([
    ["r/rivers - Otters at the weir", "Otters at the weir : rivers", "Otters at the weir"],
    ["News: Otters at the weir", "Otters at the weir - The Otter", "Otters at the weir"],
    ["TheAire < Rivers < OtterWiki", "TheAire", "TheAire"],
    ["Otters | Extra Race", "Extra Race | Otters", "Otters | Extra Race"],
    ["Rivers - Otters at the weir", "Otters - Rivers", "Rivers - Otters at the weir"],
    ["Otters: At the weir", "Otters: At the weir | Rivers", "Otters: At the weir"],
  ])("cuts off what another title has behind the headline: %s", (stated, title, wanted) => {
    expect(meta(`<meta property=og:title content="${stated}"><title>${title}</title>`).title).toBe(wanted);
  });

  it.each([
    ["Doxygen 1.9.1", "Lib: a::Weir Class Reference", "a::Weir Class Reference", "Lib"],
    ["javadoc/ClassWriterImpl", "Weir (Otters 6.1 API)", "Weir", "Otters 6.1 API"],
    ["rustdoc", "Vec in std::vec - Rust", "Vec in std::vec", undefined],
  ])("splits the title of a page of %s into title and site: %s", (generator, stated, title, site) => {
    const head = `<title>${stated}</title>`;
    const said = meta(`<meta name=generator content="${generator}">${head}<h2>Weir</h2>`);
    expect([said.title, said.site]).toEqual([title, site]);
    expect(meta(`<meta name=generator content=Hugo>${head}`).title).toBe(stated);
  });

  it("takes the heading of a chapter for the title if the h1 is the name of the book", () => {
    const book = "<title>What is a weir? - The Book of Otters</title><h1>The Book of Otters</h1>";
    expect(meta(`${book}<h2>What Is a Weir?</h2>`)).toMatchObject({
      title: "What Is a Weir?",
      site: "The Book of Otters",
    });
    expect(meta(`${book}<h2>Weirs</h2>`).title).toBe("The Book of Otters");
  });

  it("takes a short heading for the title without its label, or behind the name of the host", () => {
    const heading = "<main><h1>Weir <small>(Otters v1.16)</small></h1></main>";
    expect(meta(`<title>Weir — Otters v1.16</title>${heading}`).title).toBe("Weir");
    const title = (stated: string, url = "https://otters.example/weir"): string | undefined =>
      readStatements(
        parseHtml({
          id: "p",
          url,
          html: `<title>${stated}</title><h1>weir</h1>`,
        }),
      ).meta.title;
    expect(title("OTTERS: weir - Handbook")).toBe("weir");
    expect(title("Rivers: weir - Handbook")).toBe("Rivers: weir - Handbook");
    expect(title("OTTERS: weir - Handbook", "https://otters.example/")).toBe("OTTERS: weir - Handbook");
  });

  it("takes a stated title that is in the middle of the heading", () => {
    const heading = "<h1>WO123 - A weir that opens itself - Otter Patents</h1>";
    expect(meta(`<meta name=DC.title content="A weir that opens itself">${heading}`).title).toBe(
      "A weir that opens itself",
    );
  });

  it("cuts the name of the host off a title if it has accents, and only the last part", () => {
    const title = (stated: string): unknown => {
      const html = `<title>${stated}</title><p>x`;
      const { meta } = readStatements(
        parseHtml({ id: "p", url: "https://api.loutre-libre.example/a", html }),
      );
      return [meta.title, meta.site];
    };
    expect(title("Article 12 du code civil - Loutré Libre")).toEqual([
      "Article 12 du code civil",
      "Loutré Libre",
    ]);
    expect(title("Rive - 若雲域 - Loutre")).toEqual(["Rive - 若雲域", "Loutre"]);
    expect(title("List - otter:core - Otter API")).toEqual(["List - otter:core", "Otter API"]);
  });

  it("names the site by what is behind colons", () => {
    expect(meta("<title>Overview :: Otter Docs</title><h1>Overview</h1>").site).toBe("Otter Docs");
  });

  it.each([
    ["Otters return", "<h1><a href=/n>News | </a><span>Otters return</span></h1>", "Otters return"],
    [
      "News | Six otters return to this river",
      "<h1><b>News</b> <i>Six otters return to this river</i></h1>",
      "Six otters return to this river",
    ],
    ["Otters return - The Otter", "<h1>Otters return <b class=label>Subscribers</b></h1>", "Otters return"],
    [
      "Otters return home",
      "<h1><b>NEWS</b> <span itemprop=headline>Otters return</span><i>.</i></h1>",
      "Otters return",
    ],
    ["Otters", "<h1>Otters <small>05.01.12 18:27</small></h1>", "Otters"],
    ["Otters: A Day Out", "<h1><i>‘Otters’</i>: A Day Out</h1>", "‘Otters’: A Day Out"],
    ["Otters: A Day Out", "<h1><i>Otters</i> A Day Out</h1>", "Otters A Day Out"],
    [
      "News | Otters return",
      "<h1><span>News</span> | <span>Otters return</span></h1>",
      "News | Otters return",
    ],
    ["About", "<h1>A day out with <b>ten</b> otters</h1><h1>About</h1>", "About"],
  ])("reads the title %s without a label in %s", (title, html, wanted) => {
    expect(meta(`<meta property=og:title content="${title}">${html}`).title).toBe(wanted);
  });

  it("takes the first heading for the title if the page states only the name of its site", () => {
    const title = (url: string, html: string): string | undefined =>
      readStatements(parseHtml({ id: "page", url, html: `<title>Otters</title>${html}` })).meta.title;
    const page = "https://otters.example/contact";
    expect(title(page, "<h1>Contact</h1>")).toBe("Contact");
    expect(title(page, "<h1>OTTERS</h1><h1>Contact</h1><h1>Newsletter</h1>")).toBe("Contact");
    expect(title(page, "<h1></h1>")).toBe("Otters");
    expect(title("https://otters.example/", "<h1>Contact</h1>")).toBe("Otters");
    expect(title("https://otters.example/page/2", "<h1>Contact</h1>")).toBe("Otters");
    expect(title("https://www.example/contact", "<h1>Contact</h1>")).toBe("Otters");
    expect(title("", "<h1>Contact</h1>")).toBe("Otters");
  });

  it("reads authors from microdata and links", () => {
    expect(meta("<span itemprop=author><i itemprop=name>Ann Lee</i> editor</span>").author).toBe("Ann Lee");
    expect(meta('<a rel="nofollow author" href=/a>Bo</a><a rel=author href=/a>Bo</a>').author).toBe("Bo");
    expect(meta(`<div itemprop=author>${"long ".repeat(30)}</div>`).author).toBeUndefined();
    expect(
      meta('<meta name=citation_author content="Li, B."><meta name=citation_author content="Roy, D.">')
        .author,
    ).toBe("B. Li, D. Roy");
    expect(meta('<meta name=citation_author content="Martin Luther King, Jr.">').author).toBe(
      "Martin Luther King, Jr.",
    );
  });

  it.each(["Built with Storefront", "Construit avec Storefront &amp; Shop", "Creado con Storefront"])(
    "does not read the credit of a theme as an author: %s",
    (credit) => {
      expect(meta(`<footer><a rel=author href=//shop.example>${credit}</a></footer>`).author).toBeUndefined();
    },
  );

  it("reads an author whose class says that they wrote the text", () => {
    expect(meta("<h1>T</h1><span class=writeBy>كتبت أسماء نصار</span>").author).toBe("أسماء نصار");
    expect(meta("<h1>T</h1><p class=written-by>Ann Lee</p>").author).toBe("Ann Lee");
  });

  it("reads only the first author of a thread whose posts each have one", () => {
    const post = (name: string): string =>
      `<div itemscope itemtype="https://schema.org/Comment"><p><span itemprop=author itemscope itemtype="https://schema.org/Person"><i itemprop=name>${name}</i></span></p></div>`;
    expect(meta(`<main>${post("Ann Lee")}${post("Bo Ek")}</main>`).author).toBe("Ann Lee");
    const beside = `<article><span itemprop=author itemscope itemtype=Person>Ann Lee</span> <span itemprop=author itemscope itemtype=Person>Bo Ek</span></article>`;
    expect(meta(beside).author).toBe("Ann Lee, Bo Ek");
  });

  it("removes the label `Title:` and buttons from the title", () => {
    const head =
      "<meta name=citation_title content='Attention Is All You Need'><title>[1706.03762] Attention Is All You Need</title>";
    expect(meta(`${head}<h1><span class=descriptor>Title:</span>Attention Is All You Need</h1>`).title).toBe(
      "Attention Is All You Need",
    );
    expect(
      meta(`<title>How to bake bread</title><h1>How to bake bread <button>Copy link</button></h1>`).title,
    ).toBe("How to bake bread");
    expect(meta(`<title>Bread: how to bake it well</title><h1>Bread: how to bake it well</h1>`).title).toBe(
      "Bread: how to bake it well",
    );
  });

  it("takes the name of a default account as the author only if there is no other", () => {
    const head = '<title>T</title><meta name=author content="Super User"><h1>T</h1>';
    expect(meta(`${head}<p itemprop=author>Ann Lee</p>`).author).toBe("Ann Lee");
    expect(meta(head).author).toBe("Super User");
  });

  it("takes no heading for screen readers that the title does not have", () => {
    const title = (heading: string): string | undefined =>
      meta(`<title>Regulation - 2019/1150 - EN - Lex</title><h1 class=sr-only>${heading}</h1><p>x`).title;
    expect(title("Lex Access to European Union law")).toBe("Regulation - 2019/1150 - EN - Lex");
    expect(title("Regulation - 2019/1150")).toBe("Regulation - 2019/1150");
  });

  it("takes an h2 that the title begins with, if the h1 is the name of the site", () => {
    const title = (stated: string, headings: string): string | undefined =>
      meta(`<title>${stated}</title>${headings}`).title;
    const mill = "The old tide mill in the harbour";
    expect(title(`${mill} - Page 3 - Lantern`, `<h1>The Lantern Press</h1><h2>${mill}</h2>`)).toBe(mill);
    expect(title("港口的潮汐磨坊今天重新开放_港口", "<h1>灯报</h1><h2>港口的潮汐磨坊今天重新开放</h2>")).toBe(
      "港口的潮汐磨坊今天重新开放",
    );
    const khmer = "រោងម៉ាស៊ីនកិនស្រូវបើកដំណើរការឡើងវិញនៅថ្ងៃនេះ";
    expect(title(`${khmer}_កំពង់ផែ`, `<h1>ចង្កៀង</h1><h2>${khmer}</h2>`)).toBe(khmer);
    const named = "Lantern | All the news from the old harbour";
    expect(title(named, "<h1>Welcome</h1><h2>All the news from the old harbour</h2>")).toBe(named);
  });

  it("does not take a heading that links to the front page for the title", () => {
    const title = (head: string, href: string): string | undefined =>
      meta(`<title>${head}</title><h1><a href="${href}">The Lantern Book of Tales</a></h1><p>x`).title;
    const stated = "The mill - ann [The Lantern Book of Tales]";
    for (const href of ["/", "https://example.org", "//example.org/"])
      expect(title(stated, href)).toBe(stated);
    for (const href of ["/tales", "https://example.com/", "#", "/?p=2"])
      expect(title(stated, href)).toBe("The Lantern Book of Tales");
    expect(
      meta("<title>Example - We learn</title><h1><a href=/>Example</a></h1><h1>Sign up</h1>").title,
    ).toBe("Sign up");
    const list = meta("<title>Events | Board of Anglers</title><h1><a href=/>Board of Anglers</a></h1><p>x");
    expect(list).toMatchObject({ title: "Events", site: "Board of Anglers" });
    expect(meta("<title>Mill</title><h1><a href=/>Tales</a> of the old mill by the river</h1>").title).toBe(
      "Tales of the old mill by the river",
    );
  });

  it("reads the author and date that Drupal shows, or states in RDFa", () => {
    const node = `<div class=node__submitted>Submitted by <span>Ann Lee</span> on <span>Tue, 03/05/2024 - 10:12</span></div>`;
    expect(meta(`<h1>T</h1><article>${node}</article>`).author).toBe("Ann Lee");
    expect(meta(`<h1>T</h1><article><footer class=node__meta>${node}</footer><p>x</article>`).author).toBe(
      "Ann Lee",
    );
    expect(meta("<h1>T</h1><p class=submitted>Vložil ann, 5. 3. 2024").author).not.toBe("Vložil");
    expect(meta("<h1>T</h1><p class=submitted>Soumis par Ann Lee le 5 mars 2024").author).toBe("Ann Lee");
    expect(meta("<h1>T</h1><p class=submitted>5. března 2024 Pavel Novák").author).toBe(undefined);
    const stated = `<span property="dc:date dc:created" content="2024-03-05T10:12:00+00:00">x</span>`;
    const event = "<article><time datetime=2024-04-01>April 1</time></article>";
    expect(meta(`<h1>T</h1>${stated}${event}`).date).toBe("2024-03-05T10:12:00+00:00");
    const named = stated.replace("dc:date dc:created", "schema:dateCreated");
    expect(meta(`<h1>T</h1>${named}${event}`).date).toBe("2024-03-05T10:12:00+00:00");
  });

  it("reads the title of a thread without the name of the program, and names of catalogues", () => {
    const head = "<title>港口的磨坊 - 灯笼论坛 - Powered by Discuz!</title><h1>港口的磨坊</h1>";
    expect(meta(head)).toMatchObject({ title: "港口的磨坊", site: "灯笼论坛" });
    expect(meta("<title>Example • View topic - Otters</title><p>x").site).toBe("Example");
    for (const program of ["— Documentation by YARD 0.9.28", "- RDoc Documentation"]) {
      const said = meta(`<title>Class: Pier::Boat ${program}</title><h1>Class: Pier::Boat</h1>`);
      expect(said.title).toBe("Class: Pier::Boat");
      expect(said.site).toBe(undefined);
    }
    for (const [name, read] of [
      ["Lee, Ann, 1850-1910", "Ann Lee"],
      ["Lee, A. B. (Ann Bo), 1850?-", "A. B. Lee"],
      ["Lee, Ann", "Lee, Ann"],
    ])
      expect(meta(`<meta name=dcterms.creator content="${name}">`).author).toBe(read);
    expect(meta("<h1>T</h1><time class=post-author-date>March 5 2024</time>").author).toBe(undefined);
  });

  it("does not take buttons for authors, and reads tags without their sign", () => {
    expect(meta("<h1>T</h1><div class=author_buttons><a><span>Find</span></a></div>").author).toBe(undefined);
    expect(meta("<a rel=tag>#<span>otters</span></a><a rel=tag>#ford</a>").tags).toEqual(["otters", "ford"]);
  });

  it("does not take the name of a blog for the title of its post", () => {
    const heads = "<h1>River Notes</h1><h2>Tuesday</h2><h3 class='post-title entry-title'>The mill</h3>";
    const stated = "<title>River Notes: The mill</title>";
    expect(meta(`${stated}<meta property=og:title content="The mill">${heads}`).title).toBe("The mill");
    expect(meta(`${stated}${heads}`).title).toBe("The mill");
    expect(meta(`${stated}${heads}<h3 class=entry-title>The ford</h3>`).title).toBe("River Notes");
    const long = heads.replace("River Notes", "Notes from all over the river valley");
    expect(meta(`<title>The mill</title>${long}`).title).toBe("The mill");
    expect(meta(`<title>The mill: a story</title><h1>The mill</h1><h2>a story</h2>`).title).toBe("The mill");
  });

  it.each([
    ["Thread: Cannot see pictures", "Cannot see pictures - Page 3"],
    ["THEMA: Cannot see pictures", "Cannot see pictures - Picture Forum"],
    ["موضوع: Cannot see pictures", "Cannot see pictures - صفحه 3"],
    ["Тема： Cannot see pictures", "Cannot see pictures"],
  ])("removes the label of a thread from the title: %s", (heading, title) => {
    expect(meta(`<title>${title}</title><h1>${heading}</h1>`).title).toBe("Cannot see pictures");
    expect(meta(`<title>${heading} | Lantern</title><h1>${heading}</h1>`).title).toBe(heading);
  });

  it("does not take a short name in Chinese and Latin letters for a headline", () => {
    const title = "港口的潮汐磨坊今天重新开放";
    expect(meta(`<title>${title}--灯报</title><h1>灯报 Lantern Press</h1>`).title).toBe(`${title}--灯报`);
    expect(meta(`<title>灯报</title><h1>${title}</h1>`).title).toBe(title);
  });

  it.each([
    ["Новости порта • Главная страница", undefined],
    ["Новости порта • Foren-Übersicht", undefined],
    ["Новости порта • Página principal", undefined],
    ["Новости порта - 第3页", undefined],
    ["Новости порта - صفحه ۳", undefined],
    ["Новости порта • Фонарь", "Фонарь"],
  ])("does not take the name of an index or a page number for the site: %s", (title, site) => {
    expect(meta(`<title>${title}</title><h1>Новости порта</h1>`).site).toBe(site);
  });

  it.each([
    ["港の話題を届けるニュース配信｜LANTERN", "LANTERN"],
    ["Shoes and boots - Lantern.example", "Lantern.example"],
    ["Lantern - Shoes and boots", "Lantern"],
    ["Shoes and boots - The Shop", "Shoes and boots - The Shop"],
    ["https://www.lantern.example", "lantern.example"],
    ["www.lantern.example", "www.lantern.example"],
  ])("names the site without its slogan and not by its address: %s", (stated, site) => {
    const html = `<title>Otters</title><meta property=og:site_name content="${stated}">`;
    const read = (more: string): string | undefined =>
      readStatements(parseHtml({ id: "page", url: "https://www.lantern.example/a", html: html + more })).meta
        .site;
    expect(read("")).toBe(site);
  });

  it.each(["｜", "│", "：", " ： ", "_"])("cuts the site off a title in Japanese behind %s", (mark) => {
    const title = "潮力水車の修理が今日から始まる";
    const html = `<title>${title}${mark}社会${mark}灯台</title>`;
    expect(meta(`${html}<meta property=og:site_name content="灯台">`).title).toBe(`${title}${mark}社会`);
    expect(meta(`${html}<h1>灯台</h1><h2>${title}</h2>`).title).toBe(title);
  });

  it("reads the site behind a headline and a full-width bar", () => {
    const title = "潮力水車の修理が今日から始まる";
    for (const mark of ["｜", "│"])
      expect(meta(`<title>${title}${mark}灯台</title><h1>${title}</h1>`)).toMatchObject({
        title,
        site: "灯台",
      });
  });

  it("cuts the site off a title behind two colons", () => {
    const html = "<title>Log in :: Lantern.example</title><p>x";
    expect(
      readStatements(parseHtml({ id: "page", url: "https://lantern.example/login", html })).meta.title,
    ).toBe("Log in");
  });

  it("ends a name before a date", () => {
    const shown = (line: string): string => `<h1>T</h1><p class=byline>${line}</p>`;
    expect(meta(shown("By Luke Kim December 17, 2025")).author).toBe("Luke Kim");
    expect(meta(shown("par Ann Ek » Dim 12 Avr 2015")).author).toBe("Ann Ek");
    expect(meta(shown("Sat, 27 Dec, 2025 - 18:30")).author).toBeUndefined();
  });

  it("splits the title into a heading and a site if both are headings of the page", () => {
    const book = (heading: string): string =>
      `<title>${heading} - The Lantern Book</title><h1 class=menu-title>The Lantern Book</h1><main><h1>${heading}</h1>`;
    expect(meta(book("Hooks"))).toMatchObject({ title: "Hooks", site: "The Lantern Book" });
    expect(meta(book("How to light a lantern"))).toMatchObject({
      title: "How to light a lantern",
      site: "The Lantern Book",
    });
    expect(meta("<title>Hooks - The Lantern Book</title><h1>The Lantern Book</h1>").title).not.toBe("Hooks");
  });

  it.each([
    ["Reading soundings - pydepth 3.2 documentation", "pydepth 3.2 documentation"],
    ["Reading soundings — Guides — Depth", "Depth"],
    ["Reading soundings | Depth", "Depth"],
    ["Reading soundings - Page 3", undefined],
    ["Reading soundings-Depth", undefined],
    ["Reading soundings: a guide", undefined],
    ["Reading soundings", undefined],
  ])("reads the site from the end of a title that begins with the headline: %s", (title, site) => {
    expect(meta(`<title>${title}</title><h1>Reading soundings</h1>`).site).toBe(site);
    expect(
      meta(`<title>${title}</title><h1>Reading soundings</h1><meta property=og:site_name content=S>`).site,
    ).toBe("S");
  });

  it("takes a heading that one stated title begins with, although another one ends with it", () => {
    const page =
      '<title>Otters at the weir : r/rivers</title><meta property=og:title content="r/rivers on Reddit: Otters at the weir"><meta property=og:site_name content=Reddit><h1>Otters at the weir</h1>';
    expect(meta(page).title).toBe("Otters at the weir");
  });

  it("takes a short heading in the main part of a page that <title> begins with", () => {
    const page = (title: string, body: string): string | undefined =>
      meta(`<title>${title}</title>${body}`).title;
    const heading = "<h1>Counting<a class=headerlink href=#counting>¶</a></h1>";
    const title = "Counting — Otter 1.2 documentation";
    expect(page(title, `<div role=main>${heading}</div>`)).toBe("Counting");
    expect(page(title, `<main>${heading}</main>`)).toBe("Counting");
    expect(page(title, `<meta property="og:title" content="${title}"><article>${heading}</article>`)).toBe(
      "Counting",
    );
    expect(page(title, `<header>${heading}</header><main><p>x</main>`)).toBe(title);
    const slogan = "jolt - A beautiful monitor of energy for the terminal of the river";
    expect(page(slogan, "<main><h1>jolt</h1></main>")).toBe(slogan);
    expect(page("News - The otters are back", "<main><h1>News</h1></main>")).toBe(
      "News - The otters are back",
    );
  });

  it("prefers a site name that matches the host to the publisher", () => {
    const wiki = (publisher: string): string =>
      `<title>Tide mill - Wikipedia</title><link rel=canonical href="https://en.wikipedia.org/wiki/Tide_mill">` +
      jsonLd(`{"@type":"Article","name":"Tide mill","publisher":{"name":"${publisher}"}}`);
    const read = (html: string): string | undefined =>
      readStatements(parseHtml({ id: "page", url: "", html })).meta.site;
    expect(read(wiki("Wikimedia Foundation, Inc."))).toBe("Wikipedia");
    expect(read(wiki("The Wikipedia"))).toBe("The Wikipedia");
    expect(
      read("<title>Tide mill - Wikipedia</title><meta property=og:url content=https://wikipedia.org/x>"),
    ).toBe("Wikipedia");
  });

  it("reads dateModified in microdata as the time of the change", () => {
    const time =
      '<article><time itemprop=dateModified datetime="2024-12-03T10:11:12Z">x</time><p>x</article>';
    expect(meta(time)).toMatchObject({ modified: "2024-12-03T10:11:12Z", date: "2024-12-03T10:11:12Z" });
    expect(meta(`${time}<meta name=date content=2024-05-01>`)).toMatchObject({
      modified: "2024-12-03T10:11:12Z",
      date: "2024-05-01",
    });
  });

  it("cuts the word before the name of the site, and prefers another name to it", () => {
    const site =
      "<meta property=og:site_name content=lantern.example><meta name=author content='Par lantern.example'>";
    expect(meta(site).author).toBe("lantern.example");
    expect(meta(`${site}<p class=byline>Anne Dupont</p>`).author).toBe("Anne Dupont");
  });

  it.each([
    ["Yazan: Ayşe Yılmaz", "Ayşe Yılmaz"],
    ["Συντάκτης: Γιώργος Παπαδόπουλος", "Γιώργος Παπαδόπουλος"],
    ["بقلم: محمد علي", "محمد علي"],
    ["كتب محمد علي", "محمد علي"],
    ["מאת: דוד כהן", "דוד כהן"],
    ["लेखक: राम कुमार", "राम कुमार"],
    ["द्वारा राम कुमार", "राम कुमार"],
    ["執筆者: 山田太郎", "山田太郎"],
    ["取材・文＝山田太郎", "山田太郎"],
    ["文/王小明", "王小明"],
    ["記者王小明／台北報導", "王小明"],
    ["글: 홍길동", "홍길동"],
    ["홍길동 기자", "홍길동"],
    ["ผู้เขียน: สมชาย ใจดี", "สมชาย ใจดี"],
    ["โดย สมชาย ใจดี", "สมชาย ใจดี"],
    ["Tác giả: Nguyễn Văn A", "Nguyễn Văn A"],
    ["Oleh: Budi Santoso", "Budi Santoso"],
    ["Teksti: Matti Virtanen", "Matti Virtanen"],
    ["نویسنده: علی رضایی", "علی رضایی"],
    ["Írta: Kovács János", "Kovács János"],
    ["Автор Иван Петров", "Иван Петров"],
    ["Par Anne Dupont avec AFP", "Anne Dupont"],
    ["Par Anne Dupont, le 12 mars 2023", "Anne Dupont"],
    ["Par Léon Dupont", "Léon Dupont"],
    ["Recueilli par Anne Dupont.", "Anne Dupont"],
    ["Written by Ann Lee Jr.", "Ann Lee Jr."],
    ["Politik · Benjamin Müller", "Benjamin Müller"],
    ["Propos recueillis par Anne Dupont", "Anne Dupont"],
    ["Publié par Anne Dupont le lundi 12 mars", "Anne Dupont"],
    ["Geschrieben von Anna Müller am 12. März 2023", "Anna Müller"],
    ["Ein Gastbeitrag von Anna Müller", "Anna Müller"],
    ["Autorin: Anna Müller", "Anna Müller"],
    ["Escrito por Ana García", "Ana García"],
    ["Autora: Ana García", "Ana García"],
    ["Postado por Ana Souza", "Ana Souza"],
    ["Pubblicato da Anna Rossi", "Anna Rossi"],
    ["a cura di Anna Rossi", "Anna Rossi"],
    ["da Anna Rossi", "Anna Rossi"],
    ["Geschreven door Anna de Vries", "Anna de Vries"],
    ["Skriven av Anna Berg", "Anna Berg"],
    ["Skrevet af Anna Berg", "Anna Berg"],
    ["Kirjoittanut Matti Virtanen", "Matti Virtanen"],
    ["Opublikowane przez Anna Nowak", "Anna Nowak"],
    ["Napsala Anna Nováková", "Anna Nováková"],
    ["Scris de Ana Popescu", "Ana Popescu"],
    ["Аутор: Ана Петровић", "Ана Петровић"],
    ["Опубликовал Иван Петров", "Иван Петров"],
    ["Автор статьи: Иван Петров", "Иван Петров"],
    ["Γράφει η Άννα Παππά", "Άννα Παππά"],
    ["Bởi Nguyễn Văn A", "Nguyễn Văn A"],
    ["Diposting oleh Budi Santoso", "Budi Santoso"],
    ["نوشته علی رضایی", "علی رضایی"],
    ["ライター：山田太郎", "山田太郎"],
    ["投稿者: 山田太郎", "山田太郎"],
    ["取材・文／山田太郎", "山田太郎"],
    ["文｜王小明", "王小明"],
    ["本报记者 王小明", "王小明"],
    ["〔記者王小明／台北報導〕", "王小明"],
    ["作者 王小明", "王小明"],
    ["由 王小明", "王小明"],
    ["投稿者 山田太郎", "山田太郎"],
    ["文・写真：山田太郎", "山田太郎"],
    ["文/图 王小明", "王小明"],
    ["图/文：王小明", "王小明"],
    ["王小明／台北報導", "王小明"],
    ["작성자 홍길동", "홍길동"],
    ["Kirjoittaja Matti Virtanen", "Matti Virtanen"],
    ["Автор — Иван Петров", "Иван Петров"],
    ["Autor – Anna Nowak", "Anna Nowak"],
    ["Autor/in: Anna Müller", "Anna Müller"],
    ["Von: Anna Müller", "Anna Müller"],
    ["Par : Anne Dupont", "Anne Dupont"],
    ["Por: Ana García", "Ana García"],
    ["Di: Anna Rossi", "Anna Rossi"],
    ["เขียนโดย สมชาย ใจดี", "สมชาย ใจดี"],
    ["خبرنگار: علی رضایی", "علی رضایی"],
    ["إعداد: محمد علي", "محمد علي"],
    ["Ayşe Yılmaz tarafından", "Ayşe Yılmaz"],
    ["بواسطة أحمد الخطيب", "أحمد الخطيب"],
    ["تحریر: عائشہ صدیقی", "عائشہ صدیقی"],
    ["توسط مریم احمدی", "مریم احمدی"],
    ["نگارنده: مریم احمدی و علی رضایی", "مریم احمدی, علی رضایی"],
    ["أحمد الخطيب، سامي علي", "أحمد الخطيب, سامي علي"],
    ["राम कुमार द्वारा", "राम कुमार"],
    ["लेखक: सुनीता शर्मा और राम कुमार", "सुनीता शर्मा, राम कुमार"],
    ["লিখেছেন রহিমা খাতুন", "রহিমা খাতুন"],
    ["எழுதியவர்: கவிதா ராமன்", "கவிதா ராமன்"],
    ["రచయిత: సీతా రాణి", "సీతా రాణి"],
    ["ಲೇಖಕರು: ಸೀತಾ ರಾಣಿ", "ಸೀತಾ ರಾಣಿ"],
    ["ലേഖകൻ: സീത റാണി", "സീത റാണി"],
    ["લેખક: સીતા પટેલ", "સીતા પટેલ"],
    ["ਲੇਖਕ: ਸੀਤਾ ਕੌਰ", "ਸੀਤਾ ਕੌਰ"],
    ["ໂດຍ ສົມສັກ ແກ້ວມະນີ", "ສົມສັກ ແກ້ວມະນີ"],
    ["ដោយ៖ សុខ វិបុល", "សុខ វិបុល"],
    ["អ្នកនិពន្ធ៖ សុខ វិបុល", "សុខ វិបុល"],
    ["ရေးသားသူ - မောင်မောင်", "မောင်မောင်"],
    ["ავტორი: ნინო ბერიძე და გია კანჩელი", "ნინო ბერიძე, გია კანჩელი"],
    ["Հեղինակ՝ Անի Պետրոսյան", "Անի Պետրոսյան"],
    ["Зохиогч: Болд Баатар", "Болд Баатар"],
    ["Müəllif: Leyla Əliyeva", "Leyla Əliyeva"],
    ["Muallif: Alisher Karimov", "Alisher Karimov"],
    ["Аўтар: Янка Купала", "Янка Купала"],
    ["Autorius: Jonas Petraitis", "Jonas Petraitis"],
    ["Autors: Jānis Bērziņš", "Jānis Bērziņš"],
    ["Egilea: Ane Etxeberria", "Ane Etxeberria"],
    ["Awdur: Siân Jones", "Siân Jones"],
    ["Údar: Seán Ó Briain", "Seán Ó Briain"],
    ["Höfundur: Jón Jónsson", "Jón Jónsson"],
    ["Tekijä: Matti Virtanen", "Matti Virtanen"],
    ["Imeandikwa na Juma Hassan", "Juma Hassan"],
    ["Shkruar nga Arben Hoxha", "Arben Hoxha"],
    ["Isinulat ni Juan Cruz", "Juan Cruz"],
    ["Geskryf deur Jan Smit", "Jan Smit"],
    ["Oleh Siti Rahayu dan Budi Santoso", "Siti Rahayu, Budi Santoso"],
    ["Nguyễn Thị Lan và Trần Văn Nam", "Nguyễn Thị Lan, Trần Văn Nam"],
    ["Автор: Иван Петров и Анна Иванова", "Иван Петров, Анна Иванова"],
    ["Автор: Олена Шевченко та Іван Франко", "Олена Шевченко, Іван Франко"],
    ["Пише: Марко Јовановић и Ана Петровић", "Марко Јовановић, Ана Петровић"],
    ["Işıl İnan ve Ali Kaya", "Işıl İnan, Ali Kaya"],
    ["撰稿：林小明", "林小明"],
    ["编辑 王小明", undefined],
    ["责任编辑：王小明", undefined],
    ["来源：晨报网", undefined],
    ["글 홍길동", "홍길동"],
    ["[홍길동 기자]", "홍길동"],
    ["홍길동 기자 gildong@herald.example", "홍길동"],
    ["Politik · Anna Müller, Jörg Maß", "Anna Müller, Jörg Maß"],
    ["Madonna · Senior Editor", "Madonna"],
    ["Фото: Анна Иванова", undefined],
    ["Text: Anna Müller, Fotos: Jörg Maß", "Anna Müller"],
  ])("reads only the name in a shown or marked byline: %s", (line, author) => {
    expect(meta(`<h1>T</h1><p class=byline>${line}</p>`).author).toBe(author);
    expect(meta(`<h1>T</h1><p itemprop=author>${line}</p>`).author).toBe(author);
  });

  it.each([
    [
      "<a href=#p1><img src=p.gif></a>by <strong><a href=./m.php?u=2>fltlgt</a></strong> &raquo; Sun 29 Oct 2017 16:46",
      "fltlgt",
    ],
    ["<a href=#p1><i>#1</i> Post</a> by <a class=username href=/m>Pf@nne</a> &raquo; 27 Aug 2018", "Pf@nne"],
    ["by <span class=username>Guest 3</span> &raquo; 27 Aug 2018", "Guest 3"],
  ])("reads the author of the first post of a phpBB board: %s", (line, author) => {
    const posts = [line, "by <strong><a href=/m>Moderator X</a></strong> &raquo; Mon 30 Oct 2017 13:00"];
    expect(
      meta(posts.map((post) => `<div><p class=author>${post}</p><p>Text</p></div>`).join("")).author,
    ).toBe(author);
  });

  it.each([
    ["vBulletin 3", "<td><a class=bigusername href=member.php?u=4>NAME</a><div>Senior Member</div></td>"],
    [
      "vBulletin 4",
      '<div class=username_container><div class="popupmenu"><a class="username offline" href="member.php?4"><b>NAME</b></a><a href=x>Profile</a></div></div>',
    ],
    ["a guest of vBulletin 4", "<div class=username_container><span class=username>NAME</span></div>"],
    [
      "MyBB",
      "<div class=post_author><div class=author_information><strong><span><a href=user-4.html>NAME</a></span></strong><span>Member</span></div></div>",
    ],
    [
      "Invision Community",
      '<aside class=ipsComment_author><h3 class="ipsType_sectionHead cAuthorPane_author"><strong><a href="/profile/4-n/">NAME</a></strong></h3></aside>',
    ],
    [
      "SMF",
      '<div class=post_wrapper><div class=poster><h4><a href="?action=pm"><img></a> <a href="?action=profile;u=4">NAME</a></h4><ul><li>Member</ul></div></div>',
    ],
    [
      "Vanilla",
      "<div class=AuthorWrap><span class=Author><a href=/profile/n><img></a><a href=/profile/n class=Username>NAME</a></span><span>Member</span></div>",
    ],
    [
      "a guest of SMF",
      "<div class=post_wrapper><div class=poster><h4>NAME</h4><ul><li>Guest</ul></div></div>",
    ],
  ])("reads the author of the first post of a board: %s", (_, post) => {
    const thread = ["Pf@nne_92", "Ann Lee"].map((name) => post.replace("NAME", name)).join("<p>Text</p>");
    const authorAt = (url: string): unknown =>
      readStatements(parseHtml({ id: "page", url, html: thread })).meta.author;
    expect(authorAt("https://board.example/showthread.php?t=12&page=1")).toBe("Pf@nne_92");
    expect(authorAt("https://board.example/index.php?topic=12.0")).toBe("Pf@nne_92");
    for (const later of [
      "showthread.php?t=1&page=2",
      "thread-1-page-12.html",
      "topic/1/page/2/",
      "?topic=1.15",
    ])
      expect(authorAt(`https://board.example/${later}`)).toBeUndefined();
  });

  it("does not take the link to the thread before in SMF for that to the page before", () => {
    const post = "<div class=post_wrapper><div class=poster><h4>Ann Lee</h4></div></div>";
    expect(meta(`<link rel=prev href="?topic=12.0;prev_next=prev">${post}`).author).toBe("Ann Lee");
    expect(meta(`<link rel=prev href="?topic=12.0">${post}`).author).toBeUndefined();
  });

  it("takes no film with a poster for an author", () => {
    expect(
      meta("<div class=film><div class=poster><a href=/f/1>Jane Eyre</a></div></div>").author,
    ).toBeUndefined();
  });

  it.each(["Topic Author", "Thread starter", "Original Poster"])(
    "does not read a label as a name: %s",
    (label) => {
      expect(meta(`<div class=topic-author-label><b>${label}</b></div><p>Text</p>`).author).toBeUndefined();
    },
  );

  it("reads the only licence of Creative Commons that the footer or a note on copyright links to", () => {
    const link = (name: string): string => `<a href="https://creativecommons.org/${name}/4.0/">CC</a>`;
    const license = (html: string): unknown => meta(html).license;
    const by = link("licenses/by");
    const address = "https://creativecommons.org/licenses/by/4.0/";
    for (const html of [
      `<footer><p>${by}</p></footer>`,
      `<div id=page-footer>${by}</div>`,
      `<p class=copyright>${by}</p>`,
      `<div class=license>${by}${by}</div>`,
      `<p>${link("licenses/by-sa")}</p><footer>${by}</footer>`,
    ])
      expect(license(html)).toBe(address);
    for (const html of [
      `<p>${by}</p>`,
      `<p class=footnote>${by}</p>`,
      `<footer>${by}${link("licenses/by-sa")}</footer>`,
      `<footer><figure><figcaption>${by}</figcaption></figure></footer>`,
      `<footer><a href="https://creativecommons.org/licenses/">CC</a></footer>`,
    ])
      expect(license(html)).toBeUndefined();
    expect(license(`<link rel=license href="https://example.org/l"><footer>${by}</footer>`)).toBe(
      "https://example.org/l",
    );
  });

  it("reads the uses that the page reserves", () => {
    const reserved = (html: string): unknown => meta(html).reservations;
    expect(reserved('<meta name="TDM-Reservation" content=1><meta name=robots content="noai">')).toEqual([
      "tdm",
      "noai",
    ]);
    expect(
      reserved("<meta name=tdm-reservation content=0><meta name=robots content=noindex>"),
    ).toBeUndefined();
    expect(reserved("<meta property=robots content=noai><p>noai</p>")).toBeUndefined();
  });

  it("makes URLs of licences absolute", () => {
    const license = (href: string): unknown => meta(`<link rel=license href="${href}"><p>Text</p>`).license;
    expect(license("//creativecommons.org/licenses/by-sa/3.0/")).toBe(
      "https://creativecommons.org/licenses/by-sa/3.0/",
    );
    expect(license("/copyright")).toBe("https://example.org/copyright");
    const html = "<footer><a href=//creativecommons.org/licenses/by/4.0/>CC</a></footer>";
    for (const url of ["", "https://example.org/page"])
      expect(readStatements(parseHtml({ id: "page", url, html })).meta.license).toBe(
        "https://creativecommons.org/licenses/by/4.0/",
      );
    expect(meta(jsonLd('{"@type":"Article","license":"CC BY 4.0"}')).license).toBe("CC BY 4.0");
  });

  it("reads the preview image of a link of the head, if nothing else names one", () => {
    const link = '<link rel="image_src" href="https://x.example/b.jpg">';
    expect(meta(link).image).toBe("https://x.example/b.jpg");
    expect(meta(`${link}<meta property="og:image" content="https://x.example/a.jpg">`).image).toContain(
      "a.jpg",
    );
  });

  it("reads the name of a language in place of its tag", () => {
    expect(meta('<meta name="language" content="English">').lang).toBe("en");
    expect(meta('<meta name="language" content=" Français ">').lang).toBe("fr");
    expect(meta('<meta name="language" content="Klingon">').lang).toBeUndefined();
  });

  it("takes the author from the byline if JSON-LD names only the site, which the title names", () => {
    const linked = jsonLd('{"@type":"NewsArticle","author":{"@type":"Organization","name":"The Herald"}}');
    const page = `<title>Otters return to the river - The Herald</title>${linked}<h1>Otters return to the river</h1>`;
    expect(meta(`${page}<p class=byline>By Ann Lee</p>`).author).toBe("Ann Lee");
    expect(meta(page).author).toBe("The Herald");
  });

  it("ignores placeholder images", () => {
    const blank = '<meta property="og:image" content="https://s0.wp.com/i/blank.jpg">';
    const linked = jsonLd('{"@type":"Article","image":"https://x.example/a.jpg"}');
    expect(meta(blank).image).toBeUndefined();
    expect(meta(blank + linked).image).toBe("https://x.example/a.jpg");
  });

  it("reads the name of an account from a link to a user", () => {
    expect(meta('<td class=subtext>by <a class=hnuser href="user?id=pendula">pendula</a></td>').author).toBe(
      "pendula",
    );
    expect(
      meta('<p class=tagline>by <a class="author" href="/user/dovetail_d">dovetail_d</a></p>').author,
    ).toBe("dovetail_d");
    expect(meta('<p>by <a class="author" href="/tag/dovetail_d">dovetail_d</a></p>').author).toBeUndefined();
  });

  it.each([
    [
      '<p class=author>Written by <a href="/">Ann Lee</a> in <a href="/b">Boats</a> on 1 June 2019',
      "Ann Lee",
    ],
    ['<div class="main widget"><p class=byline>By Ann Lee', "Ann Lee"],
    ["<div class=widget><p class=byline>By Ann Lee", undefined],
    ["<p class=byline>Author Ann Lee", "Ann Lee"],
    [
      "<div class=byline><div>By <b>Ann Lee</b></div><div>THE HERALD</div><time>2020-01-02</time></div>",
      "Ann Lee",
    ],
    [
      "<div class=byline><div>THE HERALD</div><div>READ MORE NEWS FROM THE HERALD HERE</div></div>",
      undefined,
    ],
    [
      '<p class=byline>by <a href="/forums/members/68032/">ann92</a>, on May 16th, in <a href="/c">Coolers</a>',
      "ann92",
    ],
    ['<p class=byline>Photos, and text by <a href="/forums/members/68032/">ann92</a>', undefined],
    [
      "<div class=created_and_author><p>Danmark - 10. marts 2020 kl. 20:00<p class=author>Af Ann Lee</div>",
      "Ann Lee",
    ],
    ["<div class=author><b>Ann Lee</b> - 10 March 2020 <i class=author-name>Ann Lee</i></div>", "Ann Lee"],
    ['<p id=pageDescription>von <a href="members/ann92.2/" class=username>ann-92</a>, 29.01.19', "ann-92"],
    [
      '<div class=p-description>Starter <a href="/members/x.2/" class="username  u-concealed">ann lee</a>',
      "ann lee",
    ],
    ["<div class=author-name>Words by Ann Lee<br>Photos by Bo Ek</div>", "Ann Lee"],
    ["<p class=byline>Photo by Bo Ek", undefined],
    ["<p id=pageDescription>All about boats</p><p class=author>Ann Lee", "Ann Lee"],
    ["<p class=author>Ann Lee, + Follow", undefined],
    ["<p class=byline>SHARE THIS ARTICLE", undefined],
    ["<p class=byline>ABOUT THE AUTHOR", undefined],
    ["<p class=author>Piše: Ana Lij", "Ana Lij"],
    ['<meta name="cXenseParse:author" content="Ann Lee"><p class=author>Bo Ek', "Ann Lee"],
    [
      '<meta name=twitter:label1 content="Verfasst von"><meta name=twitter:data1 content="Ann Lee">',
      "Ann Lee",
    ],
    ["<meta name=twitter:label1 content=Price><meta name=twitter:data1 content=45>", undefined],
    [
      '<meta name=twitter:label1 content="Written by"><meta name=twitter:data1 content="Ann Lee"><p class=author>Bo Ek',
      "Bo Ek",
    ],
    ['<body class="home single-author"><a href="/staff/report">Staff Report</a>', undefined],
  ])("reads the author in the byline %s", (html, author) => {
    expect(meta(html).author).toBe(author);
  });

  it("reads the author from links to pages of authors if they agree or are in one byline", () => {
    const link = (name: string, folder = "author"): string => `<a href="/${folder}/x1">${name}</a>`;
    const by = `<p>By ${link("Ann Lee")} and ${link("Bo Ek", "profile")}</p>`;
    expect(meta(`<p>By ${link("Ann Lee")}</p>`).author).toBe("Ann Lee");
    expect(meta(`<b>${link("Ann Lee", "en/authors")}</b><i>${link("Ann Lee")}</i>`).author).toBe("Ann Lee");
    expect(meta(`${by}<div>${link("Cy Doe")}</div>`).author).toBe("Ann Lee, Bo Ek");
    expect(meta(`${by}<p>By ${link("Cy Doe")}</p>`).author).toBeUndefined();
    expect(meta(`<p>${link("Ann Lee")}</p><p>${link("Bo Ek")}</p>`).author).toBeUndefined();
    for (const html of [
      `<p>${link("Ann Lee", "profile")}</p>`,
      `<p>${link("Ann Lee", "staff")}</p>`,
      `<aside>${link("Ann Lee")}</aside>`,
      `<p>${link("Ann")}</p>`,
      `<p>${link("all our authors")}</p>`,
      `<p>${link("Ann Lee", "tag")}</p>`,
    ])
      expect(meta(html).author).toBeUndefined();
    expect(meta(`<p>By ${link("Ann Lee")}<p class=author>Bo Ek`).author).toBe("Bo Ek");
  });

  it("prefers a clear date to one that consists of numbers only", () => {
    const linked = jsonLd('{"@type":"Article","datePublished":"12/20/2023 8:41:43 PM"}');
    expect(meta(`<html lang=en>${linked}`).date).toBe("2023-12-20");
    expect(meta(`${linked}<meta property=article:published_time content="2023-12-20T20:41:43">`).date).toBe(
      "2023-12-20T20:41:43",
    );
  });

  it.each([
    ["Author: Ann Lee", "Ann Lee"],
    ["Written by Ann Lee", "Ann Lee"],
    ["By: Ann", "Ann"],
    ["Автор： Сергей", "Сергей"],
    ["作者：李宝花", "李宝花"],
    ["Byron Bay", "Byron Bay"],
    ["Autor", "Autor"],
    ["Von Trapp", "Von Trapp"],
    ["Von der Leyen", "Von der Leyen"],
    ["Von Anna Müller", "Anna Müller"],
    ["Von Anna Müller und Jörg Maß", "Anna Müller, Jörg Maß"],
    ["Par Anne Dupont", "Anne Dupont"],
    ["Door Anna de Vries", "Anna de Vries"],
    ["By Ann Lee, National Writer", "Ann Lee, National Writer"],
    ["Text: Anna Müller, Foto: Jörg Maß", "Anna Müller"],
    ["Фото: Анна Иванова", undefined],
    ["Ann Lee; Bo Ek;", "Ann Lee, Bo Ek"],
    ["By Lee, Ann; Ek, Bo", "Ann Lee, Bo Ek"],
    ["Ann Lee, PhD; 王小明；Bo Ek", "Ann Lee, PhD, 王小明, Bo Ek"],
    ["Ann Lee; all rights reserved", "Ann Lee; all rights reserved"],
    ["Ann Lee ;", "Ann Lee"],
    ["García López, Juan; de la Cruz, María", "Juan García López, María de la Cruz"],
    ["Ann Lee, CNN; Bo Ek", "Ann Lee, CNN, Bo Ek"],
    ["Ann Lee, Reporter; Bo Ek, Staff Writer", "Ann Lee, Reporter, Bo Ek, Staff Writer"],
    ["Ann Lee &lt;ann@lee.example&gt;; Bo Ek &lt;bo@ek.example&gt;", "Ann Lee, Bo Ek"],
    ["ann@lee.example (Ann Lee)", "Ann Lee"],
    ["Ann Lee (ann@lee.example)", "Ann Lee"],
    ["Lee &amp;amp; Ek", "Lee & Ek"],
    ["null", undefined],
    ["undefined", undefined],
    ["[object Object]", undefined],
    [", The Herald", undefined],
    ["/annlee", undefined],
    ["2", undefined],
    ["219.79.38.192", undefined],
    ["Page published at 2012-01-12 by Press 4.0", undefined],
    ["Nulla Bo", "Nulla Bo"],
  ])("reads the name in %s", (content, author) => {
    expect(meta(`<meta name=author content="${content}">`).author).toBe(author);
    expect(meta(`<meta name=author content="${content}"><a rel=author>Bo</a>`).author).toBe(author ?? "Bo");
  });

  it("turns the names of several authors around if all have the family name first", () => {
    const creators = (...names: string[]): string | undefined =>
      meta(names.map((name) => `<meta name=dc.creator content="${name}">`).join("")).author;
    expect(creators("Lee, Ann", "García López, Juan")).toBe("Ann Lee, Juan García López");
    expect(creators("Lee, Ann")).toBe("Lee, Ann");
    expect(creators("Lee, Ann", "Weber, Benjamin")).toBe("Ann Lee, Benjamin Weber");
    expect(creators("Lee, Ann", "The Herald")).toBe("Lee, Ann, The Herald");
    expect(creators("Ann Lee, CNN", "Bo Ek, BBC")).toBe("Ann Lee, CNN, Bo Ek, BBC");
    expect(creators("Ann Lee, Editor", "Bo Ek, Reporter")).toBe("Ann Lee, Editor, Bo Ek, Reporter");
  });

  it("prefers JSON-LD to Open Graph, and a name to an account", () => {
    const stated = jsonLd('{"@type":"Article","author":{"name":"Ann Lee"},"datePublished":"2020-01-02"}');
    const open = "<meta name=author content=Bo><meta property=article:published_time content=2020-01-03>";
    expect(meta(stated + open)).toMatchObject({ author: "Ann Lee", date: "2020-01-02" });
    expect(meta("<meta name=author content=ann.lee.12><a rel=author>Ann Lee</a>").author).toBe("Ann Lee");
    expect(meta("<meta name=author content=ann.lee.12>").author).toBe("ann.lee.12");
  });

  it("prefers the name of a person to the name of the site", () => {
    const linked = (name: string): string => jsonLd(`{"@type":"Article","author":{"name":"${name}"}}`);
    const site = '<meta property=og:site_name content="The Herald">';
    const byline = "<p class=byline>By Ann Lee</p>";
    for (const name of ["The Herald", "Herald", "THE HERALD", "example.org"]) {
      expect(meta(site + linked(name) + byline).author).toBe("Ann Lee");
      expect(meta(site + linked(name)).author).toBe(name);
      expect(meta(site + linked(`${name} staff`) + byline).author).toBe(`${name} staff`);
      const both = `<meta name=author content="Ann Lee"><meta name=author content="${name}">`;
      expect(meta(site + linked(name) + both).author).toBe("Ann Lee");
      expect(meta(site + linked(name) + byline.replace("Ann Lee", `${name} Staff`)).author).toBe(name);
    }
    expect(meta(site + linked("Herald Press") + byline).author).toBe("Herald Press");
    for (const name of ["Ann Lee, The Herald", "Ann Lee, example.org", "Ann Lee (Herald)"])
      expect(meta(site + linked(name)).author).toBe("Ann Lee");
    for (const name of ["Ann Lee, The Times", "Ann Lee, editor, The Herald"])
      expect(meta(site + linked(name)).author).toBe(name);
  });

  it("removes sites, URLs, credits and buttons from the authors", () => {
    const site = '<meta property=og:site_name content="The Herald">';
    const author = (content: string): string => `<meta name=author content="${content}">`;
    expect(meta(site + author("The Herald https://herald.example") + author("Ann Lee")).author).toBe(
      "Ann Lee",
    );
    expect(meta(site + author("The Herald")).author).toBe("The Herald");
    expect(meta(author("Ann Lee") + author("(Image: Agency)")).author).toBe("Ann Lee");
    expect(meta("<span itemprop=author>See full bio</span>").author).toBeUndefined();
    expect(meta("<span itemprop=author>ByAnn Lee</span>").author).toBe("Ann Lee");
  });

  it("reads the marked name and those beside it, but not those of teasers and pictures", () => {
    const name = (text: string): string => `<span itemprop=author>${text}</span>`;
    const far = `<div><div><div><div><div>${name("Cy Doe")}</div></div></div></div></div>`;
    expect(
      meta(
        `<main><article><header><p>${name("Ann Lee")} and ${name("Bo Ek")}</p></header></article>${far}</main>`,
      ).author,
    ).toBe("Ann Lee, Bo Ek");
  });

  it("does not take author and date of a product's review for those of its page", () => {
    const review =
      '<ol itemprop="review" itemscope itemtype="http://schema.org/Review"><p>Review by <strong itemprop="author">Bo Ek</strong> <time itemprop="datePublished" datetime="2024-04-02">April 2</time></p></ol>';
    expect(meta(`<h1>Otter Hoodie</h1><p>Warm.</p>${review}`)).toEqual({ title: "Otter Hoodie" });
    expect(meta(`<h1>Otter Hoodie</h1><p itemprop="author">Ann Lee</p>${review}`).author).toBe("Ann Lee");
  });

  it("reads the author right behind the time of the page", () => {
    const author = (line: string): string | undefined =>
      meta(`<h1>Otter</h1><p class="info">${line}</p>`).author;
    const time = '<time datetime="2024-05-02T08:11:00+02:00">02.05.2024 08:11</time>';
    expect(author(`${time} von Anna Lerch <span class="comments">(Kommentare: 0)</span>`)).toBe("Anna Lerch");
    expect(author(`${time} by <a href="/ann">Ann Lee</a>`)).toBe("Ann Lee");
    expect(author(`${time} Musterstadt`)).toBeUndefined();
    expect(meta(`<h1>Otter</h1><aside><p>${time} von Anna Lerch</p></aside>`).author).toBeUndefined();
  });

  it("reads no single author for a list of texts, unless all have the same", () => {
    const by = (...names: string[]): string =>
      names.map((name) => `<article><h2>T</h2><span itemprop=author>${name}</span></article>`).join("");
    const author = (url: string, html: string): string | undefined =>
      readStatements(parseHtml({ id: "page", url, html })).meta.author;
    const shown = "<h1>T</h1><p class=byline>By Ann Lee</p>";
    for (const path of ["", "index.php", "category/soups/", "blog/page/2"]) {
      const url = `https://www.goodtable.example/${path}`;
      expect(author(url, shown)).toBeUndefined();
      expect(author(url, by("Ann Lee", "Bo Ek"))).toBeUndefined();
      expect(author(url, by("Ann Lee", "Ann Lee"))).toBe("Ann Lee");
      expect(author(url, `<meta name=author content="Ann Lee">${shown}`)).toBe("Ann Lee");
    }
    for (const path of ["?p=1", "a-soup", "index.php?id=2", "category.html"]) {
      expect(author(`https://www.goodtable.example/${path}`, shown)).toBe("Ann Lee");
      expect(author(`https://www.goodtable.example/${path}`, by("Ann Lee", "Bo Ek"))).toBe("Ann Lee");
    }
  });

  it("reads complete values of broken JSON-LD", () => {
    const broken =
      '{"@type":"NewsArticle","headline":"He said "no"","datePublished":"04:25 PM IST Apr 08, 2020",}';
    expect(meta(jsonLd(broken)).date).toBe("2020-04-08");
  });

  it.each([
    ['<meta property=og:site_name content="Good Table | Recipes for all">', "Good Table"],
    ['<meta property=og:site_name content="Good Table - A Blog by Ann">', "Good Table"],
    ['<meta property=og:site_name content="Table | Good recipes">', "Table | Good recipes"],
    ["<title>Pea soup | Good Table</title>", "Good Table"],
    ["<title>Pea soup | Soups</title>", undefined],
    ["<title>Good Table - CONTACT</title>", "Good Table"],
    ["<title>GoodTable.example &raquo; Soups - Pea soup</title>", "GoodTable.example"],
    ["<title>Pea soup - goodtable.example - Home - Soups</title><h1>Pea soup</h1>", "goodtable.example"],
    ["<title>Ann's kitchen - Contact us</title><h1>Ann's kitchen</h1>", undefined],
    ["<title>Pea soup - Sep 16, 2019</title><h1>Pea soup</h1>", undefined],
    ["<title>Pea soup--Good Table | All about soups</title>", "Good Table"],
    ["<title>Welcome to Good Table</title>", "Good Table"],
    ["<title>Die Erbsensuppe | Willkommen bei Anna</title><h1>Die Erbsensuppe</h1>", "Anna"],
    [
      "<title>A green pea soup | Ann's Table, Rome | SoupSoft</title><h1>A green pea soup</h1>",
      "Ann's Table, Rome",
    ],
    ["<title>Pea soup | by Ann Lee</title><h1>Pea soup</h1>", undefined],
    [
      "<title>Pea soup - Good Table</title><meta property=og:site_name content='Pea soup - Good Table'>",
      "Good Table",
    ],
  ])("reads the site that matches the host: %s", (html, site) => {
    const page = parseHtml({ id: "page", url: "https://www.goodtable.example/soup", html });
    expect(readStatements(page).meta.site).toBe(site);
  });

  it("reads keywords and languages that are objects in JSON-LD", () => {
    const script = JSON.stringify({
      "@type": "Article",
      keywords: [{ "@type": "DefinedTerm", name: "ferries" }, "harbours"],
      articleSection: { "@type": "DefinedTerm", name: "Transport" },
      inLanguage: { "@type": "Language", name: "Norwegian", alternateName: "nb" },
    });
    expect(meta(`<script type="application/ld+json">${script}</script><p>Text`)).toMatchObject({
      tags: ["ferries", "harbours"],
      categories: ["Transport"],
      lang: "nb",
    });
  });

  it("does not read a script as tags if a missing quote makes it part of the keywords", () => {
    const script = '<script>function roll(box) { box.top = box.top - 1; }</script><p class="x">Text.</p>';
    expect(meta(`<meta name=keywords content="football, rugby>${script}`).tags).toBeUndefined();
    expect(meta(`<meta name=keywords content="football, {rugby}, a=b">${script}`).tags).toBeUndefined();
    expect(meta(`<meta name=keywords content="football, {rugby}">${script}`).tags).toEqual([
      "football",
      "{rugby}",
    ]);
  });

  it("reads the description of the main item without tags, not that of the site", () => {
    const site = '{"@type":"WebSite","name":"S","description":"All of it"}';
    const recipe = '{"@type":"Recipe","name":"Pie","description":"<p>A <b>sweet</b> pie</p>"}';
    const own = '<meta name=description content="A page">';
    expect(meta(jsonLd(`[${site},${recipe}]`) + own).description).toBe("A sweet pie");
    expect(meta(jsonLd(site) + own).description).toBe("A page");
  });

  it("reads a meta element that has `value` instead of `content`", () => {
    expect(meta('<meta name="og:image" value="https://x.example/a.jpg">').image).toBe(
      "https://x.example/a.jpg",
    );
  });

  it.each([
    ["ja", "2021年3月5日"],
    ["ko", "2021. 3. 5."],
    ["ja", "2021.03.05"],
    ["hi", "5 मार्च 2021"],
    ["bn", "৫ মার্চ ২০২১"],
    ["fr", "05/03/2021"],
    ["vi", "05/03/2021"],
    ["en-US", "03/05/2021"],
  ])("reads a stated date in the format of the language %s: %s", (lang, date) => {
    expect(meta(`<html lang="${lang}"><meta name=date content="${date}">`).date).toBe("2021-03-05");
    expect(meta(`<html lang="en"><meta name=date content="03/04/2021">`).date).toBeUndefined();
  });

  it("reads a date from a meta name that describes it, after the known names", () => {
    const names = ["bt:pubdate", "article:post_date", "shop:uploaded", "dc.created", "vr:published_time"];
    for (const name of names)
      expect([name, meta(`<meta property="${name}" content="2019-05-17">`).date]).toEqual([
        name,
        "2019-05-17",
      ]);
    for (const name of ["event:date", "updated", "created_by", "expires"])
      expect([name, meta(`<meta property="${name}" content="2019-05-17">`).date]).toEqual([name, undefined]);
    const both = `<meta name=uploaded content="2019-05-17"><meta name=date content="2019-05-18">`;
    expect(meta(both).date).toBe("2019-05-18");
  });

  it("reads text that is escaped twice", () => {
    const said = meta(
      `<meta property="og:title" content="Cats &amp;amp; dogs"><meta name=description content="&amp;#039;Hi&amp;#039;">
       <meta name=keywords content="R&amp;amp;D"><h2>Cats &amp; dogs</h2>`,
    );
    expect(said).toEqual({ title: "Cats & dogs", description: "'Hi'", tags: ["R&D"] });
  });

  it("removes markup from text, but not from texts about markup", () => {
    const content = (html: string): string => html.replaceAll("<", "&lt;").replaceAll('"', "&quot;");
    const describe = (html: string): string | undefined =>
      meta(`<meta name=description content="${content(html)}">`).description;
    expect(describe('<p>We <strong>open</strong>, at <a href="/last">last</a>.</p>')).toBe(
      "We open, at last.",
    );
    expect(describe('A word, and <a href="https://a.example/a-lo')).toBe("A word, and");
    expect(describe("A fair price&amp;reg;, un &amp;eacute;t&amp;eacute;")).toBe("A fair price®, un été");
    for (const text of [
      "The <br> element breaks a line",
      "<a>: the anchor element",
      "if x <y then z",
      "1 < 2 & 3 > 2",
    ])
      expect(describe(text)).toBe(text);
    expect(meta(`<meta name=author content="${content("Al Doe<BR>The Daily")}">`).author).toBe(
      "Al Doe The Daily",
    );
    expect(meta(`<title>${content("<br>: The line break element")}</title>`).title).toBe(
      "<br>: The line break element",
    );
    const linked = {
      "@type": "Recipe",
      name: "Soup",
      author: '<a href="/bo">Bo Doe</a>',
      recipeCategory: "<p>Dinner</p>",
    };
    expect(meta(`<script type="application/ld+json">${JSON.stringify(linked)}</script>`)).toMatchObject({
      author: "Bo Doe",
      categories: ["Dinner"],
    });
  });

  it("reads only title and language on request", () => {
    const page =
      "<html lang=de><title>T</title><meta name=author content=Bo><meta name=description content=d>";
    expect(readStatements(parse(page), { metadata: "brief" }).meta).toEqual({ title: "T", lang: "de" });
  });

  it("removes the site and other text around the heading from the title", () => {
    expect(
      meta("<title>Dogs bark at noon - News - Site</title><h1>Dogs <b>bark</b> at noon</h1>").title,
    ).toBe("Dogs bark at noon");
    expect(meta("<title>Dogs bark at noon | Site</title><h1>Site</h1><h1>Dogs bark at noon</h1>").title).toBe(
      "Dogs bark at noon",
    );
    expect(meta("<title>Site | Dogs bark at noon</title><h1>Site</h1>").title).toBe(
      "Site | Dogs bark at noon",
    );
  });

  it("reads a <time> only if it clearly belongs to the article", () => {
    const time = (day: string): string => `<time datetime="2024-05-0${day}">x</time>`;
    expect(meta(`<article>${time("1")}<p>x</article>`).date).toBe("2024-05-01");
    expect(meta(`<article><header>${time("2")}</header>${time("3")}</article>`).date).toBe("2024-05-02");
    expect(meta(`<article>${time("1")}${time("2")}</article>`).date).toBeUndefined();
    const from = (html: string): unknown =>
      readStatements(parse(html), { metadata: "origins" }).meta.from?.["date"];
    expect(from(`<article>${time("1")}<p>x</article>`)).toBe("time");
    expect(from(`<article>x</article><article>${time("1")}</article>`)).toBe("page");
    expect(from(`${time("1")}<article>x</article>`)).toBe("page");
    expect(meta('<time pubdate datetime="2011-02-03">x</time>').date).toBe("2011-02-03");
  });

  it("does not take an object without an id for another one without an id", () => {
    const json =
      '{"@type":"Article","name":"N","url":"https://x.com/n","author":{"@type":"Person","url":"/a"},"image":{"@type":"ImageObject","width":3}}';
    const { author, image } = meta(jsonLd(json));
    expect([author, image]).toEqual([undefined, undefined]);
  });

  it("does not take entries of a list, or works that are mentioned, for the page", () => {
    const article = jsonLd('{"@type":"Article","headline":"H","author":"A"}');
    for (const other of [
      '{"@type":"ItemList","itemListElement":[{"@type":"Article","headline":"O","author":"B"}]}',
      '{"@type":"WebPage","mentions":{"@type":"Book","name":"O","author":"B"}}',
    ]) {
      const { title, author } = meta(jsonLd(other) + article);
      expect([title, author]).toEqual(["H", "A"]);
    }
  });

  it("prefers the page's own objects to questions, and to those of other pages", () => {
    const linked = (...objects: string[]): string | undefined =>
      meta(jsonLd(`[${objects.join()}]`) + "<meta name=description content=Page>").description;
    const of = (type: string, description: string, url = ""): string =>
      `{"@type":"${type}","description":"${description}"${url === "" ? "" : `,${url}`}}`;
    const article = of(
      "Article",
      "Own",
      '"mainEntityOfPage":{"@id":"https://www.example.org/page/#article"}',
    );
    const event = (name: string): string => of("Event", name, `"url":"https://example.org/${name}"`);
    const question = (name: string): string => of("Question", name);
    expect(linked(question("A"), question("B"), of("Recipe", "Soup"))).toBe("Soup");
    expect(linked(question("A"))).toBe("A");
    expect(linked(event("a"), article)).toBe("Own");
    expect(linked(event("a"), of("Article", "By id", '"@id":"https://example.org/page"'))).toBe("By id");
    expect(linked(event("a"), event("b"), event("c"))).toBe("Page");
    expect(linked(event("a"), event("b"))).toBe("a");
    const elsewhere = parseHtml({
      id: "page",
      url: "",
      html: jsonLd(`[${event("a")},${event("b")},${event("c")}]`),
    });
    expect(readStatements(elsewhere).meta.description).toBe("a");
  });

  it("names a type without the address of its vocabulary", () => {
    expect(meta(jsonLd('{"@type":"https://schema.org/NewsArticle"}')).type).toBe("NewsArticle");
  });

  it("takes an image that has only a contentUrl", () => {
    const json =
      '{"@type":"Article","name":"N","image":{"@type":"ImageObject","contentUrl":"https://x.com/i.jpg"}}';
    expect(meta(jsonLd(json)).image).toBe("https://x.com/i.jpg");
  });

  it("resolves addresses as the page's links are resolved, with its <base>", () => {
    const { canonical, image, feed } = meta(
      "<base href=https://x.com/top/><link rel=canonical href=c><meta property=og:image content=i.jpg><link rel=alternate type=application/rss+xml href=f>",
    );
    expect([canonical, image, feed]).toEqual([
      "https://x.com/top/c",
      "https://x.com/top/i.jpg",
      "https://x.com/top/f",
    ]);
  });

  it("takes a canonical address whose link has other relations as well", () => {
    expect(meta('<link rel="shortlink Canonical" href="https://x.com/c">').canonical).toBe("https://x.com/c");
  });
});

describe("cutSite", () => {
  it.each([
    ["Title | Site", "Site", "Title"],
    ["Title - The Site", "the site", "Title"],
    ["Site: Title", "Site", "Title"],
    ["标题_新闻网", "新闻网", "标题"],
    ["A - B | Site.com", "Site.com", "A - B"],
    ["Title - Other", "Site", "Title - Other"],
    ["A well-known Site", "Site", "A well-known Site"],
    ["Pre-Site", "Site", "Pre-Site"],
    ["Site", "Site", "Site"],
    ["Title (C++) | C++", "C++", "Title (C++)"],
    ["Title | Site", undefined, "Title | Site"],
  ])("removes the site from the title %s (site: %s)", (title, site, expected) => {
    expect(cutSite(title, site)).toBe(expected);
  });
});

it("takes the case of the title for a heading in capitals", () => {
  const book = (heading: string): string =>
    `<meta name="dc.title" content="The Salt Road"><title>The eBook of The Salt Road</title><h1>${heading}</h1>`;
  expect(meta(book("THE SALT ROAD")).title).toBe("The Salt Road");
  expect(meta(book("The Salt ROAD")).title).toBe("The Salt ROAD");
  expect(meta("<title>WEIR OF THE LONG FROST</title><h1>WEIR OF THE LONG FROST</h1>").title).toBe(
    "WEIR OF THE LONG FROST",
  );
});

describe("a page with second-level headings only", () => {
  const title = "CNX - Mountain towns brace for a dry summer - June 3, 1999";
  it.each([
    [
      "<h2>Weather</h2><h2>Mountain towns brace for a dry summer</h2>",
      "Mountain towns brace for a dry summer",
    ],
    ["<h1>CNX</h1><h2>Mountain towns brace for a dry summer</h2>", title],
    ["<h2>towns brace for a dry summer</h2>", title],
    ["<h2>June 3</h2>", title],
  ])("takes a heading as its title if the title contains it: %s", (headings, expected) => {
    expect(meta(`<title>${title}</title>${headings}`).title).toBe(expected);
  });
});

describe("cutToHeading", () => {
  it.each([
    ["标题在这里_新闻网", "标题在这里", "标题在这里"],
    ["“标题”在这里-《财经网》", "“标题”在这里", "“标题”在这里"],
    ["Наука / Молоко избавит от всего", "Молоко избавит от всего", "Молоко избавит от всего"],
    ["MILK and honey > News", "Milk and Honey", "MILK and honey"],
    ["Milk and honeycombs - Site", "Milk and honey", "Milk and honeycombs - Site"],
    ["Milk-and-honey", "Milk-and", "Milk-and-honey"],
    ["Milk - a long story of cows", "Milk", "Milk - a long story of cows"],
    ["Milk", "Milk and honey", "Milk"],
    ["Milk", "Milk", "Milk"],
    ["Milk", "", "Milk"],
    ["", "", ""],
  ])("cuts the title %s to the heading %s", (title, heading, expected) => {
    expect(cutToHeading(title, heading)).toBe(expected);
  });
});

describe("normaliseDate", () => {
  it.each([
    ["2024-05-02", "2024-05-02"],
    [" 2024-05-02T10:00:00Z ", "2024-05-02T10:00:00Z"],
    ["2024-05-02 10:00:00.123 +0200", "2024-05-02T10:00:00+02:00"],
    ["2024-05-02T10:00", "2024-05-02T10:00"],
    ["2024-05-02 10:00:00 +0200 +0200", "2024-05-02T10:00:00+02:00"],
    ["2024-05-02 10:00:00 +0200 CEST", "2024-05-02T10:00:00+02:00"],
    ["2024-05-02 10:00:00 EST", "2024-05-02"],
    ["2024-05", "2024-05"],
    ["2024", "2024"],
    ["2024/5/2", "2024-05-02"],
    ["20240502", "2024-05-02"],
    ["20100312;14205600", "2010-03-12"],
    ["Tue Mar 11 21:14:02 CET 2003", "2003-03-11"],
    ["Sat Mar  1 21:14:02 2003", "2003-03-01T21:14:02"],
    ["02.05.2024", "2024-05-02"],
    ["Thu, 02 May 2024 10:00:00 GMT", "2024-05-02T10:00:00Z"],
    ["May 2, 2024", "2024-05-02"],
    ["2 September 2024", "2024-09-02"],
    ["2024-02-29", "2024-02-29"],
    ["2024-05-02T25:00:00", "2024-05-02"],
    ["2023-02-29", undefined],
    ["2024-13-01", undefined],
    ["2024-00-10", undefined],
    ["0000-00-00", undefined],
    ["03/04/2020", undefined],
    ["yesterday", undefined],
    ["1714636800", undefined],
    ["2564-03-05", undefined],
    ["20240502T100000Z", "2024-05-02T10:00:00Z"],
    ["20240502T1000+0200", "2024-05-02T10:00+02:00"],
    ["20240502100000", "2024-05-02T10:00:00"],
    ["x".repeat(100_000), undefined],
  ])("normalises %s", (value, expected) => {
    expect(normaliseDate(value)).toBe(expected);
  });

  it.each([
    ["fa", "1399-12-15T10:00:00+03:30", "2021-03-05T10:00:00+03:30"],
    ["fa", "2021-03-05", "2021-03-05"],
    ["fa", "1399", undefined],
    ["fa", "1399-12", undefined],
    ["ar", "1442-07-21", "2021-03-05"],
    ["th", "2564-03-05", "2021-03-05"],
    ["th", "2564-03", "2021-03"],
    ["de", "1399-12-15", "1399-12-15"],
  ])("normalises in %s: %s", (lang, value, expected) => {
    expect(normaliseDate(value, lang)).toBe(expected);
  });
});
