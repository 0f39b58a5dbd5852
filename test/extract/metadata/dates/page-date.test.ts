import { describe, expect, it } from "vitest";
import { boundDates } from "../../../../src/extract/metadata/dates/date.js";
import { firstOfNumbers, monthOf } from "../../../../src/extract/metadata/dates/date-customs.js";
import { findDates } from "../../../../src/extract/metadata/dates/dates-in-text.js";
import { readStatements } from "../../../../src/extract/metadata/metadata.js";
import { dateInPath } from "../../../../src/extract/metadata/dates/page-date.js";
import { parseHtml } from "../../../../src/parse/standard-tree.js";

const NOW = new Date("2024-06-01T12:00:00Z");
const PROSE = `<p>${"The bridge carried carts, then trams, and now it carries bicycles. ".repeat(6)}</p>`;

function dateOf(html: string, { url = "https://example.org/bridge", now = NOW } = {}): string | undefined {
  return readStatements(parseHtml({ id: "page", url, html }), { now }).meta.date;
}

/** Makes a page whose headline stands between `before` and `after`. */
function page(after: string, { before = "", lang = "en", foot = "" } = {}): string {
  return `<html lang="${lang}"><title>The old bridge opens again</title><body><nav>Home News Contact</nav>${before}
    <h1>The old bridge opens again</h1>${after}${PROSE}${foot}</body></html>`;
}

