import { describe, expect, it } from "vitest";
import { linesOf, parse, shownLines } from "./pages.js";
import { walkLines } from "../../src/extract/lines/walk.js";
import { INNER_STEPS, MAX_STEP, OUTER_STEPS } from "../../src/extract/lines/path.js";
import { parseQuickly } from "../../src/parse/quick-tree.js";

/** The rules are numbered as in "What a line is" in fixtures/README.md. */
type Case = readonly [string, string, readonly string[]];

describe("rule 1: blocks, br and hr end a line, inline elements do not", () => {
  it.each<Case>([
    ["inline", "<p>a <b>b</b> <i>c<u>d</u></i>", ["p: a b cd"]],
    ["blocks", "<div>a<p>b</p>c</div>", ["div: a", "p: b", "div: c"]],
    ["br", "<p>a<br>b<br/>c", ["p: a", "p: b", "p: c"]],
    ["hr", "<div>a<hr>b</div>", ["div: a", "div: b"]],
    [
      "an inline element drawn as a block",
      '<p>a<span style="display:block">b</span>c',
      ["p: a", "p: b", "p: c"],
    ],
    ["text outside of everything", "a<p>b</p>c</html>d", ["body: a", "p: b", "body: cd"]],
  ])("%s", (_name, html, lines) => {
    expect(shownLines(html)).toEqual(lines);
  });
});

describe("rule 2: white space and invisible characters", () => {
  it.each<Case>([
    ["runs of white space", "<p> a \n\t b  <b> c </b> d </p>", ["p: a b c d"]],
    ["Unicode spaces", "<p>a&nbsp;b\u2003c\u3000d\u202fe</p>", ["p: a b c d e"]],
    ["soft hyphens and zero width", "<p>fu&shy;gen a\u200bb c\u2060d e\ufefff</p>", ["p: fugen ab cd ef"]],
    [
      "bidirectional controls",
      "<p>\u200eab\u200f \u202bcd\u202c \u2066ef\u2069 \u061cgh</p>",
      ["p: ab cd ef gh"],
    ],
    ["joiners stay", "<p>می\u200cخواهم क्\u200dष 👩\u200d👧</p>", ["p: می\u200cخواهم क्\u200dष 👩\u200d👧"]],
    ["wbr", "<p>Donau<wbr>dampf", ["p: Donaudampf"]],
    [
      "windows-1252 in disguise",
      "<p>it\u0092s \u0093so\u0094 \u0096 \u0080 5&#133;",
      ["p: it’s “so” – € 5…"],
    ],
    ["control characters", "<p>a\u0001b\u001fc\u007f", ["p: ab c"]],
    ["half a surrogate pair", "<p>a\ud800b", ["p: a\ufffdb"]],
    [
      "line breaks between Han and kana",
      "<p>名前はまだ\n  無い。\r\nここで、\nABC\nと",
      ["p: 名前はまだ無い。ここで、 ABC と"],
    ],
    ["line breaks in Korean, spaces in Japanese", "<p>우리\n나라 　私 は", ["p: 우리 나라 私 は"]],
    [
      "line breaks beside an element",
      "<p>生れたか、\n<b>とんと</b>\n見当<b>が\n</b>つかぬ",
      ["p: 生れたか、とんと 見当が つかぬ"],
    ],
    ["line breaks between labels", "<p><a>社会</a>\n<a>国际</a>\n<b>财经</b>", ["p: 社会 国际 财经"]],
    ["lines that contain nothing else", "<p>&nbsp;&zwnj;&#8203;</p><p>a", ["p: a"]],
  ])("%s", (_name, html, lines) => {
    expect(shownLines(html)).toEqual(lines);
  });
});

describe("rule 3: text is joined as in a browser, and kept apart where it is drawn apart", () => {
  it.each<Case>([
    ["inline", "<p><b>T</b>he<span> </span>end", ["p: The end"]],
    ["across comments and hidden elements", "<p>a<!-- x -->b<script>s</script>c", ["p: abc"]],
    ["two links", "<p><a href=1>A</a><a href=2>B</a>", ["p: A B"]],
    ["two links in wrappers", "<p><span><a href=#>A</a></span><span><a href=#>B</a></span>", ["p: A B"]],
    ["a link that is split within a word", "<p><a href=/x>Arte</a><a href=/x>mis</a>", ["p: Artemis"]],
    [
      "links of a sentence without spaces",
      "<p>は<a href=1>山梨県</a><a href=2>市</a>と",
      ["p: は山梨県市と"],
    ],
    ["links of a Thai sentence", "<p><a href=1>เมืองหลวง</a><a href=2>ของ</a> และ", ["p: เมืองหลวงของ และ"]],
    ["links of a Tibetan sentence", "<p><a href=1>ཡིག་</a><a href=2>གི་</a>སྐད་", ["p: ཡིག་གི་སྐད་"]],
    ["links of a Javanese sentence", "<p><a href=1>ꦏꦭꦲꦶ</a><a href=2>ꦏꦤ꧀</a>ꦩꦂ", ["p: ꦏꦭꦲꦶꦏꦤ꧀ꦩꦂ"]],
    [
      "links of a menu without spaces",
      "<p><a href=1>社会</a>|<a href=2>国际</a><a href=3>财经</a>",
      ["p: 社会|国际 财经"],
    ],
    ["links after a label", "<p>标签：<a href=2>国际</a><a href=3>财经</a>", ["p: 标签：国际 财经"]],
    ["an Arabic article that is a separate link", "<p><a href=1>لل</a><a href=2>طالب</a>", ["p: للطالب"]],
    ["two Arabic links", "<p><a href=1>حول</a><a href=2>طالب</a>", ["p: حول طالب"]],
    ["a link beside text", "<p>(<a href=1>A</a>)", ["p: (A)"]],
    ["buttons", "<p>a<button>b</button><button>c</button>d", ["p: a b c d"]],
    ["links that are buttons", "<p><a role=button>a</a><a role=button>b</a>", ["p: a b"]],
    ["an image", "<p>a<img src=x>b<svg><text>no</text></svg>c<input>d<input type=hidden>e", ["p: a b c de"]],
    [
      "a tracking pixel behind a link",
      "<p><a href=x>靴</a><img src=p width=1 height=1>を、<a href=y>boots</a><img src=p width=0 height=1px>, so<img src=p width=1 height=9>on",
      ["p: 靴を、boots, so on"],
    ],
    ["an image of AMP", "<p>a<amp-img src=x></amp-img>b<amp-analytics></amp-analytics>c", ["p: a bc"]],
    ["cells", "<table><tr><td>a</td><td>b</td></tr></table>", ["tr: a\tb"]],
    [
      "texts on both sides of an empty element that is drawn as a space or a mark",
      "<p><span>By</span><span class=a-letter-space></span>Ada Lind<span class=letter-space></span><span>on May 1</span>",
      ["p: By Ada Lind on May 1"],
    ],
    ["a word with an empty anchor in it", "<p><b>in</b><i class=anchor></i><b>side</b>", ["p: inside"]],
    [
      "a word and the capital of its neighbour",
      "<p><b>Our reviews</b><i>View all</i>",
      ["p: Our reviews View all"],
    ],
    ["in wrappers", "<p><i><b>Иван</b></i><a href=1><u>Вчера</u></a>", ["p: Иван Вчера"]],
    ["a word and a figure", "<p><span>silver</span><span>20</span>", ["p: silver 20"]],
    ["a figure and a word", "<p><span>7 May 2024</span><span>Sara</span>", ["p: 7 May 2024 Sara"]],
    [
      "a label and its value",
      "<p><b>Author:</b><i>ann</i> <b>Вес:</b><i>2 kg</i>",
      ["p: Author: ann Вес: 2 kg"],
    ],
    [
      "short words and capitals",
      "<p><b>By</b><i>Ada</i> <b>On</b><i>5 May</i> <b>UCLA</b><i>News</i> <b>100 IU</b><i>Iron</i>",
      ["p: By Ada On5 May UCLA News 100 IU Iron"],
    ],
    [
      "a unit and the next value",
      "<p><i><b>5</b><b>g</b></i><i>Protein: <b>25</b> <b>g</b></i><i>Fat</i> <b>2d</b><i>Rob</i>",
      ["p: 5g Protein: 25 g Fat 2d Rob"],
    ],
    [
      "words on both sides of a tag",
      "<p>« Previous post<a href=1>How to sail</a> <b>Our team</b>Ada and Bob",
      ["p: « Previous post How to sail Our team Ada and Bob"],
    ],
    [
      "a date and a time",
      "<p><b>9 August 2019</b><i>12:52</i> <b>Mar 10, 2026</b><i>5 mins</i> <b>1994</b><i>2h 22m</i>",
      ["p: 9 August 2019 12:52 Mar 10, 2026 5 mins 1994 2h 22m"],
    ],
    [
      "a figure and its percentage",
      "<p><b>$145</b><i>19% off</i> Fat <b>45g</b><i><b>69</b>%</i> <b>1.5 mg</b><i>4%</i>",
      ["p: $145 19% off Fat 45g 69% 1.5 mg 4%"],
    ],
    [
      "words and a following figure in its own tag",
      "<p>Add<b>1½ cups</b> of flour, until<b>21.03.2016</b> <i>All Discussions<b>51,475</b></i>",
      ["p: Add 1½ cups of flour, until 21.03.2016 All Discussions 51,475"],
    ],
    ["a sentence and a name", "<p><i>Which size?</i><!-- --><b>Large</b>", ["p: Which size? Large"]],
    [
      "replaced words",
      "<p>for <del>ten</del><ins>twelve</ins> or <s>no</s><u>one</u>",
      ["p: for ten twelve or no one"],
    ],
    ["a time", "<p><time>2:05</time>and then<time>2:09</time>", ["p: 2:05 and then 2:09"]],
    ["a bullet", "<p><span>•</span>one", ["p: • one"]],
    ["the number of an item", "<p><b>12.</b>one", ["p: 12. one"]],
    [
      "the letter of a paragraph",
      "<p><b>(a)</b><i>the land</i><p><b>1</b><b>(1)</b><i>The owner</i><p><b>(iv)</b><i>any</i>",
      ["p: (a) the land", "p: 1(1) The owner", "p: (iv) any"],
    ],
    [
      "words and a price",
      "<p><b>Regular price</b><i>$49</i> <b>US</b><i>$5</i>",
      ["p: Regular price $49 US$5"],
    ],
    [
      "a time in brackets and a name",
      "<p><b>(03-05-2024, 10:12 AM)</b>ann wrote: <b>(2 hours ago)</b>Bo wrote",
      ["p: (03-05-2024, 10:12 AM) ann wrote: (2 hours ago) Bo wrote"],
    ],
    ["the number of a note", "<p><a href=#r1>1</a>Eight, if one counts", ["p: 1 Eight, if one counts"]],
    ["a note in brackets", "<p><a href=#r1>[1]</a>eight", ["p: [1] eight"]],
    [
      "a label and its value, one of them without a tag",
      "<p>Maker:<a href=1>Pika Ltd</a> <b>Score:</b>2 <b>What to read:</b>Новости",
      ["p: Maker: Pika Ltd Score: 2 What to read: Новости"],
    ],
    [
      "a sentence and words on both sides of a tag",
      "<p>Find out where they stand.<a href=1>Read more</a> <b>What if it rains?</b>We stay in",
      ["p: Find out where they stand. Read more What if it rains? We stay in"],
    ],
    [
      "addresses",
      "<p>Write to us by emailing<a href=1>ada.l@example.org</a> E:<a href=2>bo@example.org</a> see<i>https://example.org</i>",
      ["p: Write to us by emailing ada.l@example.org E: bo@example.org see https://example.org"],
    ],
    [
      "a figure and a word of its own",
      "<p><em>28</em><em>may</em> <b>12</b><i>shares</i> <b>31%</b><i>off</i>",
      ["p: 28 may 12 shares 31% off"],
    ],
    [
      "a label with a name and a link",
      '<p><i class="meta_text">بواسطة</i><a href=1>ليلى حداد</a> <a href=2>ada</a><i class="post-date">today</i> <i class="meta_text">Ex</i>tra <i>over</i><a href=3>joyed</a>',
      ["p: بواسطة ليلى حداد ada today Extra overjoyed"],
    ],
    [
      "children of a flexible box",
      '<p class="flex gap-2"><b>cars</b><b>maps</b> <a class="d-flex" href=1>All sizes<i>(40)</i></a> <i style="display:flex"><b>cars</b><b>maps</b></i>',
      ["p: cars maps All sizes (40)", "p: cars maps"],
    ],
    [
      "elements that a class draws apart",
      '<p><b class="block red">Within 24h</b>two tyres <i class="label">Region</i>antwerp <b>Reviews</b><i class="ml-2">(3)</i> done.<a class="btn" href=1>ok</a> <i>Boat<b class="mlabel">abstract</b></i> <code class="tsd-tag">static</code>row <a href=2>a(b)</a><i class="Documentation-deprecatedTag">old</i> <b>Boat</b><small class="app-vsn">(v1)</small>',
      [
        "p: Within 24h two tyres Region antwerp Reviews (3) done. ok Boat abstract static row a(b) old Boat (v1)",
      ],
    ],
    [
      "words for screen readers",
      '<p>Source<span class="sr-only">(new window)</span> HP<span class="screen-reader-text">High Protein</span> <a><span class="sr-only">Post</span></a><span>by</span> Ann',
      ["p: Source (new window) HP High Protein Post by Ann"],
    ],
    ["keys side by side", "<p>Press <kbd>Ctrl</kbd><kbd>K</kbd>", ["p: Press Ctrl K"]],
    [
      "points between the parts of a line",
      "<p><span>7</span><span>·</span><span>9 days ago</span> <i>•</i><a><time>2mo ago</time></a>",
      ["p: 7 · 9 days ago • 2mo ago"],
    ],
    [
      "siblings with names of their own, but not those of an editor",
      '<p><b class="list__amount">5 dl</b><b class="list__name">vatten</b>, <i class="c1 c3">be</i><i class="c1">fore</i>, <i class="NormalTextRun BCX0">af</i><i class="NormalTextRun Error BCX0">ter</i>, <i class="no-link">noon</i>tide',
      ["p: 5 dl vatten, before, after, noontide"],
    ],
    ["floating text", '<p>the end of it.<span style="float:right">8</span>', ["p: the end of it. 8"]],
    ["positioned text", '<p><b style="position: absolute">14</b>the line', ["p: 14 the line"]],
  ])("%s", (_name, html, lines) => {
    expect(shownLines(html)).toEqual(lines);
  });

  it.each<Case>([
    [
      "a word split into two elements",
      "<p><b>The Co</b><b>rnell</b> <i>T</i><i>here</i>",
      ["p: The Cornell There"],
    ],
    [
      "one small letter",
      "<p><i>i</i><b>Phone</b> <i>e</i><i>Bay</i> 5<i>i</i><b>OS</b>",
      ["p: iPhone eBay 5iOS"],
    ],
    [
      "a name and its prefix",
      "<p><b>Mc</b><i>Adam</i> <b>C</b><i>OLD</i> <b>IB</b><i>M</i>",
      ["p: McAdam COLD IBM"],
    ],
    ["a tag inside a word", "<p>Java<b>Script</b> <b>You</b>Tube", ["p: JavaScript YouTube"]],
    ["figures", "<p><b>$19</b><b>99</b> <b>3</b><b>D</b> <b>21</b><b>ST</b>", ["p: $1999 3D 21ST"]],
    [
      "figures that are not dates",
      "<p><b>$1999</b><i>00</i> <b>2016</b><i>17</i> <b>v2019</b><i>12:52</i> <b>1</b><i>5%</i>",
      ["p: $199900 201617 v201912:52 15%"],
    ],
    [
      "a name and the figure in it",
      "<p>mp<b>3</b> SHA<b>256</b> www.news<b>24</b>.com pp2<b>3</b> <b>Covid</b>19 note<a href=#n>1</a>",
      ["p: mp3 SHA256 www.news24.com pp23 Covid19 note1"],
    ],
    ["times and addresses", "<p><b>12:</b><i>30</i> <b>http:</b><i>//a.b</i>", ["p: 12:30 http://a.b"]],
    ["an index", "<p><i>max</i><sub>1</sub> <em>said</em><sup><a href=#n>3</a></sup>", ["p: max1 said3"]],
    [
      "code and variables with words",
      "<p><code>new java<b>Util of</b></code> <var>my var</var>Is so",
      ["p: new javaUtil of my varIs so"],
    ],
    [
      "parts of a signature in Sphinx",
      '<dl><dt><span class="descclassname"><span class="pre">heron.</span></span><span class="descname"><span class="pre">Token</span></span>',
      ["dt: heron.Token"],
    ],
    ["code", "<p><code><b>new</b><i>List</i><b>int</b><i>32</i></code>", ["p: newListint32"]],
    ["ruby", "<p><ruby><rb>ab</rb><rt>Cd</rt></ruby>", ["p: ab(Cd)"]],
    ["a replaced part of a word", "<p>resign<del>ed</del><ins>ing</ins>", ["p: resigneding"]],
    ["the ordinal of a time", "<p>the <time>3</time><sup>rd</sup>", ["p: the 3rd"]],
    ["a floating initial", '<p><span style="float:left">“O</span>nce upon', ["p: “Once upon"]],
    [
      "names with a colon or a point",
      "<p>xs:<b>string</b> see doi:<a href=1>10.1/2</a> in java.util.<a href=2>List of it</a> 4:<b>30</b>",
      ["p: xs:string see doi:10.1/2 in java.util.List of it 4:30"],
    ],
    ["ordinals", "<p><b>1</b><i>ère</i> <b>2</b><i>ième</i> <b>20</b><i>ste</i>", ["p: 1ère 2ième 20ste"]],
    [
      "letters that a class draws one by one",
      '<p class="flex"><b>4</b><b>7</b><b>a</b> <b class="block">N</b>ever<p>Co<b class="inline-block">py</b>',
      ["p: 47a Never", "p: Copy"],
    ],
    ["the rest of a word for screen readers", '<p>Prev<span class="sr-only">ious</span>', ["p: Previous"]],
    ["a bullet of a script without spaces", "<p><b>·</b>留言", ["p: ·留言"]],
    ["a dash", "<p>—<i>Ada Lund</i>", ["p: —Ada Lund"]],
    ["a figure inside of a line", "<p>a <b>12.</b>one", ["p: a 12.one"]],
    ["a letter in brackets", "<p><b>(s)</b>he <p>see <b>(a)</b><b>b</b>", ["p: (s)he", "p: see (a)b"]],
    ["characters without case", "<p><b>评论</b><i>139</i><b>条</b>", ["p: 评论139条"]],
  ])("joins %s", (_name, html, lines) => {
    expect(shownLines(html)).toEqual(lines);
  });
});