describe("the date beside the headline", () => {
  it.each([
    ['<time datetime="2019-05-17T08:30:00+02:00">two years ago</time>', "2019-05-17T08:30:00+02:00"],
    ['<span class="post-date">17 May 2019</span>', "2019-05-17"],
    [
      '<time class="date"><a href="/2019">2019</a>-<a href="/2019/05">05</a>-<a href="/2019/05/17">17</a> 08:30</time>',
      "2019-05-17",
    ],
    ['<div class="postDate">May 17, 2019</div>', "2019-05-17"],
    ['<abbr class="published" title="x">17th May 2019</abbr>', "2019-05-17"],
    ["<p>By Ada Lund | May 17, 2019 | 4 min read</p>", "2019-05-17"],
    ["<p>Posted on 2019-05-17 08:30 by Ada</p>", "2019-05-17"],
    ["<p>Published 17 May 2019, updated 3 June 2020</p>", "2019-05-17"],
    ["<p>Updated 3 June 2020, first published 17 May 2019</p>", "2019-05-17"],
    [`<div>Ada, 17 May 2019<div>${PROSE}</div></div>`, "2019-05-17"],
    ["<div>In the media <span>17.05.19</span></div>", "2019-05-17"],
    ['<p class="updated">3 June 2020</p><p class="published">17 May 2019</p>', "2019-05-17"],
    [
      '<time datetime="2020-06-03T10:00">Posted: May 17, 2019 9:27 AM ET | Last Updated: 24 minutes ago</time>',
      "2019-05-17",
    ],
    ['<time datetime="2020-06-03T10:00">Updated: 24 minutes ago</time>', undefined],
    ["<p>Ada <b>Updated:</b> 3 June 2020</p><p>17 May 2019</p>", "2019-05-17"],
    ["<p>Ada <b>Posted:</b> 17 May 2019</p>", "2019-05-17"],
    ["<p>From http://www.reviewnews.example <b>17 May 2019</b></p>", "2019-05-17"],
    ["<p>Received: 16 December 2018 / Accepted: 2 May 2019 / Published: 17 May 2019</p>", "2019-05-17"],
    ["<div>Received 16 December 2018</div><div>Online 17 May 2019</div>", "2019-05-17"],
    ['<p class="date">5/17/19</p>', "2019-05-17"],
    [
      '<span class="age" title="2019-05-17T08:30:00 1558081800"><a>5 years ago</a></span>',
      "2019-05-17T08:30:00",
    ],
    ['by Ada <abbr title="2019-05-17 08:30:00Z">5 years ago</abbr>', "2019-05-17T08:30:00Z"],
    [
      '<abbr itemprop="datePublished" title="2019-05-17T08:30:00-07:00">8:30 AM</abbr>',
      "2019-05-17T08:30:00-07:00",
    ],
    ['<div class="topbar-today-date">Friday, 17 May 2019</div>', undefined],
    ['<div id="current_date">17.05.2019</div>', undefined],
    ['<abbr class="updated" title="2019-05-17T08:30:00Z">8:30 AM</abbr>', undefined],
    ['<p class="date">17/5/19 10:30 AM</p>', "2019-05-17"],
    ['<p class="date">5/6/19</p>', undefined],
    ['<p class="date">version 5/17/19</p>', undefined],
  ])("is read from %s", (after, date) => {
    expect(dateOf(page(after))).toBe(date);
  });

  it.each([
    ["Obituaries - The Courier - Tuesday, February 8, 2005", "", "2005-02-08"],
    ["Hansard Debates for 14 Mar 1995 (pt 7)", "", "1995-03-14"],
    [
      "IRC log of #gardening for Thursday, 2009-05-14",
      '<div><a href="13.html">« Wednesday, 2009-05-13</a> <a href=".">Index</a></div>',
      "2009-05-14",
    ],
    ["What was found on 8 May 2019", "<p>17 May 2019</p>", "2019-05-17"],
    ["The 17 May 2019 debate in the old hall", "", undefined],
  ])("may also be the date that ends the title %s", (title, below, date) => {
    expect(dateOf(`<title>${title}</title><h1>${title}</h1>${below}${PROSE}`)).toBe(date);
  });

  it("is read from a box whose name contains the word `end` in another sense", () => {
    const shown = (name: string): string | undefined =>
      dateOf(page(`<div class="${name}"><span class="date">17 May 2019</span></div>`));
    expect(shown("media_end_head")).toBe("2019-05-17");
    for (const name of ["sale end", "offer-end-date", "valid_until", "due-time"])
      expect(shown(name), name).toBeUndefined();
  });

  it("may be above the headline", () => {
    expect(dateOf(page("", { before: "<p>News · 17 May 2019</p>" }))).toBe("2019-05-17");
  });

  it.each([
    ["de", "17. Mai 2019"],
    ["de", "17.05.2019"],
    ["fr", "le 17 mai 2019"],
    ["es", "17 de mayo de 2019"],
    ["pt-BR", "17 de maio de 2019"],
    ["fi", "17. toukokuuta 2019"],
    ["sv", "17 maj 2019"],
    ["ru", "17 мая 2019 г."],
    ["uk", "17 травня 2019"],
    ["el", "17 Μαΐου 2019"],
    ["pl", "17 maja 2019"],
    ["tr", "17 Mayıs 2019"],
    ["ar", "17 مايو 2019"],
    ["ar-EG", "١٧ مايو ٢٠١٩"],
    ["hi", "17 मई 2019"],
    ["th", "17 พฤษภาคม 2562"],
    ["vi", "17 tháng 5, 2019"],
    ["zh", "2019年5月17日 08:30"],
    ["ja", "2019年5月17日"],
    ["ko", "2019년 5월 17일"],
    ["ko", "2019. 5. 17."],
    ["hu", "2019. május 17."],
    ["ja", "令和元年5月17日"],
    ["ja", "平成31年 5月 17日"],
    ["ja", "２０１９年５月１７日"],
    ["zh-TW", "民國108年5月17日"],
    ["th", "17 พ.ค. 2562"],
    ["th", "17 พ.ค. 62"],
    ["th", "วันศุกร์ที่ 17 พฤษภาคม 62 เวลา 08:30 น."],
    ["th", "วันศุกร์ที่ 17 พฤษภาคม พ.ศ. 2562"],
    ["fa", "۲۷ اردیبهشت ۱۳۹۸"],
    ["fa-IR", "۱۳۹۸/۰۲/۲۷"],
    ["ar", "17 أيار / مايو 2019"],
    ["ar", "12 رمضان 1440"],
    ["he", "17 במאי 2019"],
    ["lt", "2019 m. gegužės 17 d."],
    ["lv", "2019. gada 17. maijs"],
  ])("is read in %s: %s", (lang, text) => {
    expect(dateOf(page(`<p>${text}</p>`, { lang }))).toBe("2019-05-17");
  });

  it("is not read as March where Finnish November is shortened", () => {
    const stated = (lang: string, date: string): string | undefined =>
      dateOf(`<html lang="${lang}"><meta name="date" content="${date}">${PROSE}</html>`);
    expect(stated("fi", "5 marras 2019")).toBe("2019-11-05");
    expect(stated("fi", "5. marraskuuta 2019")).toBe("2019-11-05");
    expect(stated("fr", "5 mars 2019")).toBe("2019-03-05");
  });

  it("is read with regional names of months", () => {
    expect(dateOf(page("<p>5. Jänner 2021</p>", { lang: "de-AT" }))).toBe("2021-01-05");
    expect(dateOf(page("<p>24 كانون الثاني 2020</p>", { lang: "ar" }))).toBe("2020-01-24");
    expect(dateOf(page("<p>24 كانون الثاني / أبريل 2020</p>", { lang: "ar" }))).toBeUndefined();
  });

  it.each([
    [
      "a deadline in prose",
      `<p>Offers that reach the office of the bridge by 17 May 2019 are read, and no others.</p>`,
    ],
    ["a later change in a time element", '<p>Updated: <time datetime="2019-05-17">17 May</time></p>'],
    ["a later change by its class", '<time class="modified" datetime="2019-05-17">17 May</time>'],
    ["the day on which a person joined", "<dl><dd><strong>Joined:</strong> 17 May 2019</dd></dl>"],
    ["the day of a registration", "<p>Registriert: 17.05.2019, 20:15</p>"],
    [
      "the date of a task",
      '<ul><li>ring by <time datetime="2019-05-17" class="date-past">17 May</time></li></ul>',
    ],
    ["the date of an event", '<div class="event-date">17 May 2019</div>'],
    ["the date of the copyright", "<p>© 17 May 2019</p>"],
    ["a date in the future", "<p>17 May 2030</p>"],
    ["a date before the web existed", "<p>17 May 1889</p>"],
    ["a day that does not exist", "<p>31 June 2019</p>"],
    ["an ambiguous date of numbers only", "<p>03/04/2019</p>"],
    [
      "the date of a reader's comment",
      '<ol class="comments"><li class="comment"><time datetime="2019-05-17">x</time></ol>',
    ],
    ["a hidden date", '<p hidden>17 May 2019</p><p style="display:none">17 May 2019</p>'],
    ["a date far below", `${PROSE}<p>17 May 2019</p>`],
  ])("is not %s", (_, after) => {
    expect(dateOf(page(after))).toBeUndefined();
  });

  it("may be anywhere if words say that it is the date of publication", () => {
    expect(dateOf(page(`${PROSE}<footer>This article was published on 17 May 2019 by Ann</footer>`))).toBe(
      "2019-05-17",
    );
    expect(
      dateOf(page(`${PROSE}<p>Published on 17 May 2019</p><p>Published on 18 May 2019</p>`)),
    ).toBeUndefined();
    expect(dateOf(page(`${PROSE}<p>Publication of a notice on books 17 May 2019</p>`))).toBeUndefined();
  });

  it.each([
    ["de", "Von Ada Lund am 17.05.2019, 11:51 | 0 Meinungen", "2019-05-17"],
    ["en", "By Ada Lund on May 17, 2019 at 11:51 | Bridges", "2019-05-17"],
    ["fr", "Par Ada Lund le 17 mai 2019 dans Ponts", "2019-05-17"],
    ["es", "Por Ada Lund el 17 de mayo de 2019", "2019-05-17"],
    ["en", "Bridges by Ada Lund were shown on May 17, 2019", undefined],
    ["en", "By Ada Lund, whose first book came out on May 17, 2019", undefined],
  ])("may be in a byline below the text, in %s: %s", (lang, line, date) => {
    expect(dateOf(page(`${PROSE}<footer>${line}</footer>`, { lang }))).toBe(date);
    const comment = `<div class="comments"><div class="comment"><p>${line}</p></div></div>`;
    expect(dateOf(page(`${PROSE}${comment}`, { lang }))).toBeUndefined();
  });

  it.each([
    ["ar", "آخر تحديث: 15 مارس 2023", "تاريخ النشر: 12 مارس 2023"],
    ["fa", "به‌روزرسانی: ۲۴ اسفند ۱۴۰۱", "انتشار: ۲۱ اسفند ۱۴۰۱"],
    ["he", "עודכן: 15 במרץ 2023", "פורסם: 12 במרץ 2023"],
    ["hi", "अपडेटेड: 15 मार्च 2023", "प्रकाशित: 12 मार्च 2023"],
    ["bn", "আপডেট: ১৫ মার্চ ২০২৩", "প্রকাশ: ১২ মার্চ ২০২৩"],
    ["vi", "Cập nhật: 15/3/2023", "Đăng ngày 12/3/2023"],
    ["id", "Diperbarui 15 Maret 2023", "Diterbitkan 12 Maret 2023"],
    ["th", "อัปเดต 15 มีนาคม 2566", "เผยแพร่ 12 มีนาคม 2566"],
    ["ca", "Actualitzat 15 de març de 2023", "Publicat 12 de març de 2023"],
    ["cs", "Aktualizováno 15. března 2023", "Publikováno 12. března 2023"],
    ["hr", "Ažurirano 15. ožujka 2023.", "Objavljeno 12. ožujka 2023."],
    ["sr", "Ажурирано 15. март 2023.", "Објављено 12. март 2023."],
    ["sl", "Posodobljeno 15. marec 2023", "Objavljeno 12. marec 2023"],
    ["bg", "Обновена на 15 март 2023", "Публикувана на 12 март 2023"],
    ["et", "Uuendatud 15. märts 2023", "Avaldatud 12. märts 2023"],
    ["lt", "Atnaujinta 2023-03-15", "Paskelbta 2023-03-12"],
    ["ja", "最終更新日：2023年3月15日", "掲載日：2023年3月12日"],
    ["zh", "最后修改：2023-03-15", "发表于 2023-03-12"],
    ["ko", "최종수정 2023.03.15", "기사입력 2023.03.12"],
  ])("is the one that words name as the date of publication, in %s", (lang, updated, published) => {
    expect(dateOf(page(`<p>${updated}</p><p>${published}</p>`, { lang }))).toBe("2023-03-12");
    expect(dateOf(page(`${PROSE}<p>${updated}</p><p>${published}</p>`, { lang }))).toBe("2023-03-12");
  });

  it("may follow a weekday in Persian, which is no update", () => {
    expect(dateOf(page("<p>به روز شنبه ۲۰ اسفند ۱۴۰۱</p>", { lang: "fa" }))).toBe("2023-03-11");
    const later = "<p>بروزرسانی: ۲۴ اسفند ۱۴۰۱</p><p>۲۰ اسفند ۱۴۰۱</p>";
    expect(dateOf(page(later, { lang: "fa" }))).toBe("2023-03-11");
  });

  it.each([
    '<time class=published><a href="/2019/">2019</a>-<a href="/2019/03/">03</a>-<a href="/2019/03/05/">05</a> 19:12:00</time>',
    "<div class=date><span>05</span>.<span>03</span>.<span>2019</span></div>",
  ])("is read from numbers in elements of their own: %s", (shown) => {
    expect(
      dateOf(`<title>The Aire at Malham</title><h1>The Aire at Malham</h1>${shown}<p>It rises.</p>`),
    ).toBe("2019-03-05");
  });

  it("is that of the first post of a phpBB thread, not the day when its author joined", () => {
    const post = (day: string): string =>
      `<div class="post"><dl><dd class="profile-joined"><strong>Joined:</strong> Sun Feb 03, 2019 8:15 pm</dd></dl>
        <div class="postbody"><p>by Ann » <time datetime="2022-03-${day}">Mar ${day}, 2022</time></p>${PROSE}</div></div>`;
    expect(dateOf(page(post("06") + post("07")))).toBe("2022-03-06");
    const prev = '<link rel=prev href="viewtopic.php?t=3318">';
    expect(dateOf(prev + page(post("06") + post("07")))).toBeUndefined();
    const second = { url: "https://example.org/viewtopic.php?t=3318&start=20" };
    expect(dateOf(page(post("06") + post("07")), second)).toBeUndefined();
  });

  it.each([
    [
      "DokuWiki",
      "<div class=docInfo><bdi>aire.txt</bdi> · Last modified: 2021/04/03 12:10 by <bdi>ann</bdi></div>",
    ],
    [
      "MoinMoin",
      "<p id=pageinfo class=info>Aire (last edited 2021-04-03 08:31:22 by <span>AnnLee</span>)</p>",
    ],
    ["XWiki", "<div class=xdocLastModification>Last modified by Ann Lee on 2021/04/03 08:31</div>"],
  ])("is that of the last change that the line below a page of %s states", (_, line) => {
    expect(dateOf(`<h1>The Aire</h1><p>It rises at Malham.</p>${line}`)).toBe("2021-04-03");
    expect(
      dateOf(`<h1>The Aire</h1><p>It rises at Malham.</p>${line.replace(/(?:class|id)=\w+/, "")}`),
    ).toBeUndefined();
  });

  it("is not the end of a poll above the first post of a phpBB thread", () => {
    const poll =
      '<form class="topic_poll"><div class="panel"><div class="inner"><div class="content"><h2 class="poll-title">Which one?</h2><p class="author">Poll ended at Thu Mar 31, 2022 10:00 am</p></div></div></div></form>';
    const post = `<div class="postbody"><p class="author">by <b>Ann</b> » Sun Mar 06, 2022 4:46 pm</p>${PROSE}</div>`;
    expect(dateOf(page(poll + post))).toBe("2022-03-06");
  });

  it("is that of the first post of an older phpBB thread, which has no <time>", () => {
    const post = (line: string): string =>
      `<div class="postbody"><h3><a>The old bridge opens again</a></h3><p class="author">${line}</p>${PROSE}</div>`;
    const french =
      post("par <b>Ann</b> » Lun 6 Fév 2023 16:46") + post("par <b>Bo</b> » Mar 7 Fév 2023 9:03");
    expect(dateOf(page(french, { lang: "fr" }))).toBe("2023-02-06");
    const stamped =
      post("<span>Wed Aug 07, 2019 6:50 am</span>") + post("<span>Thu Aug 08, 2019 1:00 am</span>");
    expect(dateOf(page(stamped))).toBe("2019-08-07");
    const later = { url: "https://example.org/viewtopic.php?t=3318&start=20" };
    expect(dateOf(page(stamped), later)).toBeUndefined();
    expect(dateOf(page(stamped.replaceAll("author", "line")))).toBeUndefined();
  });

  it("is the date of the last change that Confluence shows beside the author", () => {
    const line = `<ul><li>Created by <span class="author"><a>Ida Brandt</a></span>, last modified on <a>May 17, 2019</a></li></ul>`;
    expect(dateOf(page(line))).toBe("2019-05-17");
  });

  it("is the date of an update if the page states no other", () => {
    const later = "<footer>Last updated on 17 May 2019</footer>";
    expect(dateOf(page(PROSE + later))).toBe("2019-05-17");
    expect(dateOf(page(`<p>2 May 2019</p>${PROSE}${later}`))).toBe("2019-05-02");
    expect(dateOf(page(`${PROSE}${later}${later.replace("17", "18")}`))).toBeUndefined();
    expect(dateOf(page(`<meta name=last-modified content=2019-05-17>${PROSE}`))).toBe("2019-05-17");
  });

  it("is the local day that the page shows, if the stated time is in UTC", () => {
    const utc = '<meta property="article:published_time" content="2019-05-17T01:49:09+00:00">';
    expect(dateOf(page(`${utc}<p>16 May 2019</p>${PROSE}`))).toBe("2019-05-16");
    expect(dateOf(page(`${utc}<meta name=sailthru.date content="2019-05-16 20:49:09">${PROSE}`))).toBe(
      "2019-05-16T20:49:09",
    );
    expect(dateOf(page(`${utc}<p>2 May 2019</p>${PROSE}`))).toBe("2019-05-17T01:49:09+00:00");
  });

  it.each([
    ["en", "17 December 2019"],
    ["de", "17. Dezember 2019"],
    ["es", "17 de diciembre de 2019"],
    ["it", "17 dicembre 2019"],
    ["pt", "17 de dezembro de 2019"],
  ])("is read in December, whose name begins like the word for `of`, in %s", (lang, text) => {
    expect(dateOf(page(`<p>${text}</p>`, { lang }))).toBe("2019-12-17");
  });

  it("is not that of another page, in the link to that page", () => {
    const time = '<time datetime="2019-05-17">May 17, 2019</time>';
    const foot = `<h2>Keep reading</h2><a href="/b"><div>A ferry in the morning</div>${time}</a>`;
    expect(dateOf(page("", { foot }))).toBeUndefined();
    expect(dateOf(page(`<a href="/b">By Ada Lund, ${time}</a>`))).toBe("2019-05-17");
    // An anchor that was never closed is no link.
    expect(dateOf(page(`<a name="post1"/><p>By Ada Lund from the south, ${time}</p>`))).toBe("2019-05-17");
  });

  it("is not the day on which a member joined, as a definition below its term says", () => {
    const joined = "<dl><dt>Registriert seit:</dt><dd>17. Mai 2019</dd></dl>";
    expect(dateOf(page(joined, { lang: "de" }))).toBeUndefined();
    expect(dateOf(page(joined.replace("Registriert seit", "Datum"), { lang: "de" }))).toBe("2019-05-17");
  });

  it("is not taken from a list whose entries each have a date", () => {
    const teaser = (day: number): string =>
      `<div class="teaser"><time datetime="2019-05-${String(day)}">x</time><h2>A teaser</h2></div>`;
    expect(dateOf(page(teaser(17)))).toBe("2019-05-17");
    expect(dateOf(page(teaser(17) + teaser(16) + teaser(15)))).toBeUndefined();
    expect(
      dateOf(
        page('<div class="byline"><time datetime="2019-05-14">x</time></div>', {
          foot: teaser(16) + teaser(15),
        }),
      ),
    ).toBe("2019-05-14");
  });

  it("tells day from month if the language does", () => {
    const numbers = page("<p>03/04/2019</p>", { lang: "LANG" });
    expect(dateOf(numbers.replace("LANG", "en-US"))).toBe("2019-03-04");
    expect(dateOf(numbers.replace("LANG", "en-GB"))).toBe("2019-04-03");
    expect(dateOf(numbers.replace("LANG", "fr"))).toBe("2019-04-03");
    expect(dateOf(numbers.replace("LANG", "xx"))).toBeUndefined();
    expect(dateOf(page("<p>17/05/2019</p>"))).toBe("2019-05-17");
  });

  it("is taken from beside the heading that repeats the title, not beside the name of the site", () => {
    const html = `<title>The old bridge opens again | River News</title><meta property="og:site_name" content="River News">
      <h1>River News</h1><p>1 June 2024</p>${PROSE}<h2>The old bridge opens again</h2><p>17 May 2019</p>${PROSE}`;
    expect(dateOf(html)).toBe("2019-05-17");
    expect(dateOf(html.replaceAll("h2>", "b>"))).toBe("2019-05-17");
    expect(dateOf(html.replace("<h2>The old bridge opens again", "<h2>More"))).toBeUndefined();
  });

  it("is overridden by a stated date, unless that is impossible", () => {
    const shown = page('<time datetime="2019-05-17">x</time>');
    const stated = (date: string): string =>
      `<meta property="article:published_time" content="${date}">${shown}`;
    expect(dateOf(stated("2019-05-16"))).toBe("2019-05-16");
    expect(dateOf(stated("1889-03-31"))).toBe("1889-03-31");
    expect(dateOf(stated("1970-01-01T00:00:00Z"))).toBe("2019-05-17");
    expect(dateOf(stated("2999-01-01"))).toBe("2019-05-17");
  });

  it("is the latest date that a front page shows", () => {
    const shown = page("<p>17 May 2019</p><p>2 May 2019</p>");
    expect(dateOf(shown, { url: "https://example.org/" })).toBe("2019-05-17");
    expect(dateOf(`<link rel=canonical href="https://example.org/">${shown}`, { url: "" })).toBe(
      "2019-05-17",
    );
  });

  it("is found quickly on pages full of dates", () => {
    const many = page("<p>17 May 2019</p>".repeat(20_000) + "<span class=date>May 1</span>".repeat(20_000));
    expect(dateOf(many)).toBe("2019-05-17");
    expect(dateOf(page(`<p>${"17 May 20199 ".repeat(50_000)}</p>`))).toBeUndefined();
    const time = `<div><time datetime=2019-05-17 class="${"long ".repeat(5_000)}"></time></div>`;
    expect(dateOf(page(time.repeat(300)))).toBeUndefined();
    expect(
      dateOf(page("<b></b>".repeat(50_000) + "<time datetime=2019>17 May</time>".repeat(300))),
    ).toBeUndefined();
    expect(dateOf(page("<div>".repeat(30_000) + "<i class=date></i>".repeat(300)))).toBeUndefined();
  });
});

describe("dateInPath", () => {
  it.each([
    ["/2019/05/17/old-bridge", "2019-05-17"],
    ["/news/2019-05-17-old-bridge.html", "2019-05-17"],
    ["/blog/2019-05-17/old-bridge/", "2019-05-17"],
    ["/20190517/old-bridge", "2019-05-17"],
    ["/2019/05/17/", undefined],
    ["/2019/02/31/old-bridge", undefined],
    ["/2019/13/01/old-bridge", undefined],
    ["/t/2024-4-4-release/1", undefined],
    ["/product/20190517345/x", undefined],
    ["/a/2019/05/old-bridge", undefined],
  ])("reads %s", (path, date) => {
    expect(dateInPath(path)).toBe(date);
  });

  it("is preferred to the shown date if it is possible", () => {
    const shown = page("<p>16 May 2019</p>");
    expect(dateOf(shown, { url: "https://example.org/2019/05/17/bridge" })).toBe("2019-05-17");
    expect(dateOf(shown, { url: "https://example.org/2031/05/17/bridge" })).toBe("2019-05-16");
    expect(
      dateOf(`<link rel=canonical href="https://example.org/2019/05/17/bridge">${shown}`, { url: "" }),
    ).toBe("2019-05-17");
  });
});

describe("boundDates", () => {
  it("allows dates up to tomorrow", () => {
    const { canBeStated, canBeShown } = boundDates(NOW);
    expect([
      canBeStated("2024-06-02"),
      canBeStated("2024-06-03"),
      canBeStated("2024"),
      canBeStated("2024-07"),
    ]).toEqual([true, false, true, false]);
    expect([canBeShown("1990-01-01"), canBeShown("1989-12-31")]).toEqual([true, false]);
  });
});