describe("rule 4: invisible elements are not lines", () => {
  const hidden =
    "script style template noscript svg iframe object video audio canvas select datalist textarea noembed noframes title";
  it.each(["open", "CLOSED"])("shows a template that is a shadow root (%s)", (mode) => {
    const root = `<template shadowrootmode=${mode}><style>p{}</style><p>shadow</p><slot></slot></template>`;
    expect(shownLines(`<p>a</p><my-card>${root}<p>light</p></my-card>`)).toEqual([
      "p: a",
      "p: shadow",
      "p: light",
    ]);
    expect(shownLines(`<p>a</p><my-card>${root.replace(mode, "none")}<p>light</p></my-card>`)).toEqual([
      "p: a",
      "p: light",
    ]);
    expect(shownLines(`<p>a</p><template>${root}</template>`)).toEqual(["p: a"]);
  });

  it("shows the content of a slot only where nothing of the element around it takes its place", () => {
    const card = (light: string): string =>
      `<my-card><template shadowrootmode=open><slot name=a><p>no a</p></slot><slot><p>no text</p></slot></template>\n${light}</my-card>`;
    expect(shownLines(card(""))).toEqual(["p: no a", "p: no text"]);
    expect(shownLines(card("<p>text</p>"))).toEqual(["p: no a", "p: text"]);
    expect(shownLines(card("<p slot=a>A</p>text"))).toEqual(["p: A", "body: text"]);
    expect(shownLines(`${card("<p>text</p>")}<slot><p>bare</p></slot>`)).toContain("p: bare");
  });

  it.each([
    ["beside a heading", '<div class="mw-heading"><h2>Past</h2>EDIT</div>'],
    ["in a heading", "<h2>Past EDIT</h2>"],
  ])("hides the edit links of a wiki section, %s", (_name, html) => {
    const edit = '<span class="mw-editsection"><span>[</span><a href="/e"><span>edit</span></a>]</span>';
    expect(shownLines(html.replace("EDIT", edit))).toEqual(["h2: Past"]);
  });

  it("hides the mark of an editor's comment in Word", () => {
    const mark = '<span class=MsoCommentReference><a class=msocomanchor href="#_msocom_1">[HW1]</a></span>';
    expect(shownLines(`<p>by Mr. Pell${mark}.`)).toEqual(["p: by Mr. Pell."]);
  });

  it.each([
    ["of a page", '<span class="pagenum"><a name="Page_2">[Pg 2]</a></span>'],
    ["of a page in Roman figures", "<span class=pageno>{xiv}</span>"],
    ["of a page of a court", '<span class="star-pagination">*79</span>'],
    ["of a page of an EPUB", '<span epub:type="pagebreak" title="42">42</span>'],
    ["of a page of an EPUB, by its role", '<span id="p42" role="doc-pagebreak">p. 42</span>'],
    ["of a line of verse", '<span class="linenum">10</span>'],
  ])("hides the number %s", (_name, mark) => {
    expect(shownLines(`<p>He would not hear of sel${mark}ling her.`)).toEqual([
      "p: He would not hear of selling her.",
    ]);
  });

  it.each([
    ["a text with the same class", '<p>a <span class="pagenum">page of pages</span>', "p: a page of pages"],
    ["the number of a pager", '<p>Page <span class="page-number">1</span> of 3', "p: Page 1 of 3"],
    ["a number in a row", '<table><tr><td><span class="lineno">1</span><td>a</table>', "tr: 1\ta"],
  ])("shows %s", (_name, html, line) => {
    expect(shownLines(html)).toEqual([line]);
  });

  it.each([
    ["of Modern Footnotes", '<span role="tooltip" class="modern-footnotes-footnote__note">The note.</span>'],
    ["of Footnotes", '<span id="t1" class="footnote_tooltip">The note.</span>'],
  ])("hides a note beside its number if the note is repeated below the text, %s", (_name, note) => {
    expect(shownLines(`<p>So<sup><a>1</a></sup>${note} it is.<ol><li>The note.</ol>`)).toEqual([
      "p: So1 it is.",
      "li: The note.",
    ]);
  });

  it.each([
    ["between words", '<p>a <img class=emoji alt="😀"> b<img alt="👍🏽">.', "p: a 😀 b👍🏽."],
    ["alone", '<p><img alt="🇫🇮"></p><p><img alt="❤️"><img alt="👩‍👧">', "p: 🇫🇮|p: ❤️👩‍👧"],
    ["in code", '<pre>a\n<img alt="😀"></pre>', "pre: a\n😀"],
    [
      "but not with words, if hidden, or for other signs",
      '<p>a<img alt="😀 Smile"><img hidden alt="😀"><img alt="©">',
      "p: a",
    ],
  ])("shows a picture of an emoji as the emoji, %s", (_name, html, lines) => {
    expect(shownLines(html)).toEqual(lines.split("|"));
  });

  it.each([
    ["Bootstrap 3", "hidden-xs", "visible-xs-block"],
    ["Bootstrap 3, by the hidden sizes", "hidden-xs hidden-sm", "hidden-md hidden-lg"],
    ["Bootstrap 5", "d-none d-md-block", "row d-block d-md-none"],
    ["Tailwind", "hidden md:block", "md:hidden"],
    ["Foundation", "hide-for-small-only", "show-for-small-only"],
    ["Bulma", "is-hidden-mobile", "is-hidden-tablet"],
    ["UIkit", "uk-visible@m", "uk-hidden@m"],
    ["Elementor", "elementor-hidden-mobile", "elementor-hidden-desktop elementor-hidden-tablet"],
    ["WPBakery", "vc_hidden-xs", "vc_hidden-lg vc_hidden-md vc_hidden-sm"],
    ["Beaver Builder", "fl-visible-desktop-medium", "fl-visible-mobile"],
    ["Avada", "fusion-no-small-visibility", "fusion-no-medium-visibility fusion-no-large-visibility"],
    ["Kadence", "kvs-sm-false", "kvs-lg-false"],
    ["Shopify", "small--hide", "medium-up--hide"],
    ["Shopify, Dawn", "small-hide", "medium-hide large-up-hide"],
  ])("hides the copy of a text for phones (%s)", (_name, large, phones) => {
    const forLarge = `<div class="${large}"><p>Open <b>9–5</b>.</p></div>`;
    const forPhones = `<div class="${phones}">Open 9–5 .</div>`;
    expect(shownLines(`<p>a${forLarge}\n${forPhones}<p>b`)).toEqual(["p: a", "p: Open 9–5.", "p: b"]);
    expect(shownLines(`<p>a${forPhones}\n${forLarge}<p>b`)).toEqual(["p: a", "p: Open 9–5.", "p: b"]);
    expect(shownLines(`<p>See <b class="${large}">all</b> <b class="${phones}">all</b> news`)).toEqual([
      "p: See all news",
    ]);
    const inOrder = `<div class="${large}"><i>42</i><h1>Which?</h1><p>by <b>kai</b></div>`;
    const reordered = `<div class="${phones}"><p>by <b>kai</b> · </p><h1>Which?</h1></div>`;
    expect(shownLines(`${reordered}${inOrder}`)).toEqual(["div: 42", "h1: Which?", "p: by kai"]);
    expect(shownLines(`<p><b class="${large}">September</b> <b class="${phones}">Sep.</b> 12`)).toEqual([
      "p: September 12",
    ]);
  });

  it.each([
    ["with other words", "<p class=hidden-xs>a<p class=visible-xs>b", ["p: a", "p: b"]],
    ["with another number", "<p class=hidden-xs>12<p class=visible-xs>1", ["p: 12", "p: 1"]],
    ["without a copy", "<p class=visible-xs>a<p>a", ["p: a", "p: a"]],
    ["beside another for phones", "<p class=visible-xs>a<p class=visible-xs>a", ["p: a", "p: a"]],
    ["in a cell", "<table><tr><td class=visible-xs>1<td class=hidden-xs>1<td>2</table>", ["tr: 1\t1\t2"]],
    ["beside a hidden copy", "<p class=visible-xs>a<p class=hidden-xs hidden>a", ["p: a"]],
  ])("shows a text for phones %s", (_name, html, lines) => {
    expect(shownLines(html)).toEqual(lines);
  });

  it.each([
    [
      "a slide of Slick",
      "<div class='slick-slide slick-cloned'>b</div><div class=slick-slide>b</div>",
      "div: b",
    ],
    ["a slide of Swiper", "<div>b</div><div class='swiper-slide swiper-slide-duplicate'>b</div>", "div: b"],
    [
      "a box of Framer",
      "<div class='ssr-variant hidden-a'><p>b</div><div class='ssr-variant hidden-c'><div><p>b</div></div>",
      "p: b",
    ],
    [
      "a text that moves past",
      "<ul><li>b<li>c<li aria-hidden=true>b<li aria-hidden=true>c</ul>",
      "li: b|li: c",
    ],
    ["a sign on a button", "<h3><button>b<span aria-hidden=true>+</span></button></h3>", "h3: b"],
    [
      "a sign on a summary",
      "<details><summary><span aria-hidden=true>×</span>b</summary></details>",
      "summary: b",
    ],
    [
      "a letter that Divi draws as an icon",
      "<div><span class='et-waypoint et-pb-icon'>R</span></div><p>b",
      "p: b",
    ],
  ])("leaves out %s", (_name, html, lines) => {
    expect(shownLines(html)).toEqual(lines.split("|"));
  });

  it.each([
    ["boxes of Framer with other texts", "<p class=ssr-variant>b<p class=ssr-variant>c", "p: b|p: c"],
    [
      "texts that are not read out",
      "<p>b<p aria-hidden=true>c<p class=d aria-hidden=true>b",
      "p: b|p: c|p: b",
    ],
    ["a sign in a text", "<p>3 <span aria-hidden=true>×</span> 4", "p: 3 × 4"],
  ])("keeps %s", (_name, html, lines) => {
    expect(shownLines(html)).toEqual(lines.split("|"));
  });

  it("reads code with breaks as a block, with its indentation", () => {
    expect(
      shownLines(
        "<div>Code:<br><code>for i:<br>\n&nbsp;&nbsp;say(i)<br> <i></i>&nbsp; <b>end</b><br />\n<br />\nok</code>so<p>Set <code>a<br>b</code></div>",
      ),
    ).toEqual(["div: Code:", "pre: for i:\n  say(i)\n  end\n\n", "pre: ok", "div: so", "p: Set a", "p: b"]);
    expect(shownLines("<table><tr><td>a<td><code>b<br>c</code></table><h2><code>d<br>e</code></h2>")).toEqual(
      ["td: a", "td: b", "td: c", "h2: d", "h2: e"],
    );
  });

  it("shows the rest of a text behind its button, and hides the headings of AO3 for screen readers", () => {
    const rest = (href: string): string =>
      `<div>Ann<br><a${href}>Показать полностью…</a><span style="display:none">Она пришла домой.</span></div>`;
    expect(shownLines(rest(" class=more"))).toEqual(["div: Ann", "div: Она пришла домой."]);
    expect(
      shownLines("<p>Ann <span style=display:none>came home late.</span><button>Show more</button>"),
    ).toEqual(["p: Ann came home late."]);
    expect(shownLines(rest(" href=/more")).at(-1)).not.toContain("Она пришла домой.");
    expect(
      shownLines('<h3 class="landmark heading">Chapter Text</h3><h3 class="heading">Notes</h3>'),
    ).toEqual(["h3: Notes"]);
  });

  it("leaves out the word before a title of arXiv", () => {
    const abstract = "<blockquote><span class=descriptor>Abstract:</span> We</blockquote>";
    expect(shownLines(`<h1><span class=descriptor>Title:</span>Otters</h1>${abstract}`)).toEqual([
      "h1: Otters",
      "blockquote: Abstract: We",
    ]);
  });

  it("drops joiners that have no letter to join", () => {
    const joiner = "\u200d";
    expect(
      shownLines(
        `<p>${joiner}<b>See</b> the ford.${joiner}<p>${joiner}<p>${joiner}So <a>it${joiner}</a>${joiner} is<br>${joiner}`,
      ),
    ).toEqual(["p: See the ford.", "p: So it is"]);
    const persian = `<p>می<b>\u200c</b>خواهم ه${joiner}<p>👩<i>${joiner}</i>💻`;
    expect(shownLines(persian)).toEqual([`p: می\u200cخواهم ه${joiner}`, `p: 👩${joiner}💻`]);
  });

  it.each(hidden.split(" "))("hides the content of <%s>", (tag) => {
    expect(shownLines(`<p>a</p><${tag}>secret</${tag}><p>b</p>`)).toEqual(["p: a", "p: b"]);
  });

  it.each([
    "<!-- secret -->",
    "<!-- secret --!>",
    "<p hidden>secret",
    "<span id=cloak9a2>secret</span>",
    '<joomla-hidden-mail is-email="1">secret</joomla-hidden-mail>',
    '<p style="color:red; DISPLAY : none !important">secret',
    '<p style="visibility:hidden">secret',
    "<dialog>secret</dialog>",
    "<dialog role=tabpanel>secret</dialog>",
    "<div hidden role=dialog aria-labelledby=a>secret</div>",
    "<div hidden role=region aria-label=Cookies>secret</div>",
    "<nav hidden aria-labelledby=a>secret</nav>",
    "<nav hidden class=tab-content>secret</nav>",
    "<div hidden role=dialog class=tab-content>secret</div>",
    '<div hidden class="collapsed-body tab content">secret</div>',
    "<div hidden>secret<b>secret</b><div role=region aria-labelledby=a>secret</div></div>",
    "<nav hidden class=tab-content>secret</nav>",
    "<div hidden role=dialog class=tab-content>secret</div>",
    "<div hidden class='collapsed-body tab content'>secret</div>",
    "<div hidden>secret<b>secret</b><div role=region aria-labelledby=a>secret</div></div>",
    "<div hidden role=menu aria-labelledby=a>secret</div>",
    "<img alt=secret title=secret>",
    "<input value=secret placeholder=secret>",
    "<math><annotation>secret</annotation></math>",
    "<div hidden><div><p>secret</p></div></div>",
    "<amp-sidebar layout=nodisplay><p>secret</p></amp-sidebar>",
    "<amp-img src=x><div placeholder>secret</div></amp-img>",
  ])("hides %s", (html) => {
    expect(shownLines(`<p>a</p>${html}</p><p>b</p>`)).toEqual(["p: a", "p: b"]);
  });

  it.each<readonly [string, readonly string[]]>([
    [
      "<p><span>Prep</span> <span>8<span class='sr-only x'> minutes</span></span> <span aria-hidden=true>min</span>",
      ["p: Prep 8 min"],
    ],
    ["<p>$9 <span class=wt-screen-reader-text>nine</span><b aria-hidden=true>each</b>", ["p: $9 each"]],
    // The button that opens a long quote of XenForo.
    [
      "<p>a<div class=quoteExpand>Click to expand...</div>b<div class=quotes>c</div>",
      ["p: a", "body: b", "div: c"],
    ],
    ["<p>a<div class='bbCodeBlock-expandLink js-expandLink'><a>Click to expand...</a></div>", ["p: a"]],
    ["<p>a<div class=bbCodeBlock-shrinkLink><a>Click to shrink...</a></div>", ["p: a"]],
    [
      "<h2>a</h2><a class=sl-anchor-link href=#a><span class=sr-only>Section titled “a”</span></a>",
      ["h2: a"],
    ],
    [
      "<p>a<div role=button><span class='gb gc speechify-ignore'>Press enter or click to view image in full size</span></div>",
      ["p: a"],
    ],
    ["<p>a<div><span class='gb gc speechify-ignore'>Ann Lee</span></div>", ["p: a", "div: Ann Lee"]],
    [
      "<p><a href=https://orcid.org/0000-0001-2345><i></i><span class=element-invisible>View ORCID Profile</span></a>Ann Lee",
      ["p: Ann Lee"],
    ],
    // Text that is said twice.
    ["<p><b aria-hidden=true><i></i><i>24</i></b><span class=v-visible-sr>24 gold badges</span>", ["p: 24"]],
    ["<p>4.9 out of 5 stars<span class=visually-hidden> out of 5 stars</span>", ["p: 4.9 out of 5 stars"]],
    ["<a><span class=element-invisible>Print</span>Print it</a>", ["body: Print it"]],
    ["<p><span class=a-offscreen>$17.20</span><span aria-hidden=true>$17.20</span>", ["p: $17.20"]],
    ["<p><span class=a-offscreen>$17.20</span> <b aria-hidden=true>17<i>20</i></b>", ["p: $17.20 1720"]],
    ["<p><span class=a-offscreen>USD 10.00</span><b aria-hidden=true>USD<i>10</i>.00</b>", ["p: USD10.00"]],
    ["<p><b aria-hidden=true>10<i>.00</i>€</b><span class=sr-only>10.00 €</span>", ["p: 10.00€"]],
    [
      "<p><span class=sr-only>$12.99</span><b aria-hidden=true>$</b> <b aria-hidden=true>12</b><b aria-hidden=true>.99</b> now",
      ["p: $ 12.99 now"],
    ],
    [
      "<p><del aria-hidden=true>$<b>49.00</b></del> <span class=screen-reader-text>Price was: $49.00.</span><ins aria-hidden=true>$39.00</ins><span class=screen-reader-text>Price is: $39.00.</span>",
      ["p: $49.00 $39.00"],
    ],
    [
      "<p><b aria-hidden=true>$20.00</b> <i aria-hidden=true>–</i> <b aria-hidden=true>$30.00</b><span class=screen-reader-text>Price range: $20.00 through $30.00</span>",
      ["p: $20.00 – $30.00"],
    ],
    [
      "<figure><figcaption><span></span><span class=sr-only>Terminal window</span></figcaption>a",
      ["figure: a"],
    ],
    ["<p><b>24</b> <span class=sr-only>24 badges</span>", ["p: 24 24 badges"]],
    ["<p>Banana<span class=sr-only>a</span>", ["p: Bananaa"]],
    ["<p><b>Like</b> <span class=sr-only>Liked</span>", ["p: Like Liked"]],
    // How a link opens, in other languages.
    ["<p>Le <a>lac<span class=sr-only> (nouvelle fenêtre)</span></a> gèle.", ["p: Le lac gèle."]],
    ["<p>Der <a>See<span class=sr-only> (öffnet in neuem Tab)</span></a> friert.", ["p: Der See friert."]],
    [
      '<p>The <a>lake<span style="border:0;clip:rect(0, 0, 0, 0);clip-path:inset(50%);position:absolute">, opens new tab</span></a>, frozen.',
      ["p: The lake, frozen."],
    ],
    [
      '<p>Bake 8<span style="position:absolute;width:1px;clip:rect(0 0 0 0)"> minutes</span> <b aria-hidden=true>min</b>',
      ["p: Bake 8 min"],
    ],
    [
      '<p>A <span style="clip:rect(0, 60px, 200px, 0);position:absolute">, opens new tab</span>',
      ["p: A , opens new tab"],
    ],
    ["<p><a>湖<span class=visually-hidden>（新しいウィンドウで開く）</span></a>が凍る。", ["p: 湖が凍る。"]],
    ["<p>Eine <span class=sr-only>neue Fensterbank</span>", ["p: Eine neue Fensterbank"]],
    // Screen-reader text is shown like other text if its twin is missing or empty, or if it is not a span.
    ["<p>New <span class=sr-only>(opens in a tab)</span>", ["p: New (opens in a tab)"]],
    ["<p>8<span class=sr-only> minutes</span><i aria-hidden=true><svg></svg></i>", ["p: 8 minutes"]],
    [
      "<p><span class=visually-hidden>Price</span> <span aria-hidden=true>$9</span><p class=sr-only>Menu",
      ["p: Price $9", "p: Menu"],
    ],
    ["<p>8<span class=insr-only> minutes</span><i aria-hidden=true>min</i>", ["p: 8 minutesmin"]],
    [
      "<p>More<i class=material-icons>chevron_right</i>news<b class='x material-symbols-outlined'>\n add </b>",
      ["p: More news"],
    ],
    [
      "<h2>Fares<a href=#f>\uf0c1</a></h2><i>&#xF067;&#xF0001;</i><p>Apple \uf8ff, \ue5e5\ue5e5\ue5e5",
      ["h2: Fares", "p: Apple \uf8ff, \ue5e5\ue5e5\ue5e5"],
    ],
    ["<button><mat-icon class='mat-icon notranslate'>home</mat-icon></button><p>a", ["p: a"]],
    ["<table><tr><td class=material-icons>check<td><i class=material-icons>close</i>", ["tr: check\tclose"]],
    [
      "<p><i class=material-icons>Read on</i> <i class=material-iconspot>b</i> <i class=icon>c</i>",
      ["p: Read on b c"],
    ],
  ])("hides icon names and repeated screen-reader text: %s", (html, lines) => {
    expect(shownLines(html)).toEqual(lines);
  });

  it.each([
    ["NodeBB", '<a href=/u><span alt=ann class="avatar  avatar-rounded">A</span></a>'],
    ["Flarum", "<span class='Avatar PostUser-avatar'>Ö</span>"],
    ["GitLab", "<div class='gl-avatar gl-avatar-identicon'>AM\n</div>"],
    ["XenForo", '<a class="avatar avatar--m"><span class="avatar-u1-m" role=img>?</span></a>'],
    ["Moodle", '<span class="userinitials size-45" aria-hidden=true>AM</span>'],
    ["a name of two characters", "<span class=avatar-name>李明</span>", "李明"],
    ["a short name", "<span class=avatar-name>Jo</span>", "Jo"],
  ])("hides the initials in place of a picture (%s)", (_name, avatar, shown = "") => {
    expect(shownLines(`<h4>${avatar} Ann</h4>`)).toEqual([`h4: ${shown} Ann`.replace(":  ", ": ")]);
  });

  it.each([
    [
      "the title of Shopify again",
      "<div class=product__title><h1>Apron</h1><a class=product__title href=/a><h2 class=h1>Apron</h2></a></div>",
      "h1: Apron",
    ],
    [
      "the name of a picture in Discourse",
      "<a class=lightbox href=a.jpg><img src=a.jpg><div class=meta><span class=filename>IMG_2</span><span class=informations>19×10 9 KB</span></div></a><div class=meta>a</div>",
      "div: a",
    ],
    ["noise of Discuz", "<p>The boat<font class=jammer>d8s7 f2</font> leaks", "p: The boat leaks"],
    [
      "boxes of Webflow whose condition is not met",
      '<p>a</p><div class="card w-condition-invisible">b</div>',
      "p: a",
    ],
    [
      "scores after a vote on Reddit",
      '<p><span class="score dislikes">3 points</span><span class="score unvoted">4 points</span><span class="score likes">5 points</span></p>',
      "p: 4 points",
    ],
    [
      "values of Stack Exchange",
      "<div><a>mira</a><span class=d-none itemprop=name>mira</span></div>",
      "div: mira",
    ],
    ["words that a script shows", "<p>a <span class=hidden>Loading</span> b", "p: a b"],
    [
      "counts of comments of Wattpad",
      '<p>It is gone.<span class="comment-marker on-inline"><span class=num-comment>12</span></span>',
      "p: It is gone.",
    ],
    [
      "the folded source code and its button in pdoc",
      '<section><input class=view-source-toggle-state type=checkbox><div>a<label class=view-source-button><span>View Source</span></label></div><div class="pdoc-code codehilite"><pre>b</pre></div></section>',
      "div: a",
    ],
    [
      "links to the source code and buttons below examples on pkg.go.dev, and in ExDoc",
      "<a class=icon-action href=/s rel=help title='View Source'><i></i><span class=sr-only>View Source</span></a><div><span class=Documentation-declarationLink><a class=Documentation-source href=/s>View Source</a></span></div><div>a() <a class=Documentation-source href=/s>Row</a></div><div class=Documentation-exampleButtonsContainer><button>Run</button></div>",
      "div: a() Row",
    ],
    [
      "links to the source code in signatures of Sphinx",
      '<dl><dt>row(<em>n</em>)<a class="reference internal" href="b.html#row"><span class="viewcode-link"><span class="pre">[source]</span></span></a><a class="headerlink" href="#row">¶</a></dl>',
      "dt: row(n)",
    ],
    [
      "tabs of Javadoc, which only filter a table, and the short copy of a text in Scaladoc",
      "<div class=table-tabs role=tablist><button role=tab>All Methods</button></div><table><caption><span class=activeTableTab><span>All Methods</span></span><span class=tableTab><a>Other</a></span></caption></table><div class=documentableBrief>Rows it.</div><div class=cover>Rows it.</div>",
      "div: Rows it.",
    ],
    [
      "anchors of Doxygen",
      "<h2 class=memtitle><span class=permalink><a href=#row>&#9670;&#160;</a></span>row()</h2>",
      "h2: row()",
    ],
    [
      "tips in code of Doxygen",
      "<div class=line>a</div><div class=ttc id=b><div class=ttname>b</div></div>",
      "div: a",
    ],
    [
      "hints of RDoc, and links of YARD and rustdoc",
      '<div>a() <span class=method-click-advice>click to toggle source</span> <a href=# class=summary_toggle>collapse</a> <a class="src rightside" href="../src/a/lib.rs.html#1-2">Source</a> <span class=rightside><span class=since>1.0.0</span> · <a class=src href=lib.rs.html#3>Source</a></span> <a class=src href=/s>Source</a>',
      "div: a() Source",
    ],
    [
      "what SciELO shows beside a reference, countries on legislation.gov.uk, and margins of OpenEdition",
      '<ul class="sidenotes"><li><span class="num">1</span> See the (...)</li></ul><p><span class="paragraphNumber">12</span>Mills<span class="ref footnote"><sup class="xref big">1</sup><span class="refCtt closed">See the files.</span></span> stood<span class="LegExtentRestriction" title="Applies to United Kingdom"><span class="btr"></span>U.K.</span> here',
      "p: Mills1 stood here",
    ],
    [
      "the title before headings of Baidu Baike",
      "<h2><span class=title-prefix>磨坊</span>历史</h2>",
      "h2: 历史",
    ],
  ])("hides %s", (_name, html, line) => {
    expect(shownLines(html)).toEqual([line]);
  });

  it("reads TEI that CETEIcean shows as elements of its own, without its header", () => {
    const html =
      "<tei-TEI><tei-teiHeader><tei-title>Mill</tei-title></tei-teiHeader><tei-text><tei-head>One</tei-head><tei-p>It <tei-hi>rose</tei-hi>,<tei-lb></tei-lb> we fell.</tei-p><tei-lg><tei-l>The mill,</tei-l><tei-l>the weir.</tei-l></tei-lg><tei-list><tei-item>Rye</tei-item></tei-list></tei-text></tei-TEI>";
    expect(shownLines(html)).toEqual([
      "h3: One",
      "p: It rose, we fell.",
      "div: The mill,",
      "div: the weir.",
      "li: Rye",
    ]);
  });

  it("shows a span that a button opens", () => {
    expect(shownLines("<p>Short <span class=d-none>and the rest of it.</span><a>Read more</a>")).toEqual([
      "p: Short and the rest of it. Read more",
    ]);
  });

  it("hides the prices of Shopify that its style sheet does not show", () => {
    const price = (names: string): string =>
      `<div class="price ${names}"><div class=price__container><div class=price__regular>$9</div><div class=price__sale><s>$9</s> $7</div><small class="unit-price caption hidden">per</small></div></div>`;
    expect(shownLines(price("price--large"))).toEqual(["div: $9"]);
    expect(shownLines(price("price--on-sale"))).toEqual(["div: $9 $7"]);
    expect(shownLines("<div class=price__sale>$7</div>")).toEqual(["div: $7"]);
  });

  it("hides the signs of links from a heading or a definition to itself", () => {
    expect(shownLines("<h2>Fares <a href=#fares>#</a></h2><p>a")).toEqual(["h2: Fares", "p: a"]);
    expect(shownLines("<h3><a href=/x#fares><span>¶</span></a>Fares</h3>")).toEqual(["h3: Fares"]);
    expect(shownLines("<h2><a class=doc-anchor href=#fares>§</a>Fares</h2>")).toEqual(["h2: Fares"]);
    expect(shownLines("<dt>fare()<a class=headerlink href=#fare>¶</a></dt>")).toEqual(["dt: fare()"]);
    for (const shown of [
      "<h2>Fares <a href=#note>*</a></h2>",
      "<h2><a href=/5>#</a>5</h2>",
      "<h2><a href=#5>§</a> 5</h2>",
      "<p>See <a href=#5>§</a> 5",
      "<h2><a href=#fares>Fares</a></h2>",
    ])
      expect(shownLines(shown)).toEqual([expect.stringMatching(/[*#§]|: Fares$/)]);
  });

  it.each([
    "<dialog open>shown</dialog>",
    '<div aria-hidden="true">shown</div>',
    "<details><div>shown</div></details>",
    '<div hidden="until-found">shown</div>',
    '<div style="display:block">shown</div>',
    '<div style="background:url(display:none.png)">shown</div>',
    '<div hidden id="S:0">shown</div>',
    "<div hidden role=tabpanel>shown</div>",
    '<div style="display:none" role=region aria-labelledby=a>shown</div>',
    "<div hidden aria-labelledby=a>shown</div>",
    '<div hidden class="c-tab__content wide">shown</div>',
    '<div style="display:none" class=AccordionBody>shown</div>',
    "<div hidden><div role=region aria-labelledby=a>shown</div></div>",
    "<div hidden><style>a{}</style><div role=region aria-labelledby=a>shown</div></div>",
    '<div hidden id="app-S:1f">shown</div>',
    '<noscript id="afph0"></noscript><div id="af0" style="display:none">shown</div><script>$af(0)</script>',
    "<amp-accordion layout=container><div>shown</div></amp-accordion>",
    '<div class="rev_slider fullwidthabanner" style="display:none;">shown</div>',
    '<rs-module-wrap style="visibility:hidden"><rs-module><rs-layer>shown</rs-layer></rs-module></rs-module-wrap>',
    '<div class="supsystic-tables-wrap " style="width: 100%; visibility: hidden">shown</div>',
    '<div class="subscriber-only" style="display:none">shown</div>',
    '<div class="rich_media_content js_underline_content" id="js_content" style="visibility: hidden; opacity: 0;">shown</div>',
    "<div layout=nodisplay>shown</div>",
  ])("shows the text of %s", (html) => {
    expect(shownLines(html)).toEqual(["div: shown"]);
  });

  it.each([
    ["<h3><button aria-expanded=false>Fares</button></h3>", "<div hidden>shown</div>"],
    [
      "<h2><span><i></i><a role=button aria-expanded>Fares</a></span></h2><style></style>",
      "<section hidden>shown",
    ],
    [
      "<div><button aria-expanded=true aria-controls=f>Fares</button></div>",
      "<div style='display:none' id=f>shown</div>",
    ],
    ["<button aria-expanded=false aria-controls=f>Fares</button>", "<div hidden><div id=f>shown</div></div>"],
  ])("shows the hidden box that the button before it opens: %s%s", (button, box) => {
    const page = `${button}${box}`;
    expect(shownLines(page).map((line) => line.replace(/^.*: /, ""))).toEqual(["Fares", "shown"]);
    for (const other of [
      page.replace(/ aria-expanded(=\w+)?/, ""),
      page.replace(" aria-expanded", " aria-haspopup=menu aria-expanded"),
      `${button}<p>${box}`,
      `<nav>${page}</nav>`,
      `<form><div>${page}</div></form>`,
      `<div role=menu>${page}</div>`,
      page.replaceAll(/<(\/?)(?:div|section)(?=[ >][^<]*(?:shown|<div id))/g, "<$1ul"),
      page.replace("<h3", "<div").replace("<h2", "<div").replace("=f>Fares", "=g>Fares"),
    ])
      expect(shownLines(other).join(), other).not.toContain("shown");
  });

  it("shows the hidden answer below a question", () => {
    const question = "<div><h3>Does it work outdoors? <span class=more></span></h3>";
    const answer =
      '<div style="display:none"><p>Yes, it <b>does</b> work both in a living room and on a terrace.</div></div>';
    const shown = [expect.anything(), "p: Yes, it does work both in a living room and on a terrace."];
    expect(shownLines(question + answer)).toEqual(shown);
    expect(shownLines((question + answer).replaceAll("h3", "dt"))).toEqual(shown);
    expect(shownLines(question.replace("?", "&nbsp;?") + answer)).toEqual(shown);
    expect(shownLines(question.replace("?", ".") + answer)).toHaveLength(1);
    const hindi = "<h3>क्या यह बाहर काम करता है?</h3><div hidden><p>हाँ, यह बाहर भी काम करता है।</div>";
    expect(shownLines(hindi)).toHaveLength(2);
    expect(shownLines(`<nav>${question}${answer}</nav>`)).toHaveLength(1);
    expect(shownLines(`${question}<div hidden><p>Yes 52%, 197 votes<p>No 19%, 71 votes</div>`)).toHaveLength(
      1,
    );
    expect(shownLines(`${question}<div hidden><form>Write your answer here.</form></div>`)).toHaveLength(1);
  });

  it("shows the rest of a text that a button opens", () => {
    const page = '<p>The first part<i>...</i><span style="display:none">and the rest of it.</span>';
    expect(shownLines(`${page} <button>Read more</button>`).join()).toContain("and the rest of it.");
    expect(shownLines(`${page}<a href="#"> + Weiterlesen »</a>`).join()).toContain("and the rest");
    expect(shownLines(`<p>a</p><div hidden><p>All of it.</p></div><a>More</a>`).join()).toContain("All");
    for (const other of [
      page,
      `${page} and <button>Read more</button>`,
      `${page}<button>Read on</button>`,
      `${page}<a href="/full">Read more</a>`,
      `${page}<b><a href="/full">Read more</a></b>`,
      "<p>a<p hidden>words<p><a>More</a>",
      "<p>All of it, from the beg…<p hidden>All of it, from the beginning to the end.</p><a>More</a>",
    ])
      expect(shownLines(other).join(), other).not.toMatch(/the rest|words|end/);
  });

  it("hides what a style moves far off the screen", () => {
    for (const style of ["position:absolute;left:-9999px", "top: -5000px; position: fixed;"])
      expect(shownLines(`<p>a</p><div style="${style}">b</div>`)).toEqual(["p: a"]);
    for (const style of ["position:relative;left:-9999px", "position:absolute;left:-1200px", "left:-9999px"])
      expect(shownLines(`<p>a</p><div style="${style}">b</div>`)).toEqual(["p: a", "div: b"]);
  });

  it("shows the table rows that a server streams late", () => {
    expect(shownLines('<p>a<table hidden><tbody id="S:3"><tr><td>b<td>c</table>')).toEqual([
      "p: a",
      "tr: b\tc",
    ]);
    expect(shownLines('<p>a<table hidden><tr id="S:3"><td>b<td>c</table>')).toEqual(["p: a", "tr: b\tc"]);
    expect(shownLines('<p>a<table hidden id="S3"><tr><td>b<td>c</table>')).toEqual(["p: a"]);
    expect(shownLines('<p>a<div id="af0" style="display:none">b</div><script>$ag(0)</script>')).toEqual([
      "p: a",
    ]);
  });

  it("shows a page that hides itself completely until a script runs", () => {
    const text = "word ".repeat(60);
    expect(shownLines(`<body style="visibility:hidden"><p>${text}</p>`)).toHaveLength(1);
    expect(shownLines(`<div style="display:none"><p>${text}</p></div>`)).toHaveLength(1);
    expect(shownLines(`<p>a<div style="visibility:hidden"><p>${text}</p></div>`)).toHaveLength(2);
    expect(shownLines(`<p>a<div style="display:none"><p>${text}</p></div>`)).toEqual(["p: a"]);
    expect(shownLines(`<p>${text}<div style="visibility:hidden"><p>${text}</p></div>`)).toHaveLength(1);
  });

  it("hides popovers and phantoms, and reads a space before `important`", () => {
    expect(shownLines("<p>a<div popover>b</div><div popover=manual>c</div>")).toEqual(["p: a"]);
    expect(shownLines("<dialog open popover>a</dialog>")).toEqual(["div: a"]);
    expect(shownLines("<p>a<math><mi>b</mi><mphantom><mi>c</mi></mphantom></math>")).toEqual(["p: ab"]);
    expect(shownLines('<p>a<p style="display: none ! important">b')).toEqual(["p: a"]);
  });
});

describe("line breaks of the source", () => {
  it.each<Case>([
    ["drawn in a block", '<p style="white-space: pre-line">a\n  b\n\n c</p>', ["p: a", "p: b", "p: c"]],
    [
      "drawn in a span",
      '<p>x <span style="white-space:pre-wrap">a\nb</span> c\nd</p>',
      ["p: x a", "p: b c d"],
    ],
    ["between spans", '<p style="white-space:pre"><b>a</b>\n<i>b</i></p>', ["p: a", "p: b"]],
    [
      "not kept in a child that resets it",
      '<p style="white-space:pre">a\nb <b style="white-space:normal">c\nd</b></p>',
      ["p: a", "p: b c d"],
    ],
    [
      "drawn on a bulletin board",
      "<div class='bbs-screen bbs-content'>\na\nb\n\nc<b>d\n</b></div>",
      ["div: a", "div: b", "div: cd"],
    ],
    ["not kept with nowrap", '<p style="white-space:nowrap">a\nb</p>', ["p: a b"]],
    [
      "inherited by blocks",
      '<div style="white-space:pre-wrap">\n<p>a\nb</p>\n</div>e\nf',
      ["p: a", "p: b", "body: e f"],
    ],
    ["inside a pre", '<pre style="white-space:pre-wrap">a\n  b</pre>', ["pre: a\n  b"]],
  ])("%s", (_name, html, lines) => {
    expect(shownLines(html)).toEqual(lines);
  });

  it("keep the span of each line, and a blank line begins a new block", () => {
    const html = '<p style="white-space:pre-line">one\n two\n\nthree</p>';
    const lines = linesOf(html);
    expect(lines.map(({ span }) => html.slice(...(span ?? [0, 0])))).toEqual(["one", "two", "three"]);
    expect(lines.map(({ breakBefore }) => breakBefore)).toEqual(["block", "line", "block"]);
  });

  it("are dropped between characters of Chinese also where they are CRLF or a reference is beside them", () => {
    expect(shownLines("<p>中文\r\n字</p><p>中&#25991;\r\n字</p><p>中&#25991;\n字</p>")).toEqual([
      "p: 中文字",
      "p: 中文字",
      "p: 中文字",
    ]);
  });
});

describe("a pre with Windows line ends", () => {
  it("gives the span of each of its pieces, even from one text node", () => {
    const html = "<pre>one\r\n\r\ntwo\r\nmore\rx\n\r\n&lt;three\r\n four</pre>";
    const page = parseQuickly({ id: "page", url: "", html });
    const lines = walkLines(page);
    expect(lines.map(({ text }) => text)).toEqual(["one\n\n", "two\nmore\nx\n\n", "<three\n four"]);
    expect(lines.map(({ span }) => html.slice(...(span ?? [0, 0])))).toEqual([
      "one",
      "two\r\nmore\rx",
      "&lt;three\r\n four",
    ]);
  });
});

describe("formulas", () => {
  const math = (inner: string): string[] => shownLines(`<p>so <math>${inner}</math> is</p>`);
  it.each([
    ["<mfrac><mn>1</mn><mn>2</mn></mfrac>", "1/2"],
    ["<mfrac>\n <mi>a</mi>\n <mi>b</mi>\n</mfrac>", "a/b"],
    ["<mfrac><mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow><mi>c</mi></mfrac>", "(a+b)/c"],
    ["<msup><mi>x</mi><mn>2</mn></msup>", "x^2"],
    ["<msup>\n<mi>x</mi>\n<mrow>\n<mi>n</mi><mo>+</mo><mn>1</mn>\n</mrow>\n</msup>", "x^(n+1)"],
    ["<msub><mi>x</mi><mi>i</mi></msub>", "x_i"],
    ["<msubsup><mi>x</mi><mi>i</mi><mn>2</mn></msubsup>", "x_i^2"],
    ["<msqrt><mn>2</mn></msqrt>", "√(2)"],
    ["<mfrac><msup><mi>a</mi><mn>2</mn></msup><mfrac><mn>1</mn><mi>b</mi></mfrac></mfrac>", "a^2/1/b"],
  ])("%s", (inner, text) => {
    expect(math(inner)).toEqual([`p: so ${text.replace("a^2/1/b", "(a^2)/(1/b)")} is`]);
  });

  it("are read once if KaTeX draws them beside their MathML, and also without MathML", () => {
    const formula = "<math><mfrac><mi>a</mi><mn>2</mn></mfrac><annotation>\\frac a2</annotation></math>";
    const drawn = '<span class="katex-html" aria-hidden="true"><span>2</span><span>a</span></span>';
    const read = (mathml: string): string[] =>
      shownLines(`<p>so <span class="katex">${mathml}${drawn}</span>, then`);
    expect(read(`<span class="katex-mathml">${formula}</span>`)).toEqual(["p: so a/2, then"]);
    // CSDN drops the tags, but not the texts in them.
    expect(read('<span class="katex-mathml">\n a\n \n 2\n \n \\frac{a}{2}\n</span>')).toEqual([
      "p: so \\frac{a}{2}, then",
    ]);
    expect(read("")).toEqual(["p: so 2a, then"]);
  });

  it("are read where MediaWiki shows a picture instead of them", () => {
    const math = "<math><msup><mi>x</mi><mn>2</mn></msup></math>";
    const hidden = `<span class="mwe-math-mathml-inline mwe-math-mathml-a11y" style="display: none;">${math}</span>`;
    expect(
      shownLines(
        `<p>so <span class="mwe-math-element">${hidden}<img class="mwe-math-fallback-image-inline"></span>, then`,
      ),
    ).toEqual(["p: so x^2, then"]);
  });

  it("have no operators if parts are missing, and may have very many parts", () => {
    expect(math("<mfrac></mfrac><msup><mi>x</mi></msup>")).toEqual(["p: so x is"]);
    expect(math(`<mfrac>${"<mi>a</mi>".repeat(20_000)}</mfrac>`)[0]?.length).toBeGreaterThan(20_000);
    expect(shownLines("<p><mfrac><mi>a</mi><mi>b</mi></mfrac></p>")).toEqual(["p: ab"]);
  });
});

describe("quotes", () => {
  const read = (html: string, lang = "fr"): string[] => shownLines(`<html lang=${lang}><p>${html}</p>`);
  it.each([
    ["d’un <q>plan</q>, dit-il.", "fr", "d’un «plan», dit-il."],
    ["<q>Ja</q> und <q> nein </q>!", "de-AT", "„Ja“ und „nein“!"],
    ["so <q>he said <q>no</q></q>.", "en", "so “he said ‘no’”."],
    ["so <q><q>no</q> he said</q>.", "x", "so “‘no’ he said”."],
    ["<q>a</q><q>b</q>", "en", "“a”“b”"],
    ["彼は<q>行く</q>と", "ja", "彼は「行く」と"],
    ["als <span lang=sv><q>nej</q></span> <q>nein</q>", "de", "als ”nej” „nein“"],
    ["so <em><q>no</q></em>, <a href=x><q>why</q></a>", "en", "so “no”, “why”"],
  ])("%s", (html, lang, text) => {
    expect(read(html, lang)).toEqual([`p: ${text}`]);
  });

  it("get no quotation marks if the page has its own, or if the quote is empty", () => {
    expect(read("dit <q>« plan »</q>.")).toEqual(["p: dit « plan »."]);
    expect(read("dit « <q>plan</q> ».")).toEqual(["p: dit « plan »."]);
    expect(read('dit "<q>plan</q>".')).toEqual(['p: dit "plan".']);
    expect(read("a <q></q> b<q> </q>")).toEqual(["p: a b"]);
    expect(shownLines("<pre>a <q>b</q></pre>")).toEqual(["pre: a <q>b</q>".replace(/<.?q>/g, "")]);
  });

  it("may span several lines", () => {
    expect(read("a <q>b<br>c</q> d")).toEqual(["p: a «b", "p: c» d"]);
    expect(shownLines("<div lang=fr>a <q><p>b</p></q> d</div>")).toEqual(["div: a", "p: «b", "div: d"]);
  });

  it.each([
    ["after a quotation", "“It is.”<cite>Ann</cite> ", ["blockquote: “It is.”", "blockquote: Ann"]],
    ["after a sentence and a space", "It is! <cite>Ann</cite>", ["blockquote: It is!", "blockquote: Ann"]],
    ["but not in a sentence", "It is in <cite>Emma</cite>.", ["blockquote: It is in Emma."]],
    ["but not at its end", "So says <cite>Emma</cite>", ["blockquote: So says Emma"]],
  ])("have their source on a line of its own, %s", (_name, html, lines) => {
    expect(shownLines(`<blockquote>${html}</blockquote>`)).toEqual(lines);
  });

  it("belong to the link around them", () => {
    const [line] = linesOf("<p>a <a href=x><q>b</q></a> c</p>");
    expect(line?.links).toEqual([{ start: 2, end: 5, href: "x" }]);
  });
});

describe("papers made by LaTeXML", () => {
  const read = (body: string): string[] => shownLines(`<article class="ltx_document">${body}</article>`);

  it("have their notes after the block that refers to them", () => {
    const note = (text: string): string =>
      `<span class="ltx_note ltx_role_footnote" id="f"><sup class="ltx_note_mark">1</sup><span class="ltx_note_outer"><span class="ltx_note_content"><sup class="ltx_note_mark">1</sup><span class="ltx_tag ltx_tag_note">1</span>${text}</span></span></span>`;
    expect(read(`<p>so${note(`Or ${note("not")} not.`)}, it is.</p><p>b`)).toEqual([
      "p: so1, it is.",
      "p: 1 Or 1 not.",
      "p: 1 not",
      "p: b",
    ]);
    expect(shownLines(`<p>so${note("Not.")}, it is.</p>`)).toEqual(["p: so111Not., it is."]);
  });

  it("lose the bullets and numbers that lists have anyway", () => {
    const item = (tag: string): string =>
      `<li><span class="ltx_tag ltx_tag_item">${tag}</span><div><p>a</p></div></li>`;
    expect(read(`<ul>${item("•")}</ul><ol>${item("1.")}</ol>`)).toEqual(["li: a", "li: a"]);
    expect(read(`<ul>${item("Case A")}</ul>`)).toEqual(["li: Case A", "p: a"]);
  });

  it("have listings as code, and a space after the label of a reference", () => {
    const tag = '<span class="ltx_tag ltx_tag_listingline">1</span>';
    const line = (code: string): string => `<div class="ltx_listingline">${tag}<span>${code}</span></div>\n`;
    const data = '<div class="ltx_listing_data"><a href="data:x">⬇</a></div>\n';
    expect(
      read(`<div class="ltx_listing ltx_lst_language_C">${data}${line("if a:")}${line("  b")}</div>`),
    ).toEqual(["pre: if a:\n  b"]);
    expect(read('<p><span class="ltx_tag ltx_tag_bibitem">Li (1)</span><span>A. Li</span>')).toEqual([
      "p: Li (1) A. Li",
    ]);
  });
});

describe("items of ordered lists", () => {
  it.each([
    ["<ol><li>a<li>b</ol>", [1, 2]],
    ["<ol start=5><li>a<li>b</ol>", [5, 6]],
    ["<ol start=-1><li>a<li value=7>b<li>c</ol>", [-1, 7, 8]],
    ["<ol reversed><li>a<li>b</ol>", [2, 1]],
    ["<ol start=x><li>a<ol><li>b</ol><li>c</ol>", [1, 1, 2]],
    ["<ol start=99999999999><li>a<p>b</ol><ul><li>c</ul>", [1, undefined, undefined]],
  ])("%s", (html, numbers) => {
    expect(linesOf(html).map(({ number }) => number)).toEqual(numbers);
  });
});

describe("rule 5: the block of a line", () => {
  it.each<Case>([
    [
      "is the nearest block",
      "<article><section>a<b>b</b></section>c</article>",
      ["section: ab", "article: c"],
    ],
    [
      "is a div for blocks of other names",
      "<dl>a<dt>b<dd>c</dl><hgroup>d</hgroup><search>e</search>",
      ["div: a", "dt: b", "dd: c", "div: d", "div: e"],
    ],
    [
      "is li for the first line of an item",
      "<ul><li><div><p>a</p><p>b</p></div></li></ul>",
      ["li: a", "p: b"],
    ],
    ["is li in nested items", "<ul><li><p>a<ul><li><p>b</ul></ul>", ["li: a", "li: b"]],
    ["is the heading in an item", "<ul><li><h3>a</h3><p>b</p></li></ul>", ["h3: a", "p: b"]],
    ["is the pre in an item", "<ol><li><pre>a</pre>b</ol>", ["pre: a", "li: b"]],
    ["is the row in an item", "<ul><li><table><tr><td>a<td>b</table></ul>", ["tr: a\tb"]],
    ["is not a custom element, which is inline", "<x-a>a</x-a><x-b>b</x-b>", ["body: ab"]],
  ])("%s", (_name, html, lines) => {
    expect(shownLines(html)).toEqual(lines);
  });
});

describe("an item", () => {
  it("continues with lines directly in it, but not with those of other elements", () => {
    const items = linesOf(
      "<ul><li>a<br>b<p>c</p>d<ul><li><b></b><p>e</p>f</li></ul>g<li>h<li><h3>i</h3>j</ul>k",
    ).map(({ text, block, continuesItem }) => `${text} ${block} ${String(continuesItem ?? false)}`);
    expect(items).toEqual([
      "a li false",
      "b li true",
      "c p false",
      "d li true",
      "e li false",
      "f li true",
      "g li true",
      "h li false",
      "i h3 false",
      "j li true",
      "k body false",
    ]);
  });
});

describe("lines of verse", () => {
  it.each([
    ["of Docutils", '<div class="line-block"><div class="line">a</div>\n<div class="line">b</div></div>'],
    ["of TEI", '<div class="lg"><p class="l">a</p><p class="l indent">b</p></div>'],
  ])("follow each other without a blank line in %s", (_name, html) => {
    const lines = linesOf(`<p>x</p>${html}${html}`);
    expect(lines.map(({ text, breakBefore }) => `${text} ${breakBefore}`)).toEqual([
      "x block",
      "a block",
      "b line",
      "a block",
      "b line",
    ]);
  });

  it("are separate blocks if something stands between them", () => {
    const html = '<div class="line">a</div><hr><div class="line">b</div><p>c</p><div class="line">d</div>';
    expect(linesOf(html).every(({ breakBefore }) => breakBefore === "block")).toBe(true);
  });
});

describe("list items made by Word", () => {
  const bullet = "<span style='mso-list:Ignore'>·<span>&nbsp;&nbsp;</span></span>";
  it("are items, without the bullets that Word marks as ignorable", () => {
    const html = `<p class=MsoListParagraph>${bullet}one</p> <p class=MsoListBullet>${bullet}two</p><p>three`;
    expect(shownLines(html)).toEqual(["li: one", "li: two", "p: three"]);
    expect(linesOf(html).map(({ breakBefore }) => breakBefore)).toEqual(["block", "line", "block"]);
  });

  it("stay paragraphs if they have numbers, and headings stay headings", () => {
    expect(
      shownLines(`<p class=MsoListParagraph>${bullet.replace("·", "1.")}one</p><h2>${bullet}two`),
    ).toEqual(["p: 1. one", "h2: · two"]);
  });
});

describe("rule 6: data rows and layout tables", () => {
  const table = (rows: string): string => `<!doctype html><table>${rows}</table>`;
  it.each<Case>([
    ["a row", "<tr><th>a<td><p>b</p><td>c <b>d</b>", ["tr: a\tb\tc d"]],
    ["an empty cell at the start and in the middle", "<tr><td><td>b<td><td>d", ["tr: \tb\t\td"]],
    ["empty cells at the end", "<tr><td>a<td>b<td><td> <td>&nbsp;", ["tr: a\tb"]],
    ["only one cell filled", "<tr><td><td>a<td>", ["td: a"]],
    ["a cell with two lines", "<tr><td>a<br>b<td>c", ["td: a", "td: b", "td: c"]],
    ["a cell with two blocks", "<tr><th>a<td><p>b<p>c", ["th: a", "p: b", "p: c"]],
    ["a table in a cell", "<tr><td><table><tr><td>a<td>b</table><td>c", ["tr: a\tb", "td: c"]],
    ["a table of one cell in a cell", "<tr><td><table><tr><td>a</table><td>c", ["tr: a\tc"]],
    ["code in a cell", "<tr><td>1<td><pre>a\nb</pre>", ["td: 1", "pre: a\nb"]],
    [
      "code in a cell of a table in a `pre`",
      "<tr><td><pre><table><tr><td>1<td>a\n b</table></pre>",
      ["td: 1", "pre: a\n b"],
    ],
    ["invalid spans", '<tr><td colspan=1000000 rowspan=65000>a<td colspan="-1">b', ["tr: a\tb"]],
  ])("%s", (_name, rows, lines) => {
    expect(shownLines(table(rows))).toEqual(lines);
  });
});

describe("a picture between a text and its punctuation", () => {
  it.each<Case>([
    [
      "an icon of a link",
      "<p>See <a href=x>a<svg></svg></a>, <a href=y>b <svg></svg></a>.",
      ["p: See a, b ."],
    ],
    [
      "an icon of a link",
      "<p>(<a href=x>a<svg></svg></a>); b<a href=z>船<svg></svg></a>、货",
      ["p: (a); b船、货"],
    ],
    ["words", "<p>a<svg></svg>b<svg></svg>.c<svg></svg>(d)<svg></svg>(e", ["p: a b .c (d) (e"]],
  ])("separates only words: %s", (_name, html, lines) => {
    expect(shownLines(html)).toEqual(lines);
  });
});

describe("rule 7: pre", () => {
  it.each<Case>([
    ["has a `code` for each line", "<pre><code>a</code><code>b<i>c</i></code></pre>", ["pre: a\nbc"]],
    ["has parts of a line", "<pre><code>a</code>: <code>b</code><code>c</code></pre>", ["pre: a: bc"]],
    ["keeps spaces and breaks", "<pre>  a\n\tb  c\n</pre>", ["pre:   a\n\tb  c"]],
    ["drops the first break only", "<pre>\n\n a</pre>", ["pre: \n a"]],
    [
      "is cut at blank lines",
      "<pre>a\nb\n\n \nc\n\nd\n\n</pre>",
      ["pre: a\nb\n\n \n", "pre: c\n\n", "pre: d"],
    ],
    ["with markup inside", "<pre><code><b>if</b> x:\n  <a href=1>y</a></code></pre>", ["pre: if x:\n  y"]],
    [
      "with br and lines drawn as blocks",
      '<pre>a<br>b<span style="display:block">c</span><span style="display:block">d</span></pre>',
      ["pre: a\nb\nc\nd"],
    ],
    [
      "with lines in boxes, as highlighters write them",
      "<pre><code><div class=l><div>if <b>x</b>:</div></div><div>  y</div><div><br></div><div>z\n</div></code></pre>",
      ["pre: if x:\n  y\n\n", "pre: z"],
    ],
    [
      "with lines that a style sheet puts below each other",
      "<pre><code>a {\n<span class='hl-line'>  <b>b</b></span><span class='hl-line'></span><span class='hl-line'>  c</span>\n}</code></pre>",
      ["pre: a {\n  b\n\n", "pre:   c\n}"],
    ],
    [
      "with such lines that contain their breaks",
      "<pre><i class=line>a\n</i><i class=line>b</i>\n<i class=line>c<b>\n</b></i><i class=line>d</i><i class=underline>e</i></pre>",
      ["pre: a\nb\nc\nde"],
    ],
    [
      "with lines highlighted by Gatsby, which omits all breaks",
      "<pre><code>a\n<b class=gatsby-highlight-code-line>b</b><b class=gatsby-highlight-code-line>c</b>  d\n}</code></pre>",
      ["pre: a\nb\nc\n  d\n}"],
    ],
    [
      "with such lines that are blocks by style",
      '<pre><i class=line style="display:block">a</i><i class=line style="display:block">b</i></pre>',
      ["pre: a\nb"],
    ],
    [
      "with lines in a list, inside of a list",
      "<ul><li>a<pre><ol><li>  b</li><li>    c</li></ol></pre>d</ul>",
      ["li: a", "pre:   b\n    c", "li: d"],
    ],
    [
      "that is unclosed",
      "<pre>a\n  b<div>c<h2>d</h2></div><div>e</div>",
      ["pre: a\n  b", "div: c", "h2: d", "div: e"],
    ],
    ["around a data table", "<pre><table><tr><td>1<td>  x</table></pre>", ["tr: 1\t  x"]],
    [
      "around a table that numbers its lines",
      "<pre><table><tr><td>1<td>if a:</tr>\n<tr><td>2<td>\treturn <a href=b>b</a></table></pre>",
      ["tr: 1\tif a:", "tr: 2\t return b"],
    ],
    ["around the layout of a page", "<pre><div><table><tr><td><p>a\n  b</p></table></div></pre>", ["p: a b"]],
    ["with CRLF and unusual spaces", "<pre>a\r\nb&nbsp;c\u00add</pre>", ["pre: a\nb cd"]],
    [
      "written with old element names",
      "<xmp>a <b>\n c</xmp><listing>d\n e</listing>",
      ["pre: a <b>\n c", "pre: d\n e"],
    ],
  ])("%s", (_name, html, lines) => {
    expect(shownLines(html)).toEqual(lines);
  });

  it.each<Case>([
    [
      "of Hugo",
      "<pre><i class=line><i class=ln>1</i><i class=cl>a\n</i></i><i class=line><i class=ln>2</i><i class=cl>\n</i></i><i class=line><i class=ln>3</i><i class=cl>  b\n</i></i></pre>",
      ["pre: a\n\n", "pre:   b"],
    ],
    [
      "of Hugo, in a table",
      "<table class=lntable><tr><td class=lntd><pre><code><i class=lnt>1\n</i></code></pre><td class=lntd><pre><code>  a()\n</code></pre></table>",
      ["pre:   a()"],
    ],
    [
      "with a space behind each of them, by their colour",
      "<pre><i style='color: #008080;'>1</i> a\n<i style='color: #008080;'>2</i>   b\n<i style='color: #008080;'>3</i>\n</pre>",
      ["pre: a\n  b"],
    ],
    ["alone, before a space", "<pre><i class=lineno>1</i> a</pre>", ["pre:  a"]],
    [
      "of Rouge and Pygments",
      "<table><tr><td class='rouge-gutter gl'><pre class=lineno>1\n2\n</pre><td class=rouge-code><pre>a\n  b\n</pre></table><table><tr><td class=linenos><div class=linenodiv><pre>1</pre></div><td class=code><pre>c</pre></table>",
      ["pre: a\n  b", "pre: c"],
    ],
    ["of YARD", "<table><tr><td><pre class=lines>\n\n1\n2</pre><td><pre>a\n2</pre></table>", ["pre: a\n2"]],
    [
      "of GitHub, as text or drawn by style",
      "<table><tr><td class=blob-num data-line-number=1><td class=blob-code>a\t1<tr><td data-line-number=2>2<td class=blob-code>  b</table>",
      ["tr: a    1", "tr:   b"],
    ],
    [
      "of highlight.js",
      "<pre><table><tr><td class=hljs-ln-numbers data-line-number=1><div>1</div><td>a<tr><td class=hljs-ln-numbers data-line-number=2><div>2</div><td>  b</table></pre>",
      ["tr: a", "tr:   b"],
    ],
    [
      "of CSDN",
      "<pre><code>a</code><ul class=pre-numbering><li>1</ul></pre><ul class=pre-numbering><li>1</ul>",
      ["pre: a"],
    ],
    [
      "but no buttons",
      "<pre><button type=button>Copy</button><a class=copy-btn>Copy</a>$ a</pre>",
      ["pre: $ a"],
    ],
    [
      "that no element marks",
      "<pre>1 a\n2 b</pre><pre>1\n2</pre><table><tr><td class=gutter>One<td class=code>a</table>",
      ["pre: 1 a\n2 b", "pre: 1\n2", "tr: One\ta"],
    ],
    [
      "beside code, but elsewhere",
      "<table><tr><td class=line-no>1<td>An oar<td>7</table><table><tr><td><pre>1\n2</pre><td>a</table><ul class=gutter><li>1</ul>",
      ["tr: 1\tAn oar\t7", "pre: 1\n2", "td: a", "li: 1"],
    ],
  ])("has no line numbers %s", (_name, html, lines) => {
    expect(shownLines(html)).toEqual(lines);
  });

  it("has no numbers of cells of Jupyter, but prompts that are text", () => {
    const cell = (name: string, word: string): string =>
      `<div class="${name}">${word} [1]:</div><pre>$ a</pre>`;
    const html = `${cell("prompt input_prompt", "In")}${cell("jp-OutputPrompt jp-OutputArea-prompt", "Out")}`;
    expect(shownLines(`${html}<div class=prompt>In [1]:</div>`)).toEqual([
      "pre: $ a",
      "pre: $ a",
      "div: In [1]:",
    ]);
  });

  it("keeps a blank line and the source of code without its numbers", () => {
    const rows = ["a", "", "  b"].map((code) => `<tr><td data-line-number=1>1<td class=blob-code>${code}`);
    const lines = linesOf(`<table>${rows.join("")}</table>`);
    expect(lines.map(({ text, breakBefore }) => [text, breakBefore])).toEqual([
      ["a", "block"],
      ["  b", "block"],
    ]);
    const numbered =
      "<pre><i class=ln>1</i> a&lt;\r\n<i class=ln>2</i> <a href=c>b</a>\r\n\r\n<i class=ln>3</i> c\r\nd</pre>";
    expect(linesOf(numbered).map(({ text, span = [0, 0] }) => [text, numbered.slice(...span)])).toEqual([
      ["a<\nb\n\n", "a&lt;\r\n<i class=ln>2</i> <a href=c>b"],
      ["c\nd", "c\r\nd"],
    ]);
    expect(linesOf(numbered)[0]?.links).toEqual([{ start: 3, end: 4, href: "c" }]);
  });

  it("gives back the block when its lines are joined", () => {
    const code = "a\n\n\n  b\n \n\nc\n\td";
    expect(
      linesOf(`<pre>${code}\n\n</pre>`)
        .map((line) => line.text)
        .join(""),
    ).toBe(code);
  });
});

describe("rule 8: ruby and the rest", () => {
  it.each<Case>([
    [
      "with fallback parentheses",
      "<p><ruby>漢字<rp>（</rp><rt>かんじ</rt><rp>）</rp></ruby>です",
      ["p: 漢字(かんじ)です"],
    ],
    ["for each base", "<p><ruby> 漢 <rt> かん </rt>字<rt>じ</rt></ruby>", ["p: 漢(かん)字(じ)"]],
    ["without text", "<p><ruby>漢<rt></rt></ruby>字", ["p: 漢字"]],
    ["nested in ruby", "<p><ruby>a<rt><ruby><rt>b</rt></ruby></rt></ruby>c", ["p: a((b))c"]],
    ["broken by a block", "<div><ruby>a<rt><hr>b</rt></ruby>c", ["div: a(", "div: b)c"]],
    ["that is a button", "<p><ruby>a<rt role=button>b</rt></ruby>c", ["p: a b c"]],
    [
      "buttons and labels are text",
      "<form><label>Name</label> <button>Send</button></form>",
      ["form: Name Send"],
    ],
  ])("%s", (_name, html, lines) => {
    expect(shownLines(html)).toEqual(lines);
  });
});

describe("breakBefore", () => {
  const breaks = (html: string): string =>
    linesOf(html)
      .map((line) => (line.breakBefore === "block" ? `|${line.text}` : `/${line.text}`))
      .join("");
  it.each([
    ["the first line", "a", "|a"],
    ["blocks", "<p>a<p>b<div>c</div>d", "|a|b|c|d"],
    ["one br, and several", "<p>a<br>b<br><br>c<br> &nbsp;<br>d<br><b></b>e", "|a/b|c|d/e"],
    ["items of one list", "<p>x<ul><li>a<li>b<ul><li>c</ul><li>d</ul><p>y", "|x|a/b/c/d|y"],
    ["items with more than a line", "<ul><li><p>a<p>b<li>c</ul>", "|a|b|c"],
    ["terms", "<dl><dt>a<dd>b<dt>c</dl>", "|a/b/c"],
    ["two lists", "<ul><li>a</ul><ul><li>b</ul>", "|a|b"],
    [
      "rows of one table",
      "<table><caption>x</caption><thead><tr><th>a<th>b<tbody><tr><td>c<td>d</table>",
      "|x|a\tb/c\td",
    ],
    ["two tables", "<table><tr><td>a<td>b</table><table><tr><td>c<td>d</table>", "|a\tb|c\td"],
    ["layout", "<table><tr><td>a<br>b<td>c</table>", "|a/b|c"],
    ["hr between items", "<ul><li>a<hr><li>b</ul>", "|a|b"],
  ])("%s", (_name, html, expected) => {
    expect(breaks(html)).toBe(expected);
  });
});

describe("path", () => {
  it("cuts no surrogate pair in long tags, ids and classes", () => {
    const pair = "\ud83d\ude00";
    const paths = [0, 1].flatMap((shift) => {
      const long = `p${"-".repeat(shift)}${pair.repeat(60)}`;
      const late = `${"a ".repeat(158 + shift)}${shift === 0 ? "" : "b"}${pair.repeat(9)}`;
      const html = `<${long}>x</${long}><p class="${late}">y<p id="${pair}">z<p id="\ud83d">v<p class="\ude00 c">w`;
      return linesOf(html).map(({ path }) => path);
    });
    expect(paths.filter((path) => /\p{Surrogate}/u.test(path))).toEqual([]);
    expect(paths).toContain(`body>p#${pair}`);
    expect(paths.find((path) => path.endsWith(pair))).toBeDefined();
  });

  const pathOf = (html: string): string | undefined => linesOf(html)[0]?.path;

  it("runs from body to the innermost element around the whole line", () => {
    expect(pathOf('<main id=content><article class="post  hentry"><p>a <b>b</b>')).toBe(
      "body>main#content>article.post.hentry>p",
    );
    expect(pathOf("<div class=by><span class=author>x</span></div>")).toBe("body>div.by>span.author");
    expect(pathOf("<p><b>a</b><i>b</i>")).toBe("body>p");
    expect(pathOf("<table><tr><td>a<td>b")).toBe("body>table>tbody>tr");
    expect(linesOf("<pre><b>a\n\nb</b></pre>").map((line) => line.path)).toEqual(["body>pre", "body>pre"]);
  });

  it("omits names that are too long or contain separators", () => {
    expect(pathOf('<p id="a b" class="[&>x]:y ok">x')).toBe("body>p.ok");
    const long = pathOf(`<p class="${"utility-class ".repeat(100)}">x`) ?? "";
    expect(long.length).toBeLessThanOrEqual("body>".length + MAX_STEP);
    expect(long).toMatch(/^body>p(?:\.utility-class)+$/);
  });

  it.each([
    ["<main role=main><p>x", "body>main[role=main]>p"],
    ['<div id=a class=b role="  Main presentation">x', "body>div#a.b[role=Main]"],
    ['<div itemprop="articleBody text"><p>x', "body>div[itemprop=articleBody]>p"],
    ['<div itemscope itemtype="https://schema.org/Comment https://x.org/Y">x', "body>div[itemtype=Comment]"],
    [
      "<p role=note itemprop=comment itemtype=http://x.org/t#Big_Type-2>x",
      "body>p[role=note][itemprop=comment][itemtype=Big_Type-2]",
    ],
    ['<p role="a>b" itemprop="a]b" itemtype="https://x.org/">x', "body>p"],
    ['<p role="" itemprop=" " itemtype>x', "body>p"],
    [`<p role=${"x".repeat(81)}>x`, "body>p"],
    [`<p id=${"x".repeat(70)} role=main itemprop=a>x`, `body>p#${"x".repeat(70)}`],
  ])("includes role and schema.org markup if they are valid: %s", (html, path) => {
    expect(pathOf(html)).toBe(path);
  });

  it("omits steps in the middle if it is too long", () => {
    const path = pathOf(`<section>${"<div>".repeat(300)}<p>x`) ?? "";
    expect(path.split(">")).toHaveLength(OUTER_STEPS + 1 + INNER_STEPS);
    expect(path).toMatch(/^body>section>(?:div>)+…>(?:div>)+p$/);
  });

  it("does not depend on other elements that were at the same depth before", () => {
    const nest = (depth: number, name: string): string =>
      Array.from({ length: depth }, (_, at) => `<div class=${name}${at}>`).join("") +
      name +
      "</div>".repeat(depth);
    for (const depth of [1, 2, OUTER_STEPS, OUTER_STEPS + INNER_STEPS - 1, OUTER_STEPS + INNER_STEPS, 100]) {
      const [a, b, again] = linesOf(nest(depth, "a") + nest(depth, "b") + nest(depth, "a")).map(
        ({ path }) => path,
      );
      expect(b).toBe(a!.replaceAll(".a", ".b"));
      expect(again).toBe(a);
    }
  });
});

describe("links", () => {
  it("are counted in characters of the line and have offsets", () => {
    const [line] = linesOf(
      "<p>see  <a href='/a b'> the  <b>page</b> </a>, <a>no</a> <a href=c>x</a><a href=c>Y</a>.",
    );
    expect(line?.text).toBe("see the page , no x Y.");
    expect(line?.links?.map(({ start, end, href }) => [line.text.slice(start, end), href])).toEqual([
      ["the page", "/a b"],
      ["x", "c"],
      ["Y", "c"],
    ]);
    expect(line?.linkChars).toBe(10);
  });

  it("are kept in rows, blocks and pre", () => {
    const links = (html: string): (string | undefined)[] =>
      linesOf(html).flatMap((line) => line.links?.map(({ start, end }) => line.text.slice(start, end)) ?? []);
    expect(links("<table><tr><td>a<td>b <a href=1>c</a><td><a href=2>d</a></table>")).toEqual(["c", "d"]);
    expect(links("<a href=1><p>a</p><p>b</p></a>c")).toEqual(["a", "b"]);
    expect(links("<pre>a <a href=1>b\n\nc</a> d</pre>")).toEqual(["b\n\n", "c"]);
    expect(linesOf("<p>x")[0]).not.toHaveProperty("links");
  });
});

describe("a filter of text nodes", () => {
  const html = "<ul><li><p>a</p><p>b</p></li></ul><table><tr><td>c<td>d</table><p>e<b>f</b>g</p><pre>h</pre>";
  const only = (...kept: string[]): string[] =>
    walkLines(parse(html), (node) => kept.includes(node.value)).map((line) => `${line.block}: ${line.text}`);

  it("keeps block and row of the remaining text, and joins nothing", () => {
    expect(only("a", "b", "c", "d", "e", "f", "g", "h")).toEqual([
      "li: a",
      "p: b",
      "tr: c\td",
      "p: efg",
      "pre: h",
    ]);
    expect(only("b", "d", "e", "g")).toEqual(["p: b", "tr: \td", "p: e g"]);
    expect(only()).toEqual([]);
  });
});