describe("findDates", () => {
  it("finds dates with their offsets", () => {
    const text = "From 1.5.2019 to 3 May 2019";
    expect(findDates(text, "en").map(({ date, start, end }) => [date, text.slice(start, end)])).toEqual([
      ["2019-05-01", "1.5.2019"],
      ["2019-05-03", "3 May 2019"],
    ]);
  });

  it.each([
    ["5 III 2021", "pl", "2021-03-05"],
    ["Dnia 5.XII.2021 r.", "pl", "2021-12-05"],
    ["2021. III. 5.", "hu", "2021-03-05"],
    ["2021(e)ko martxoaren 5a", "eu", "2021-03-05"],
    ["2020ko urtarrilaren 13an", "eu", "2020-01-13"],
    ["Publikováno 5. března 2021", "cs", "2021-03-05"],
    ["Dodano 5 marca 2021", "pl", "2021-03-05"],
    ["5 مارس، 2021", "ar", "2021-03-05"],
    ["5 Fév 2021", "fr", "2021-02-05"],
    ["5 Aoû 2021", "fr", "2021-08-05"],
    ["5 фев 2021", "ru", "2021-02-05"],
    ["5 сен 2021", "ru", "2021-09-05"],
    ["5 ноя 2021", "ru", "2021-11-05"],
    ["5 сер 2021", "uk", "2021-08-05"],
    ["5 يناير، 2021 | أخبار", "ar", "2021-01-05"],
    ["5 Tháng Ba, 2021", "vi", "2021-03-05"],
    ["Tháng Ba 5, 2021", "vi", "2021-03-05"],
    ["Thứ Sáu, 31 Tháng Mười Hai, 2021", "vi", "2021-12-31"],
    ["Tháng Mười 12, 2021", "vi", "2021-10-12"],
    ["２０２１／０３／０５", "ja", "2021-03-05"],
    ["5 thg 3, 2021", "vi", "2021-03-05"],
    ["ថ្ងៃទី៥ ខែមីនា ឆ្នាំ២០២១", "km", "2021-03-05"],
    ["៥ មីនា ២០២១", "km", "2021-03-05"],
    ["၂၀၂၁ ခုနှစ်၊ မတ်လ ၅ ရက်", "my", "2021-03-05"],
    ["၂၀၂၁၊ မတ် ၅", "my", "2021-03-05"],
    ["౫ మార్చి ౨౦౨౧", "te", "2021-03-05"],
    ["੫ ਮਾਰਚ ੨੦੨੧", "pa", "2021-03-05"],
    ["૫ માર્ચ, ૨૦૨૧", "gu", "2021-03-05"],
    ["๕ เดือนมีนาคม พ.ศ. ๒๕๖๔", "th", "2021-03-05"],
    ["5 मार्च 2021", undefined, "2021-03-05"],
    ["5 ಮಾರ್ಚ್ 2021", undefined, "2021-03-05"],
    ["5 മാർച്ച് 2021", undefined, "2021-03-05"],
    ["5 ਮਾਰਚ 2021", undefined, "2021-03-05"],
    ["5 फ़र॰ 2021", "hi", "2021-02-05"],
    ["5 בפבר׳ 2021", "he", "2021-02-05"],
    ["2021 ഒക്‌ടോബർ 5", "ml", "2021-10-05"],
    ["5 মে’, 2021", "as", "2021-05-05"],
    ["ግንቦት 9 ቀን 2013 ዓ.ም.", "am", "2021-05-17"],
    ["ግንቦት 9 ቀን 2013 ዓ.ም.", undefined, "2021-05-17"],
    ["17 ሜይ 2021", "am", "2021-05-17"],
    ["2021 оны 3-р сарын 5", "mn", "2021-03-05"],
    ["2021 оны 03 сарын 05-ны өдөр", "mn", "2021-03-05"],
    ["2021 ж. 5 наурыз", "kk", "2021-03-05"],
    ["2021 жылғы 5 наурыз", "kk", "2021-03-05"],
    ["2021-ж., 5-март", "ky", "2021-03-05"],
    ["2021-yil 5-mart", "uz", "2021-03-05"],
    ["2021 წლის 5 მარტი", "ka", "2021-03-05"],
    ["2021 թ. մարտի 5", "hy", "2021-03-05"],
    ["2021 թվականի մարտի 5-ին", "hy", "2021-03-05"],
    ["5 ta’ Marzu 2021", "mt", "2021-03-05"],
    ["5 III 2021", "en", undefined],
    ["31 II 2021", "pl", undefined],
    ["5 XX 2021", "pl", undefined],
  ])("reads %s on a page in %s", (text, lang, date) => {
    expect(findDates(text, lang)[0]?.date).toBe(date);
  });

  it.each([
    "No. 3, May 2019",
    "Issue 12 May 2019",
    "5.2.2019.1",
    "Version 2019.5",
    "in May 2019",
    "12019-05-17",
    "17 bananas 2019",
    "",
  ])("finds no date in %s", (text) => {
    expect(findDates(text, "en")).toEqual([]);
  });
});

describe("firstOfNumbers", () => {
  it("follows language and region, whatever else the tag contains", () => {
    const tags = [
      "de-DE-u-co-phonebk",
      "en-US-u-nu-latn",
      "de-a-foo-a-bar",
      "en-GB-x-own",
      "zh-yue-HK",
      "en-u-nu-latn",
      "fr",
    ];
    expect(tags.map(firstOfNumbers)).toEqual(["day", "month", "day", "day", "day", undefined, "day"]);
    expect(firstOfNumbers("english")).toBeUndefined();
  });
});

describe("monthOf", () => {
  it("prefers the months of the page's language", () => {
    expect([monthOf("listopad", "pl"), monthOf("listopada", "hr"), monthOf("Listopad", "en")]).toEqual([
      11,
      10,
      undefined,
    ]);
    expect([
      monthOf("SEPT.", "en"),
      monthOf("mars", "fr"),
      monthOf("mars", undefined),
      monthOf("mars", "en"),
    ]).toEqual([9, 3, 3, undefined]);
    expect(monthOf("may", "no-such-language-tag")).toBe(5);
  });

  it("reads months in other scripts if the page states another language or none", () => {
    const names = ["أبريل", "травня", "Μαΐου", "במאי", "मई", "พฤษภาคม"];
    expect(names.map((name) => monthOf(name, undefined))).toEqual([4, 5, 5, 5, 5, 5]);
    expect(names.map((name) => monthOf(name, "en"))).toEqual([4, 5, 5, 5, 5, 5]);
    expect(monthOf("слово", undefined)).toBeUndefined();
  });

  it("reads Arabic and Persian months in other spellings", () => {
    const names = ["ابريل", "إبريل", "اغسطس", "اذار", "يوليه"];
    expect(names.map((name) => monthOf(name, "ar"))).toEqual([4, 4, 8, 3, 7]);
    expect(monthOf("تير", "fa", "persian")).toBe(4);
  });

  it("reads unambiguous months of other languages if the page states the wrong one", () => {
    expect(["septembrie", "Oktober", "janvier"].map((name) => monthOf(name, "en"))).toEqual([9, 10, 1]);
    expect(["bananas", "set", "ago", "constructor"].map((name) => monthOf(name, "en"))).toEqual(
      Array(4).fill(undefined),
    );
  });
});
