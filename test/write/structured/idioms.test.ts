import { describe, expect, it } from "vitest";
import type { Document, LabelledLine } from "../../../src/document.js";
import { formatHtml } from "../../../src/write/html.js";
import { formatAnnotatedMarkdown, formatMarkdown } from "../../../src/write/markdown.js";
import { formatXml } from "../../../src/write/xml.js";
import { expectLinear } from "../../growth.js";
import { read } from "./pages.js";

const page = (body: string): Document<LabelledLine> => ({ ...read(`<body>${body}</body>`), meta: {} });
const write = (body: string): string => formatMarkdown(page(body));

/** HTML that generators write, with the name of the generator, and the Markdown that a person would write. */
const IDIOMS: readonly (readonly [string, string, string])[] = [
  [
    "lines of code with the numbers in the old file and the new one, and a table with the numbers of its rows",
    '<table><tr><td class="blob-num" data-line-number="1"></td><td class="blob-num" data-line-number="1"></td><td class="blob-code"> a()</td></tr><tr><td class="blob-num" data-line-number="2"></td><td class="blob-num"></td><td class="blob-code">-b()</td></tr></table><table><tr><th class="blob-num" data-line-number="1"></th><th>Name</th><th>Age</th></tr><tr><td class="blob-num" data-line-number="2"></td><td>Ann</td><td>7</td></tr></table>',
    "```\n a()\n-b()\n```\n\n| Name | Age |\n| --- | --- |\n| Ann | 7 |\n",
  ],
  [
    "code lines in a table whose numbers the style sheet draws",
    '<table class="highlight"><tr><td class="blob-num" data-line-number="1"></td><td class="blob-code">def a():</td></tr><tr><td class="blob-num" data-line-number="2"></td><td class="blob-code">return 1</td></tr></table>',
    "```\ndef a():\nreturn 1\n```\n",
  ],
  [
    "indented code of GitHub, where the style sheet keeps the spaces",
    '<table class="highlight"><tr><td class="blob-num" data-line-number="1"></td><td class="blob-code blob-code-inner js-file-line"><span class="pl-k">def</span> a():</td></tr><tr><td class="blob-num" data-line-number="2"></td><td class="blob-code blob-code-inner js-file-line">    <span class="pl-k">return</span>  1</td></tr></table>',
    "```\ndef a():\n    return  1\n```\n",
  ],
  [
    "code and tasks of Evernote, and code that was copied from VS Code",
    '<div style="-en-codeblock:true;padding:8px"><div>def a():</div><div>    b()</div><div><br></div><div>c()</div></div><ul style="--en-todo:true"><li style="--en-checked:true;"><div>Ask</div></li><li style="--en-checked:false;"><div>Wait</div></li></ul><div style="color:#d4d4d4;background-color:#1e1e1e;font-family:Menlo, monospace;white-space: pre;"><div><span>if a:</span></div><div><span>  b</span></div></div><div style="font-family:monospace;white-space:pre"><div>Dear</div><div>all</div></div>',
    "```\ndef a():\n    b()\n\nc()\n```\n\n- [x] Ask\n- [ ] Wait\n\n```\nif a:\n  b\n```\n\nDear\n\nall\n",
  ],
  [
    "code and quotes of phpBB 3.0",
    '<dl class="codebox"><dt>Code: <a href="#" onclick="selectCode(this)">Select all</a></dt><dd><code>a<br>&nbsp; b</code></dd></dl><blockquote><div><cite><a href="u">ada</a> wrote: <a href="./viewtopic.php?p=1#p1">↑</a><span>Mon Mar 11</span></cite>Yes</div></blockquote>',
    "```\na\n  b\n```\n\n> *ada wrote: Mon Mar 11*\n>\n> Yes\n",
  ],
  [
    "boxes and code of Mintlify",
    '<div class="callout my-4" data-callout-type="warning"><div data-component-part="callout-icon"></div><div data-component-part="callout-content"><span>Hot</span></div></div><div class="callout my-4">No box</div><pre class="shiki" language="bash"><code language="bash"><span class="line"><span>a</span></span>\n<span class="line">b</span></code></pre>',
    "> [!WARNING]\n> Hot\n\nNo box\n\n```bash\na\nb\n```\n",
  ],
  [
    "boxes of ReadMe, and its code in several languages",
    '<blockquote class="callout callout_warn" theme="🚧"><h3 class="callout-heading"><span class="callout-icon">🚧</span>Watch out</h3><p>Hot</p></blockquote><div class="CodeTabs"><div class="CodeTabs-toolbar"><button>Shell</button><button>Python</button></div><div class="CodeTabs-inner"><pre><code class="lang-shell" data-lang="shell">a</code></pre><pre><code data-lang="python">b</code></pre></div></div>',
    "> [!WARNING]\n>\n> ### Watch out\n>\n> Hot\n\n```shell\na\n```\n\n```python\nb\n```\n",
  ],
  [
    "boxes of Ghost, and tables of Intercom, which call themselves presentation",
    '<div class="kg-card kg-callout-card kg-callout-card-blue"><div class="kg-callout-emoji">💡</div><div class="kg-callout-text">Hot</div></div><div class="intercom-interblocks-table-container"><table role="presentation"><tr><td><p><b>Year</b></p></td><td><p><b>Volume</b></p></td></tr><tr><td><p>1871</p></td><td><p>1</p></td></tr></table></div>',
    "> [!NOTE]\n> Hot\n\n| Year | Volume |\n| --- | --- |\n| 1871 | 1 |\n",
  ],
  [
    "line numbers of cnblogs, which only have a colour",
    '<div class="cnblogs_code"><pre><span style="color: #008080;"> 9</span> <span style="color: #0000ff;">if</span><span style="color: #000000;"> a:\n</span><span style="color: #008080;">10</span>     b(<span style="color: #008080;">3</span>)</pre></div>',
    "```\nif a:\n    b(3)\n```\n",
  ],
  [
    "prices with raised cents",
    '<p>Now $12<sup>99</sup>, <span>€</span><span>1.299</span><sup>50</sup> or £5.<sup>49</sup>, <span class="price">$7<sup>25</sup></span>. It cost $500<sup>12</sup>, $2<sup>10</sup> and 10<sup>99</sup>.</p>',
    "Now $12.99, €1.299,50 or £5.49, $7.25. It cost $500<sup>12</sup>, $2<sup>10</sup> and 10<sup>99</sup>.\n",
  ],
  [
    "figures of a report, whose signs have cells of their own",
    "<table><tr><th><th colspan=3>2023<th><th colspan=3>2022</tr><tr><td>Sales<td>$<td align=right><b>383</b><td><td><td>$<td>394<td></tr><tr><td>Costs<td colspan=2 align=right>214<td><td><td colspan=2>223<td></tr><tr><td>Loss<td colspan=2>(565<td>)<td><td>$<td>(334<td>)</tr><tr><td>Margin<td colspan=2>44.1<td>%<td><td colspan=2>—<td></tr></table><table><tr><td>Euro<td>€<td>1.00</tr><tr><td>Pound<td>£<td>0.86</tr></table><table><tr><td>$<td>5</tr><tr><td>$<td>6</tr></table>",
    "|  | 2023 | 2022 |\n| --- | ---: | --- |\n| Sales | **$383** | $394 |\n| Costs | 214 | 223 |\n| Loss | (565) | $(334) |\n| Margin | 44.1% | — |\n\n|  |  |  |\n| --- | --- | --- |\n| Euro | € | 1.00 |\n| Pound | £ | 0.86 |\n\n|  |  |\n| --- | --- |\n| $ | 5 |\n| $ | 6 |\n",
  ],
  [
    "empty code lines in a table",
    '<table class="highlight"><tr><td class="blob-num" data-line-number="1"></td><td class="blob-code">a</td></tr><tr><td class="blob-num" data-line-number="2"></td><td class="blob-code">\n</td></tr><tr><td class="blob-num" data-line-number="3"></td><td class="blob-code">\n</td></tr><tr><td class="blob-num" data-line-number="4"></td><td class="blob-code">  b</td></tr><tr><td class="blob-num" data-line-number="5"></td><td class="blob-code">\n</td></tr></table>',
    "```\na\n\n\n  b\n```\n",
  ],
  [
    "code of Gitea",
    '<div class="file-view code-view"><table><tbody><tr><td class="lines-num"><span id="L1" data-line-number="1"></span></td><td rel="L1" class="lines-code chroma"><code class="code-inner"><span class="kd">func</span> a() {</code></td></tr><tr><td class="lines-num"><span id="L2" data-line-number="2"></span></td><td rel="L2" class="lines-code chroma"><code class="code-inner">  b()</code></td></tr></tbody></table></div>',
    "```\nfunc a() {\n  b()\n```\n",
  ],
  [
    "SyntaxHighlighter",
    '<div class="syntaxhighlighter  java"><table><tbody><tr><td class="gutter"><div class="line number1 index0 alt2">1</div><div class="line number2 index1 alt1">2</div><div class="line number3 index2 alt2">3</div></td><td class="code"><div class="container"><div class="line number1 index0 alt2"><code class="java keyword">if</code> <code class="java plain">(a) {</code></div><div class="line number2 index1 alt1"><code class="java spaces">&nbsp;&nbsp;</code><code class="java plain">b();</code></div><div class="line number3 index2 alt2"><code class="java plain">}</code></div></div></td></tr></tbody></table></div>',
    "```java\nif (a) {\n  b();\n}\n```\n",
  ],
  [
    "line numbers of highlight.js in a pre",
    '<pre><code class="hljs language-js hljs-ln"><table class="hljs-ln"><tbody><tr><td class="hljs-ln-numbers" data-line-number="1"><div class="hljs-ln-n"></div></td><td class="hljs-ln-code">let a = 1;</td></tr><tr><td class="hljs-ln-numbers" data-line-number="2"><div class="hljs-ln-n"></div></td><td class="hljs-ln-code">  b();</td></tr></tbody></table></code></pre>',
    "```js\nlet a = 1;\n  b();\n```\n",
  ],
  [
    "prompts of Jupyter",
    '<div class="jp-InputPrompt jp-InputArea-prompt">In [1]:</div><pre>a</pre><div class="jp-OutputPrompt jp-OutputArea-prompt">Out[1]:</div><table><tr><th>x<th>y<tr><td>1<td>2</table><div class="prompt input_prompt">In&nbsp;[2]:</div><pre>b</pre><div class="prompt output_prompt">Out[2]:</div><p>So</p>',
    "```\na\n```\n\n| x | y |\n| --- | --- |\n| 1 | 2 |\n\n```\nb\n```\n\nSo\n",
  ],
  [
    "formulas of Habr, which are pictures",
    '<p>Let <img class="formula inline" alt="a_1" src="https://habrastorage.org/x.svg"> and <img data-tex="inline" alt="$inline$b$inline$" src="y.svg"> be</p><p><img class="formula" alt="c" src="https://habrastorage.org/z.svg"></p>',
    "Let $a_1$ and $b$ be\n\n$$\nc\n$$\n",
  ],
  [
    "boxes of XWiki",
    '<div class="box infomessage"><span class="icon-block"><i class="fa"></i></span><span class="sr-only">Information</span><div>Ask.</div></div><div class="box errormessage"><p>Hot.</p></div><div class="box">No box</div>',
    "> [!NOTE]\n> Ask.\n\n> [!CAUTION]\n> Hot.\n\nNo box\n",
  ],
  [
    "boxes of Zenn and Qiita",
    '<aside class="msg message"><span class="msg-symbol">!</span><div class="msg-content"><p>Ask.</p></div></aside><aside class="msg alert"><span class="msg-symbol">!</span><div class="msg-content"><p>Hot.</p></div></aside><div class="note warn"><p>Wet.</p></div><div class="note">No box</div>',
    "> [!NOTE]\n> Ask.\n\n> [!WARNING]\n> Hot.\n\n> [!WARNING]\n> Wet.\n\nNo box\n",
  ],
  [
    "code of Discuz, and verse of Project Gutenberg",
    '<div class="blockcode"><div id="code_x"><ol><li>if a:<br /><li>&nbsp; b()</ol></div><em onclick="copy()">复制代码</em></div><div class="stanza"><div class="verse indent0">By night,</div>\n<div class="verse indent2">By day.</div></div>',
    "```\nif a:\n  b()\n```\n\nBy night,  \nBy day.\n",
  ],
  [
    "line numbers of CSDN in a pre",
    '<pre><code class="prism language-js has-numbering">let a;\nb();\n<div class="hljs-button" data-title="Copy"></div></code><ul class="pre-numbering"><li>1</li><li>2</li></ul></pre>',
    "```js\nlet a;\nb();\n```\n",
  ],
  [
    "buttons of Juejin in and above the code",
    '<pre><div class="code-header"><span>ts</span><span class="copyCodeBtn">复制代码</span></div><code class="hljs language-ts">let a;\nb();</code></pre><p>x</p><pre><code class="hljs language-bash">npm i<span class="copy-code-btn">复制代码</span></code></pre>',
    "```ts\nlet a;\nb();\n```\n\nx\n\n```bash\nnpm i\n```\n",
  ],
  [
    "a single line of code beside its number, in Hexo and Hugo, and a table of such cells",
    '<figure class="highlight shell"><table><tr><td class="gutter"><pre><span class="line">1</span><br></pre></td><td class="code"><pre><span class="line">nginx  -s reload</span><br></pre></td></tr></table></figure><table class="lntable"><tr><td class="lntd"><pre class="chroma"><code><span class="lnt">1\n</span></code></pre></td><td class="lntd"><pre class="chroma"><code class="language-go" data-lang="go"><span class="line">a()\n</span></code></pre></td></tr></table><table><tr><td><pre>a</pre></td><td><pre>b</pre></td></tr></table>',
    "```shell\nnginx  -s reload\n```\n\n```go\na()\n```\n\n|  |  |\n| --- | --- |\n| a | b |\n",
  ],
  [
    "notes of Tistory, whose links have words",
    '<p>One<sup class="footnote"><a href="#footnote_1_1" id="footnote_link_1_1">[각주:1]</a></sup>.</p><ol class="footnotes"><li id="footnote_1_1">Two. <a href="#footnote_link_1_1">[본문으로]</a></li></ol>',
    "One[^1].\n\n[^1]: Two.\n",
  ],
  [
    "references of Zhihu, whose notes have ids like those of links back",
    '<p>One<sup><a id="ref_1_0" href="#ref_1" data-reference-link="true">[1]</a></sup>.</p><ol><li id="ref_1"><a class="backLink" href="#ref_1_0" aria-label="back">^</a><span>Two</span></li></ol>',
    "One[^1].\n\n[^1]: Two\n",
  ],
  [
    "code and titles of sections in the editor of Naver",
    '<div class="se-component se-sectionTitle"><div class="se-section se-section-sectionTitle se-l-default"><div class="se-module"><p class="se-text-paragraph"><span>하나</span></p></div></div></div><div class="se-code-source"><div class="__se_code_view language-java">int a;\n  int b;\n</div></div>',
    "## 하나\n\n```java\nint a;\n  int b;\n```\n",
  ],
  [
    "characters of Aozora Bunko that are images",
    '<p>「<img class="gaiji" src="a.png" alt="※(「金＋肅」、U+93FD、123-4)">」と<img class="gaiji" src="b.png" alt="※(「目＋爭」、第3水準1-88-85)"></p>',
    "「鏽」と※(「目＋爭」、第3水準1-88-85)\n",
  ],
  [
    "boxes of themes of Jekyll and Hexo",
    '<blockquote class="prompt-warning"><p>Mind</p></blockquote><div class="note danger flat"><p>Stop</p></div><div class="note"><p>No box</p></div>',
    "> [!WARNING]\n> Mind\n\n> [!CAUTION]\n> Stop\n\nNo box\n",
  ],
  [
    "emoji of Telegram, which are drawn as pictures",
    '<p><b>Back</b> <i class="emoji" style="background-image:url(x)"><b>🔥</b></i></p><p><i>So <b>it</b></i> is.</p>',
    "**Back** 🔥\n\n_So **it**_ is.\n",
  ],
  [
    "formulas of Springer",
    '<p>Let <span class="mathjax-tex">\\(n\\)</span> be</p><div><span class="mathjax-tex">$$a = b$$</span></div>',
    "Let $n$ be\n\n$$\na = b\n$$\n",
  ],
  [
    "Hexo",
    '<figure class="highlight js"><table><tr><td class="gutter"><pre><span class="line">1</span><br><span class="line">2</span><br></pre></td><td class="code"><pre><span class="line">let a;</span><br><span class="line">b();</span><br></pre></td></tr></table></figure>',
    "```js\nlet a;\nb();\n```\n",
  ],
  [
    "mdBook, with its buttons",
    '<pre><div class="buttons"><button>Copy</button></div><code class="language-rust hljs">fn a() {\n  b()</code></pre>',
    "```rust\nfn a() {\n  b()\n```\n",
  ],
  [
    "newer MediaWiki and Enlighter",
    '<div class="mw-highlight mw-highlight-lang-python"><pre>import a</pre></div><p>And</p><pre class="EnlighterJSRAW" data-enlighter-language="java">int a;</pre>',
    "```python\nimport a\n```\n\nAnd\n\n```java\nint a;\n```\n",
  ],
  [
    "notes, fonts and code of LaTeXML",
    '<article class="ltx_document"><p>It<span class="ltx_note" id="f1"><sup class="ltx_note_mark">1</sup><span class="ltx_note_outer"><span class="ltx_note_content"><sup class="ltx_note_mark">1</sup><span class="ltx_tag ltx_tag_note">1</span>A note.</span></span></span> is <span class="ltx_text ltx_font_bold">so</span>.</p><div class="ltx_listing ltx_lst_language_Python ltx_lstlisting">\n<div class="ltx_listingline"><span class="ltx_tag ltx_tag_listingline">1</span>a()</div>\n<div class="ltx_listingline">b()</div></div></article>',
    "It[^1] is **so**.\n\n[^1]: A note.\n\n```python\na()\nb()\n```\n",
  ],
  [
    "typed numbers in a list with bullets, if they are one after the other",
    '<ul><li id="B1"><span class="label">1.</span> <cite>Ann Lee</cite><ul><li>2. Deep</li></ul></li><li><p>2. Mill</p></li></ul><p>And</p><ul><li>1. One</li><li>Two</li></ul><p>And</p><ul><li>2. Two</li><li>3. Three</li></ul>',
    "1. *Ann Lee*\n   - 2\\. Deep\n2. Mill\n\nAnd\n\n- 1\\. One\n- Two\n\nAnd\n\n- 2\\. Two\n- 3\\. Three\n",
  ],
  [
    "boxes of newer VuePress",
    '<div class="custom-container tip"><p class="custom-container-title">TIP</p><p>Swim.</p></div><div class="hint-container warning"><p class="hint-container-title">Mind it</p><p>Deep.</p></div><div class="custom-container wide"><p>Plain.</p></div>',
    "> [!TIP]\n> Swim.\n\n> [!WARNING]\n> **Mind it**\n>\n> Deep.\n\nPlain.\n",
  ],
  [
    "boxes and code of Freshdesk",
    '<div class="fd-callout fd-callout--idea"><p>Swim.</p></div><pre rel="highlighter" code-brush="php">echo 1;</pre><p>And</p><pre data-code-brush="Java">int a;</pre>',
    "> [!TIP]\n> Swim.\n\n```php\necho 1;\n```\n\nAnd\n\n```java\nint a;\n```\n",
  ],
  [
    "headings and paragraphs of Google Patents",
    '<ul class="description"><heading id="h-1">FIELD</heading><li><para-num num="[0001]"> </para-num><div class="description-line">It is about weirs.</div></li><li><para-num num="[0002]"></para-num><div class="description-line">They are low.</div></li></ul><ul class="description"><li>One</li></ul>',
    "### FIELD\n\nIt is about weirs.\n\nThey are low.\n\n- One\n",
  ],
  [
    "formulas of PubMed Central",
    '<p>So</p><table class="disp-formula p"><tr><td class="formula"><math display="block"><mi>E</mi></math></td><td class="label">(1)</td></tr></table>',
    "So\n\n$$\nE\n$$\n\n(1)\n",
  ],
  [
    "boxes and code of Confluence",
    '<div class="confluence-information-macro confluence-information-macro-warning"><p class="title">Mind the rope</p><span class="aui-icon confluence-information-macro-icon"></span><div class="confluence-information-macro-body"><p>Never stand inside.</p></div></div><pre class="syntaxhighlighter-pre" data-syntaxhighlighter-params="brush: py; gutter: false">lift()</pre>',
    "> [!WARNING]\n> **Mind the rope**\n>\n> Never stand inside.\n\n```py\nlift()\n```\n",
  ],
  [
    "an admonition of Docusaurus with its default title",
    '<div class="theme-admonition theme-admonition-danger alert alert--danger"><div class="admonitionHeading_Gv">danger</div><div><p>Gone.</p></div></div>',
    "> [!CAUTION]\n> Gone.\n",
  ],
  [
    "boxes, folds and marks of rustdoc, and a notice of GOV.UK",
    '<details open><summary class="hideme"><span>Expand description</span></summary><div class="docblock"><p>A</p><div class="warning"><p>Beware.</p></div><div class="example-wrap"><a href="#" class="tooltip" title="x">ⓘ</a><pre class="rust"><code>a()</code></pre><a class="test-arrow" href="https://play.example/">Run</a></div><pre class="rust rust-example-rendered">b()<a class="test-arrow" href="https://play.example/">Run</a></pre></div></details><div class="warning">No box</div><div class="application-notice info-notice"><p>Out of date.</p></div>',
    "A\n\n> [!WARNING]\n> Beware.\n\n```rust\na()\n```\n\n```rust\nb()\n```\n\nNo box\n\n> [!NOTE]\n> Out of date.\n",
  ],
  [
    "lists of Google Docs, whose inner lists are siblings",
    '<ul class="c6 lst-kix_a-0 start"><li>a</li></ul><ul class="lst-kix_a-1 start"><li>b</li></ul><ul class="lst-kix_a-2 start"><li>c</li></ul><ul class="lst-kix_a-0"><li>d</li></ul><ul class="lst-kix_b-0"><li>e</li></ul><p>So</p><ul class="lst-kix_b-0"><li>f</li></ul>',
    "- a\n  - b\n    - c\n- d\n\n* e\n\nSo\n\n- f\n",
  ],
  [
    "lists and tasks of Notion",
    '<ol start="1"><li>a</li></ol><ol start="2"><li>b</li></ol>\n<ol start="3"><li>c</li></ol><p>d</p><ol start="4"><li>e</li></ol><ul class="to-do-list"><li><div class="checkbox checkbox-on"></div> <span>f</span></li></ul><ul class="to-do-list"><li><div class="checkbox checkbox-off"></div>g</li></ul><ul class="bulleted-list"><li>h</li></ul>',
    "1. a\n2. b\n3. c\n\nd\n\n4. e\n\n- [x] f\n- [ ] g\n\n* h\n",
  ],
  [
    "recipes of WP Recipe Maker",
    '<ul><li style="list-style-type: none"><label><span class="sr-only screen-reader-text wprm-screen-reader-text">▢ </span></label>300 g</li></ul><p>So</p><ul><li style="list-style-type: decimal;">Mix</li><li style="list-style-type: decimal;">Bake</li></ul>',
    "- 300 g\n\nSo\n\n1. Mix\n2. Bake\n",
  ],
  [
    "points of laws that are tables",
    '<table><col width="4%"><col width="96%"><tr><td><p>(a)</p><td><p>of the <b>classes</b>; and</p></table><table><tr><td>—<td>others.</table><table><tr><td>Name<td>Class</table>',
    "(a) of the **classes**; and\n\n— others.\n\n|  |  |\n| --- | --- |\n| Name | Class |\n",
  ],
  [
    "points in points of a law of the European Union",
    "<table><tr><td><p>(a)</p><td><p>of <b>mills</b>, by:</p><table><tr><td><p>(i)</p><td><p>water; or</p></table><table><tr><td><p>(ii)</p><td><p>wind;</p></table></table>",
    "(a) of **mills**, by:\n\n(i) water; or\n\n(ii) wind;\n",
  ],
  [
    "points and items that are tables of one row, as in reports to the SEC",
    "<table><tr><td><td>(1)<td>Net <b>sales</b>.</table><p>So:</p><table><tr><td><td>●<td>oars <b>and</b><td></table><table><tr><td>•<td><p>nets.</p></table><table><tr><td>»<td>Next</table>",
    "(1) Net **sales**.\n\nSo:\n\n- oars **and**\n- nets.\n\n|  |  |\n| --- | --- |\n| » | Next |\n",
  ],
  [
    "headings with a block inside, and headings by role",
    '<h2><div><span>Features</span></div></h2><p>Text.</p><h3><a href="/x"><p>Part 1</p><div>Sizes</div></a></h3><p>More.</p><h3>Steps <div>US 1x 2x</div></h3><p>So.</p><div class="t" role="heading" aria-level="4">Care</div><p>Wash.</p><div role="heading">Repair</div><ul><li><h4><div>Ask</div></h4>us</li></ul>',
    "## Features\n\nText.\n\n### Part 1 Sizes\n\nMore.\n\n### Steps\n\nUS 1x 2x\n\nSo.\n\n#### Care\n\nWash.\n\n## Repair\n\n- #### Ask\n\n  us\n",
  ],
  [
    "an unclosed heading, a heading with a box of facts, and a text box with a heading's role",
    `<h5><div>Prep: 9 min</div><div>Cook: 30 min</div><div>Serves: 4</div></h5><h3><p>Title</p><p>${"All of the page is in it. ".repeat(20)}</p></h3><div role="heading"><p>${"So is this. ".repeat(40)}</p></div>`,
    `Prep: 9 min\n\nCook: 30 min\n\nServes: 4\n\nTitle\n\n${"All of the page is in it. ".repeat(20).trim()}\n\n${"So is this. ".repeat(40).trim()}\n`,
  ],
  [
    "posts of phpBB 2 and addresses with each text in its own row",
    '<table><tr><td>Posted: 1 May<td><a href="/q">Quote</a><tr><td colspan=2><hr><tr><td colspan=2><span>The post.<br>Bye</span></table><table><tr><td>&nbsp;<td>L House<tr><td><td>Ballard Estate</table><table><tr><td colspan=2>Address<tr><td>Street<td>High</table><table role=presentation><tr><td>a<td>b<tr><td><table><tr><td>c<td>d<tr><td>e<td>f</table></table>',
    "Posted: 1 May\n\nQuote\n\nThe post.  \nBye\n\nL House\n\nBallard Estate\n\n|  |  |\n| --- | --- |\n| Address |  |\n| Street | High |\n\na\n\nb\n\n|  |  |\n| --- | --- |\n| c | d |\n| e | f |\n",
  ],
  [
    "posts of vBulletin, and the quotes in them",
    '<blockquote class="postcontent restore "><div class="bbcode_container"><div class="bbcode_quote"><div class="quote_container"><div class="bbcode_quote_container"></div><div class="bbcode_postedby">Originally Posted by <strong>Ali</strong></div><div class="message">Is it?</div></div></div></div>It is.</blockquote><blockquote class="signature restore">Bye</blockquote>',
    "> Originally Posted by **Ali**\n>\n> Is it?\n\nIt is.\n\nBye\n",
  ],
  [
    "posts of vBulletin 4 that say when they were edited",
    '<blockquote class="postcontent restore ">It is.</blockquote><blockquote class="postcontent lastedited">Last edited by Ali.</blockquote>',
    "It is.\n\nLast edited by Ali.\n",
  ],
  [
    "files with code and buttons of DokuWiki",
    '<p>Say:</p><dl class="code"><dt><a href="?do=export_code&amp;codeblock=0" title="Download Snippet" class="mediafile mf_sh">a.sh</a></dt><dd><pre class="code bash">a</pre></dd></dl><dl class="file"><dt><a href="?do=export_code&amp;codeblock=1" class="mediafile">b</a></dt><dd><pre class="file">b</pre></dd></dl><div class="secedit editbutton_section editbutton_1"><form class="button btn_secedit"><div class="no"><button type="submit">Edit</button></div></form></div><p>So.</p>',
    "Say:\n\na.sh\n\n```bash\na\n```\n\nb\n\n```\nb\n```\n\nSo.\n",
  ],
  [
    "attached files of phpBB",
    '<p>See:</p><dl class="file"><dt><a class="postlink" href="./download/file.php?id=3">plan.pdf</a></dt><dd>(12 KiB) Downloaded 3 times</dd></dl><p>So.</p><dl class="attachbox"><dt>Attachments</dt><dd><dl class="file"><dt>map.pdf</dt><dd>(9 KiB)</dd></dl></dd></dl>',
    "See:\n\nplan.pdf\n\n(12 KiB) Downloaded 3 times\n\nSo.\n\nAttachments  \nmap.pdf\n\n(9 KiB)\n",
  ],
  [
    "the link of MoinMoin that shows line numbers",
    '<div class="codearea"><a href="#" onclick="return togglenumber()" class="codenumbers">Toggle line numbers</a><pre lang="en"><span class="line"><span class="LineNumber">   1 </span>a</span></pre></div>',
    "```\na\n```\n",
  ],
  [
    "posts that are list items, of vBulletin, XenForo, Vanilla, bbPress and NodeBB",
    '<ol id="posts" class="posts" start="1"><li class="postbitlegacy"><a>Ann</a><blockquote class="postcontent restore">One.<ul><li>a</ul></blockquote><li class="postbitlegacy"><a>Bob</a><p>Two.</ol><ol class="messageList" id="messageList"><li class="message"><blockquote class="messageText SelectQuoteContainer ugc baseHtml">Three.<div class="bbCodeBlock bbCodeQuote"><blockquote class="quoteContainer">So</blockquote></div></blockquote></ol><ul class="MessageList DataList Comments"><li class="Item">Four.<li class="Item">Five.</ul><ul class="forums bbp-replies"><li class="bbp-body"><p>Six.</ul><ul component="topic" class="posts timeline list-unstyled"><li><p>Seven.</ul><ul class="posts"><li>A title</ul>',
    "Ann\n\nOne.\n\n- a\n\nBob\n\nTwo.\n\nThree.\n\n> So\n\nFour.\n\nFive.\n\nSix.\n\nSeven.\n\n- A title\n",
  ],
  [
    "admonitions of mdBook and ArchWiki, and one that begins with its type",
    '<blockquote class="blockquote-tag blockquote-tag-tip"><p class="blockquote-tag-title"><svg></svg>Tip</p><p>All is checked.</p></blockquote><div class="archwiki-template-box archwiki-template-box-note"><strong>Note</strong> For more, ask.</div><div class="alert alert-danger"><b>Danger!</b> Hot.</div><div class="alert alert-info"><b>News:</b> None.</div>',
    "> [!TIP]\n> All is checked.\n\n> [!NOTE]\n> For more, ask.\n\n> [!CAUTION]\n> Hot.\n\n> [!NOTE]\n> **News:** None.\n",
  ],
  [
    "bars of MDN and others above code, with a language and a button",
    '<p>Call it:</p><div class="code-example"><div class="example-header"><span class="language-name">js</span><button>Copy</button></div><pre class="brush: js notranslate"><code>a()</code></pre></div><div><div>Python</div><pre><code>b()</code></pre></div><ul><li>So:<div>Copy</div><pre><code class="language-shell-session">c</code></pre></li></ul>',
    "Call it:\n\n```js\na()\n```\n\n```python\nb()\n```\n\n- So:\n\n  ```shell-session\n  c\n  ```\n",
  ],
  [
    "bars of SMF above code, and code with breaks",
    '<div class="codeheader">Code: <a class="codeoperation">[Select]</a></div><code class="bbc_code">if a:<br />&nbsp; b()</code>So<br><div class="codeheader"><span class="code">Code</span> <a>Select</a> <a>Expand</a></div><code>c<br>d</code>',
    "```\nif a:\n  b()\n```\n\nSo\n\n```\nc\nd\n```\n",
  ],
  [
    "bars of phpBB and vBulletin above code",
    '<div class="codebox"><p>Code: <a href="#" onclick="selectCode(this)">Select all</a></p><pre><code>a</code></pre></div><dl class="codebox"><dd>x</dl><div>PHP-Code:</div><pre>b</pre><div>Code:</div><pre>c</pre><p>The code:</p><pre>d</pre>',
    "```\na\n```\n\nx\n\n```php\nb\n```\n\n```\nc\n```\n\nThe code:\n\n```\nd\n```\n",
  ],
  [
    "other words above code",
    '<p>CSS</p><pre><code class="language-js">a()</code></pre><p>Response</p><pre><code>b</code></pre><p>Copy</p><p>Go</p><h2>Rust</h2><pre><code>c</code></pre>',
    "CSS\n\n```js\na()\n```\n\nResponse\n\n```\nb\n```\n\nCopy\n\nGo\n\n## Rust\n\n```\nc\n```\n",
  ],
  [
    "a button beside a heading, and a button that is the heading",
    '<h2>Install <button>Copy link</button></h2><p>Text.</p><h3><button aria-expanded="true">Questions</button></h3><p>More.</p><h3><button>Why is it that one has to ask so many questions?</button> ?</h3><p>So.</p>',
    "## Install\n\nText.\n\n### Questions\n\nMore.\n\n### Why is it that one has to ask so many questions? ?\n\nSo.\n",
  ],
  [
    "lists directly in lists instead of in items",
    "<ul><li>a</li><ul><li>b</li></ul><li>c</li></ul><ol><li>one</li><ol><li>two</li></ol><li>three</li></ol><ul><ul><li>x</li></ul></ul>",
    "- a\n  - b\n- c\n\n1. one\n   1. two\n2. three\n\n- x\n",
  ],
  [
    "quotes of phpBB and MyBB below the author's name",
    "<blockquote><div><cite>Alice wrote:</cite>The text.</div></blockquote><p>Yes.</p><blockquote><cite>Bob Wrote:</cite>More.</blockquote><p>A <cite>Title</cite> in a text.</p>",
    "> *Alice wrote:*\n>\n> The text.\n\nYes.\n\n> *Bob Wrote:*\n>\n> More.\n\nA *Title* in a text.\n",
  ],
  [
    "screen-reader text on how a link opens",
    '<p>See <a href="/a">the map<span class="visually-hidden">(opens in new tab)</span></a> and <a href="/b">more<span class="sr-only"> about maps</span></a>.</p>',
    "See the map and more about maps.\n",
  ],
  [
    "bold text that ends with its punctuation",
    "<p><b>Flour:</b>white. <b>4 May -</b>Yes. <b>重要です。</b>また「<b>何</b>」 x<em>(y)</em>z</p>",
    "**Flour**:white. **4 May** -Yes. **重要です**。また「**何**」 x(y)z\n",
  ],
  [
    "older MediaWiki with grouped notes",
    '<h2><span class="mw-headline" id="x">Title</span><span class="mw-editsection"><span class="mw-editsection-bracket">[</span><a href="/e">edit</a><span class="mw-editsection-bracket">]</span></span></h2><p>Text.<sup id="cite_ref-a_1-0" class="reference"><a href="#cite_note-a-1">[Anm. 1]</a></sup></p><ol class="references"><li id="cite_note-a-1"><span class="mw-cite-backlink"><b><a href="#cite_ref-a_1-0">^</a></b></span> <span class="reference-text">Note.</span></li></ol>',
    "## Title\n\nText.[^1]\n\n[^1]: Note.\n",
  ],
  [
    "footnotes of WordPress",
    '<p>Text<sup data-fn="u1" class="fn"><a href="#u1" id="u1-link">1</a></sup> more.</p><ol class="wp-block-footnotes"><li id="u1">Note here. <a href="#u1-link" aria-label="Jump">↩︎</a></li></ol>',
    "Text[^1] more.\n\n[^1]: Note here.\n",
  ],
  [
    "footnotes of Pandoc",
    '<p>Text<a href="#fn1" class="footnote-ref" id="fnref1" role="doc-noteref"><sup>1</sup></a>.</p><section class="footnotes"><hr><ol><li id="fn1"><p>Two:</p><pre><code>x</code></pre><p><a href="#fnref1" class="footnote-back" role="doc-backlink">↩︎</a></p></li></ol></section>',
    "Text[^1].\n\n[^1]: Two:\n\n    ```\n    x\n    ```\n",
  ],
  [
    "footnotes of Sphinx",
    '<p>Text <a class="footnote-reference brackets" href="#id2" id="id1" role="doc-noteref"><span class="fn-bracket">[</span>1<span class="fn-bracket">]</span></a> x.</p><aside class="footnote brackets" id="id2" role="doc-footnote"><span class="label"><span class="fn-bracket">[</span><a role="doc-backlink" href="#id1">1</a><span class="fn-bracket">]</span></span><p>The note.</p></aside>',
    "Text [^1] x.\n\n[^1]: The note.\n",
  ],
  [
    "footnotes of older Sphinx in tables",
    '<p>Text <a class="footnote-reference" href="#f1" id="id1">[1]</a></p><table class="docutils footnote" id="f1"><tbody><tr><td class="label"><a class="fn-backref" href="#id1">[1]</a></td><td>The note.</td></tr></tbody></table>',
    "Text [^1]\n\n[^1]: The note.\n",
  ],
  [
    "footnotes of Word",
    '<p>Text<a href="#_ftn1" name="_ftnref1"><span>[1]</span></a>.</p><div id=ftn1><p><a href="#_ftnref1" name="_ftn1"><span>[1]</span></a> The note.</p></div>',
    "Text[^1].\n\n[^1]: The note.\n",
  ],
  [
    "footnotes that only line breaks separate",
    '<p>Text<sup id="r1"><a href="#f1">1</a></sup> more<sup id="r2"><a href="#f2">2</a></sup>.</p><p><a id="f1" href="#r1">1</a> One.<br><a id="f2" href="#r2">2</a> Two.</p>',
    "Text[^1] more[^2].\n\n[^1]: One.\n\n[^2]: Two.\n",
  ],
  [
    "text of an editor that only uses styles",
    '<b style="font-weight:normal"><p><span style="font-weight:400">Plain and </span><span style="font-weight:700">bold</span> <span style="font-style:italic">it</span> <span style="text-decoration:line-through">gone</span></p></b>',
    "Plain and **bold** *it* ~~gone~~\n",
  ],
  [
    "an admonition of Asciidoctor",
    '<div class="admonitionblock note"><table><tr><td class="icon"><div class="title">Note</div></td><td class="content"><div class="paragraph"><p>Text here.</p></div><ul><li><p>a</p></li></ul></td></tr></table></div>',
    "> [!NOTE]\n> Text here.\n>\n> - a\n",
  ],
  [
    "an admonition and a fold of MkDocs",
    '<div class="admonition tip"><p class="admonition-title">Tip</p><p>Text.</p></div><details class="note"><summary>More</summary><p>In.</p></details>',
    "> [!TIP]\n> Text.\n\n**More**\n\nIn.\n",
  ],
  [
    "a warning of Bootstrap, and boxes of a shop",
    '<div class="alert alert-warning"><p>Mind the gap.</p></div><div class="callout dark-motif text-center"><p>Read the book.</p></div><div class="callout callout--grey"><p>Fun fact.</p></div>',
    "> [!WARNING]\n> Mind the gap.\n\nRead the book.\n\nFun fact.\n",
  ],
  [
    "admonitions of Quarto, and one by role",
    '<div class="callout callout-style-default callout-note callout-titled"><p>One.</p></div><p>Between.</p><div class="alert" role="alert"><p>Two.</p></div>',
    "> [!NOTE]\n> One.\n\nBetween.\n\n> [!NOTE]\n> Two.\n",
  ],
  [
    "line numbers in spans of the highlight.js plug-in",
    '<p><span class="ln-num">12</span> <code>a()</code> is called.</p>',
    "`a()` is called.\n",
  ],
  [
    "a list in a cell",
    "<table><tr><th>Day</th><th>Food</th></tr><tr><td>Monday</td><td><ul><li>Soup</li><li>Bread</li></ul></td></tr><tr><td>Tuesday</td><td><ol><li>Rice</li><li>Beans</li></ol></td></tr></table>",
    "| Day | Food |\n| --- | --- |\n| Monday | - Soup<br>- Bread |\n| Tuesday | 1. Rice<br>2. Beans |\n",
  ],
  [
    "tabs of MkDocs",
    '<div class="tabbed-set tabbed-alternate"><input checked id="a" name="t" type="radio"><input id="b" name="t" type="radio"><div class="tabbed-labels"><label for="a">C</label><label for="b">C++</label></div><div class="tabbed-content"><div class="tabbed-block"><pre><code>c</code></pre></div><div class="tabbed-block"><pre><code>cpp</code></pre></div></div></div>',
    "**C**\n\n```\nc\n```\n\n**C++**\n\n```\ncpp\n```\n",
  ],
  [
    "tabs of Bootstrap",
    '<ul class="nav nav-tabs" role="tablist"><li><a href="#h" role="tab">Home</a></li><li><a href="#p" role="tab">Profile</a></li></ul><div class="tab-content"><div id="h" role="tabpanel">One text.</div><div id="p" role="tabpanel">Two text.</div></div>',
    "**Home**\n\nOne text.\n\n**Profile**\n\nTwo text.\n",
  ],
  [
    "tabs of Bootstrap without roles, and links to pages that look like tabs",
    '<div><ul class="nav nav-tabs"><li class="active"><a href="#d" data-toggle="tab">Details</a></li><li><a href="#r" data-toggle="tab">Reviews (0)</a></li></ul><div class="tab-content"><div class="tab-pane active" id="d">One text.</div><div class="tab-pane" id="r">Two text.</div></div></div><div><ul class="nav nav-pills" role="tablist"><li class="nav-item"><a class="nav-link" href="#c">C</a></li><li class="nav-item"><a class="nav-link" href="#e">D</a></li></ul><div class="tab-content"><div class="tab-pane fade" id="c">Three text.</div><div class="tab-pane fade" id="e">Four text.</div></div></div><ul class="nav nav-tabs"><li><a href="/a">Page</a></li><li><a href="/b">Talk</a></li></ul>',
    "**Details**\n\nOne text.\n\n**Reviews (0)**\n\nTwo text.\n\n**C**\n\nThree text.\n\n**D**\n\nFour text.\n\n- Page\n- Talk\n",
  ],
  [
    "tabs whose panels repeat the label, as in WooCommerce",
    '<ul class="tabs wc-tabs" role="tablist"><li role="tab"><a href="#d">Description</a></li><li role="tab"><a href="#r">Reviews (2)</a></li><li role="tab"><a href="#c">Care</a></li></ul><div id="d" role="tabpanel"> <h2>Description</h2><p>One text.</div><div id="r" role="tabpanel" style="display:none"><div><h2>Reviews</h2><p>Two text.</div></div><div id="c" role="tabpanel"><p>Three text.<h2>Care</h2><p>Four text.</div>',
    "## Description\n\nOne text.\n\n## Reviews\n\nTwo text.\n\n**Care**\n\nThree text.\n\n## Care\n\nFour text.\n",
  ],
  [
    "tabs of WPBakery, with and without roles",
    '<div><div><ul class="vc_tta-tabs-list"><li class="vc_tta-tab"><a href="#a">Stone</a></li><li class="vc_tta-tab"><a href="#b">Iron</a></li></ul></div><div><div class="vc_tta-panel" id="a"><h4><a href="#a">Stone</a></h4><p>One text.</p></div><div class="vc_tta-panel vc_active" id="b"><h4><a href="#b">Iron</a></h4><p>Two text.</p></div></div></div><div><div><ul class="vc_tta-tabs-list" role="tablist"><li role="presentation"><a href="#c" role="tab">Wood</a></li><li role="presentation"><a href="#d" role="tab">Glass</a></li></ul></div><div><div class="vc_tta-panel" id="c"><p>Three text.</p></div><div class="vc_tta-panel" id="d"><p>Four text.</p></div></div></div>',
    "#### Stone\n\nOne text.\n\n#### Iron\n\nTwo text.\n\n**Wood**\n\nThree text.\n\n**Glass**\n\nFour text.\n",
  ],
  [
    "tabs whose links name panels without a role, as in Magento's Page Builder",
    '<div class="tabs"><ul role="tablist"><li role="tab"><a href="#A">Paper</a></li><li role="tab"><a href="#B">Ink</a></li></ul><div><div id="A"><p>One text.</p></div><div id="B"><p>Two text.</p></div></div></div>',
    "**Paper**\n\nOne text.\n\n**Ink**\n\nTwo text.\n",
  ],
  [
    "a poem of Substack",
    '<div class="preformatted-block"><label class="hide-text" contenteditable="false">Text within this block will maintain its original spacing when published</label><pre class="text">O river wide\nwhere stones abide</pre></div>',
    "O river wide  \nwhere stones abide\n",
  ],
  [
    "more tabs than panels",
    '<ul role="tablist"><li role="tab">A</li><li role="tab">B</li></ul><div role="tabpanel">One text.</div>',
    "- A\n- B\n\nOne text.\n",
  ],
  [
    "MathJax 2 with its preview",
    '<p>A <span class="MathJax_Preview">x</span><script type="math/tex">x</script> b <span class="MathJax_Preview">y</span><span class="MathJax_SVG"><svg></svg></span><script type="math/tex">y</script></p>',
    "A $x$ b $y$\n",
  ],
  [
    "blocks of formulas",
    '<div class="arithmatex">\\[ a = b \\]</div><p>so <span class="arithmatex">\\(c\\)</span></p>',
    "$$\na = b\n$$\n\nso $c$\n",
  ],
  [
    "a table with a formula or an image alone in a cell",
    '<table><tr><th>Name</th><th>Formula</th></tr><tr><td>Area</td><td><img class="tex" src="x" alt="\\pi r^2"></td></tr><tr><td><img class="tex" src="x" alt="e"></td><td>2.718</td></tr></table>',
    "| Name | Formula |\n| --- | --- |\n| Area | $\\pi r^2$ |\n| $e$ | 2.718 |\n",
  ],
  [
    "two header rows without a thead, and a row header",
    "<table><tr><th rowspan=2>A</th><th colspan=2>B</th></tr><tr><th>c</th><th>d</th></tr><tr><th>r</th><td>4</td><td>5</td></tr></table>",
    "| A | B<br>c | B<br>d |\n| --- | --- | --- |\n| r | 4 | 5 |\n",
  ],
  [
    "a formula of LaTeXML in a table with its number",
    '<p>We have</p><table class="ltx_equation ltx_eqn_table"><tr><td class="ltx_eqn_cell"></td><td class="ltx_eqn_cell"><math alttext="E=mc^{2}" display="block"><mi>E</mi></math></td><td class="ltx_eqn_cell">(1)</td></tr></table><p>of <cite class="ltx_cite">[<a href="#bib1">1</a>]</cite>.</p>',
    "We have\n\n$$\nE=mc^{2}\n$$\n\n(1)\n\nof \\[1].\n",
  ],
  [
    "a cell of a notebook",
    '<div class="input_area"><div class="highlight hl-ipython3"><pre><span></span>print(1)\n</pre></div></div>',
    "```python\nprint(1)\n```\n",
  ],
  [
    "a table that has only headers",
    "<table><tr><th>A</th><th>B</th></tr><tr><th>c</th><th>d</th></tr></table>",
    "| A | B |\n| --- | --- |\n| c | d |\n",
  ],
  [
    "terms in boxes, more terms than definitions, and a definition without a term",
    "<dl><div><dt>A</dt><dd>one</dd></div><div><dt>B</dt><dt><code>c</code></dt><dd>two</dd></div></dl><dl><dd>alone</dd></dl>",
    "- **A**  \n  one\n- **B**  \n  `c`  \n  two\n\nalone\n",
  ],
  ["terms that are headings", "<dl><dt><h3>Q?</h3></dt><dd>A.</dd></dl>", "### Q?\n\nA.\n"],
  ["terms without a definition", "<dl><dt>Only</dt></dl><p>Text.</p>", "**Only**\n\nText.\n"],
  [
    "lists, quotes, tables and folds in items",
    "<ol start=4><li>a<blockquote>q<ul><li>x</ul></blockquote><li>b<table><tr><th>h<th>i<tr><td>1<td>2</table><li>c<details><summary>S</summary>t</details></ol>",
    "4. a\n\n   > q\n   >\n   > - x\n\n5. b\n\n   | h | i |\n   | --- | --- |\n   | 1 | 2 |\n\n6. c\n\n   **S**\n\n   t\n",
  ],
  [
    "tasks, and check boxes for readers",
    '<ul><li class="task-list-item"><input type="checkbox" disabled checked> a</li><li><p><input type="checkbox" disabled> b</p></li></ul><ol><li><input type="checkbox"> c</li></ol>',
    "- [x] a\n- [ ] b\n\n1. c\n",
  ],
  [
    "numbers of items in lines of their own, but not other numbers",
    "<ol><li><div>01</div><p>One.</p></li><li><div>2.</div><h4>Two</h4></li><li><div>7</div><p>Three.</p></li><li><p>4</p></li></ol>",
    "1. One.\n\n2. #### Two\n\n3. 7\n\n   Three.\n\n4. 4\n",
  ],
  [
    "numbers that all items of a list begin with, but not those of one item",
    "<ol><li><span>1.</span> <b>Terms</b> of use<ol><li>1.1 Of boats</li><li>1.2 Of nets</li></ol></li><li><b>2. Fees</b> are low.</li></ol><p>B</p><ol><li>A</li><li>2. Liga</li></ol><p>C</p><ol><li>1. Liga</li></ol>",
    "1. **Terms** of use\n   1. 1.1 Of boats\n   2. 1.2 Of nets\n2. **Fees** are low.\n\nB\n\n1. A\n2. 2\\. Liga\n\nC\n\n1. 1\\. Liga\n",
  ],
  [
    "code of Astro's Expressive Code, with a gutter for each line, and the bar of MDN",
    '<figure><pre data-language="js"><code><div class="ec-line"><div class="gutter"><div class="ln">1</div></div><div class="code">if (a)</div></div><div class="ec-line"><div class="gutter"><div class="ln">2</div></div><div class="code"><span class="indent">  </span>b()</div></div></code></pre></figure><div class="example-header"><span class="language-name">js</span><button><span class="visually-hidden">Copy to Clipboard</span></button></div><pre class="brush: js"><code>c()</code></pre>',
    "```js\nif (a)\n  b()\n```\n\n```js\nc()\n```\n",
  ],
  [
    "tabs that name their panels, among which are other tabs, and code of later versions of VitePress",
    '<ul class="nav nav-tabs"><li><a href="#a">A</a></li><li><a href="#b">B</a></li></ul><div class="tab-content"><div class="tab-pane" id="b"><p>Two text.</p><div><div class="tab-pane" id="c"><p>In two.</p></div></div></div><div class="tab-pane" id="a"><p>One text.</p></div></div><div class="vp-code-group vp-adaptive-theme"><div class="tabs"><input type="radio" id="t1" checked><label for="t1">npm</label><input type="radio" id="t2"><label for="t2">yarn</label></div><div class="blocks"><div class="language-sh"><pre><code>npm i x</code></pre></div><div class="language-sh"><pre><code>yarn add x</code></pre></div></div></div>',
    "**B**\n\nTwo text.\n\nIn two.\n\n**A**\n\nOne text.\n\n**npm**\n\n```sh\nnpm i x\n```\n\n**yarn**\n\n```sh\nyarn add x\n```\n",
  ],
  [
    "tabs of Divi, Webflow and Fandom",
    '<div class="et_pb_module et_pb_tabs"><ul class="et_pb_tabs_controls clearfix"><li class="et_pb_tab_0"><a href="#">A</a></li><li class="et_pb_tab_1"><a href="#">B</a></li></ul><div class="et_pb_all_tabs"><div class="et_pb_tab et_pb_tab_0"><div class="et_pb_tab_content"><p>One.</p></div></div><div class="et_pb_tab et_pb_tab_1"><p>Two.</p></div></div></div><div class="w-tabs"><div class="tabs-menu w-tab-menu"><a data-w-tab="Tab 1" class="tab w-tab-link"><div>C</div></a><a data-w-tab="Tab 2" class="tab w-tab-link"><div>D</div></a></div><div class="w-tab-content"><div data-w-tab="Tab 1" class="w-tab-pane w--tab-active"><p>Three.</p></div><div class="w-tab-pane"><p>Four.</p></div></div></div><div class="tabber wds-tabber"><div class="wds-tabs__wrapper"><ul class="wds-tabs"><li class="wds-tabs__tab wds-is-current"><div class="wds-tabs__tab-label"><a href="#">E</a></div></li><li class="wds-tabs__tab"><div class="wds-tabs__tab-label"><a href="#">F</a></div></li></ul></div><div class="wds-tab__content wds-is-current"><p>Five.</p></div><div class="wds-tab__content"><p>Six.</p></div></div>',
    "**A**\n\nOne.\n\n**B**\n\nTwo.\n\n**C**\n\nThree.\n\n**D**\n\nFour.\n\n**E**\n\nFive.\n\n**F**\n\nSix.\n",
  ],
  [
    "formulas of KaTeX without the tags of their MathML, of CSDN",
    '<p>So <span class="katex--inline"><span class="katex"><span class="katex-mathml">\n  \n   \n    x\n   \n   \n    2\n   \n  \n  x^2 \\\\\n +1\n  \n </span><span class="katex-html"><span class="mord">x</span><span class="mord">2</span></span></span></span> is.</p>',
    "So $x^2 \\\\ +1$ is.\n",
  ],
  [
    "boxes of Starlight and Ghost",
    '<aside aria-label="Watch out" class="starlight-aside starlight-aside--caution"><p class="starlight-aside__title" aria-hidden="true"><svg></svg>Watch out</p><div class="starlight-aside__content"><p>Hot.</p></div></aside><div class="kg-card kg-callout-card kg-callout-card-blue"><div class="kg-callout-text">We open <b>Monday</b>.</div></div>',
    "> [!CAUTION]\n> **Watch out**\n>\n> Hot.\n\n> [!NOTE]\n> We open **Monday**.\n",
  ],
  [
    "boxes of DocFX, and code of VitePress in tabs",
    '<div class="WARNING"><p>Warning</p><p>Mind it.</p></div><div class="TIP"><h5>Tip</h5><p>Ask.</p></div><p class="NOTE">No box.</p><div class="vp-code-group"><div class="tabs"><input type="radio" id="a" checked><label for="a">npm</label><input type="radio" id="b"><label for="b">yarn</label></div><div class="blocks"><div class="language-sh active"><button class="copy"></button><span class="lang">sh</span><pre><code>npm i x</code></pre></div><div class="language-sh"><span class="lang">sh</span><pre><code>yarn add x</code></pre></div></div></div>',
    "> [!WARNING]\n> Mind it.\n\n> [!TIP]\n> Ask.\n\nNo box.\n\n**npm**\n\n```sh\nnpm i x\n```\n\n**yarn**\n\n```sh\nyarn add x\n```\n",
  ],
  [
    "formulas that a service draws as images, and those of Zhihu",
    '<p>Of <img src="https://latex.codecogs.com/svg.latex?\\dpi{150}&space;\\inline\\infty&plus;a+b" alt="x">, <img src="https://www.zhihu.com/equation?tex=a%2Bb+%3D+c" alt="a">, <img src="https://s0.wp.com/latex.php?latex=%5Cfrac%7Ba%7D%7Bb%7D&bg=fff">, <img src="/cgi-bin/mimetex.cgi?x^2"> and <span class="ztext-math" data-eeimg="1" data-tex="x^2">x²</span>, <img src="/equation?text=a" alt="no">.</p>',
    "Of $\\infty+a+b$, $a+b = c$, $\\frac{a}{b}$, $x^2$ and $x^2$, .\n",
  ],
  [
    "formulas of WeChat and mdnice",
    '<p>令 <span style="cursor:pointer"><span role="presentation" data-formula="E=mc^2" data-formula-type="inline-equation" style=""><embed src="/a.svg"></span></span>，其中 <span data-formula="x_i" style="cursor:pointer"><svg><title>x</title></svg></span> 是变量<span data-formula="a1+a2" style="">12</span>。</p><section style="text-align:center"><span data-formula="a+b" data-formula-type="block-equation" style="display:block"><svg></svg></span></section>',
    "令 $E=mc^2$，其中 $x_i$ 是变量12。\n\n$$\na+b\n$$\n",
  ],
  [
    "notes of Texinfo, whose numbers are headings",
    '<p>The sea is salt<a class="footnote" id="DOCF1" href="#FOOT1"><sup>1</sup></a>, and deep<a name="DOCF2" href="#FOOT2">(2)</a>.</p><div class="footnotes-segment"><hr><h4 class="footnotes-heading">Footnotes</h4><h5 class="footnote-body-heading"><a id="FOOT1" href="#DOCF1">(1)</a></h5><p>A litre holds 35 grams of it.</p><h3><a name="FOOT2" href="#DOCF2">(2)</a></h3><p>It is 3,700 metres deep.</p></div>',
    "The sea is salt[^1], and deep[^2].\n\n#### Footnotes\n\n[^1]: A litre holds 35 grams of it.\n\n[^2]: It is 3,700 metres deep.\n",
  ],
  [
    "notes with a number that is no link",
    '<p>a<sup><a href="#n1">1</a></sup> b<sup><a href="#n2">[2]</a></sup> c<sup><a href="#n3">3</a></sup> d<sup><a href="#n4">4</a></sup></p><p id="n1"><sup>1</sup>One.</p><p id="n2">[2] Two.</p><p id="n3">3. Three.</p><p id="n4">12 otters.</p>',
    "a[^1] b[^2] c[^3] d[^4]\n\n[^1]: One.\n\n[^2]: Two.\n\n[^3]: Three.\n\n[^4]: 12 otters.\n",
  ],
  [
    "titles, terms and variables",
    "<p>In <cite>Book</cite> a <dfn>term</dfn> and <var>x</var></p>",
    "In *Book* a *term* and *x*\n",
  ],
  [
    "code lines in a paragraph, as in WordPress and old boards, and a single code line",
    "<p>Run:</p><p><code>npm install<br>\nnpm *test*</code></p><div><code>a</code><br><code>b</code></div><ul><li><code>c<br>d</code></li></ul><p><code>e</code></p><p>So: <code>f<br>g</code></p><table><tr><th>h<th>i<tr><td><code>j<br>k</code><td>l</table>",
    "Run:\n\n```\nnpm install\nnpm *test*\n```\n\n```\na\nb\n```\n\n- ```\n  c\n  d\n  ```\n\n`e`\n\nSo: `f`  \n`g`\n\n| h | i |\n| --- | --- |\n| `j`<br>`k` | l |\n",
  ],
  [
    "a row of headings above a table, and rows with a heading in one cell",
    "<table><tr><td><h3>Name</h3><td><h3><b>Age</b></h3><tr><td>Ann<td>3</table><table><tr><td>a<td>b<tr><td><h4>c</h4><td>d</table><table><tr><td><h2>Title</h2><tr><td>Text.</table>",
    "| Name | Age |\n| --- | --- |\n| Ann | 3 |\n\n|  |  |\n| --- | --- |\n| a | b |\n| **c** | d |\n\n## Title\n\nText.\n",
  ],
  [
    "footnotes of Easy Footnotes, Footnotes by elvery, and Substack in a saved page",
    '<p>a<span class="easy-footnote"><a href="#easy-footnote-bottom-1-5"><sup>1</sup></a></span></p><ol class="easy-footnotes-wrapper"><li><span id="easy-footnote-bottom-1-5"></span>One.</li></ol><p>b<sup><a href="#footnote_0_12" id="identifier_0_12" class="footnote-link footnote-identifier-link">2</a></sup></p><ol class="footnotes"><li id="footnote_0_12" class="footnote">Two.<span class="footnote-back-link-wrapper"> [<a href="#identifier_0_12" class="footnote-link footnote-back-link">&#8617;</a>]</span></li></ol><p>c<a id="footnote-anchor-3-8" href="https://x.example/p/a#footnote-3-8" class="footnote-anchor">3</a></p><div class="footnote"><a id="footnote-3-8" href="https://x.example/p/a#footnote-anchor-3-8" class="footnote-number">3</a><div class="footnote-content"><p>Three.</p></div></div>',
    "a[^1]\n\n[^1]: One.\n\nb[^2]\n\n[^2]: Two.\n\nc[^3]\n\n[^3]: Three.\n",
  ],
  [
    "aligned equations of LaTeXML with each side in a cell",
    '<table class="ltx_equationgroup ltx_eqn_align ltx_eqn_table"><tbody><tr class="ltx_equation ltx_eqn_row"><td class="ltx_eqn_cell"></td><td class="ltx_td ltx_eqn_cell"><math alttext="\\displaystyle a" display="inline"><mi>a</mi></math></td><td class="ltx_td ltx_eqn_cell"><math alttext="\\displaystyle=b," display="inline"><mo>=</mo><mi>b</mi></math></td><td class="ltx_eqn_cell ltx_eqn_eqno">(1)</td></tr></tbody><tbody><tr class="ltx_equation ltx_eqn_row"><td class="ltx_eqn_cell"></td><td class="ltx_td ltx_eqn_cell"><math alttext="\\displaystyle c" display="inline"><mi>c</mi></math></td><td class="ltx_td ltx_eqn_cell"><math alttext="\\displaystyle=d" display="inline"><mo>=</mo><mi>d</mi></math></td><td class="ltx_eqn_cell ltx_eqn_eqno">(2)</td></tr></tbody></table>',
    "$$\na =b,\n$$\n\n(1)\n\n$$\nc =d\n$$\n\n(2)\n",
  ],
  [
    "emphasis that is never closed",
    `<p>a<i/> b</p>${"<p>One <b>two</b> three.</p>".repeat(6)}`,
    `a b\n\n${"One **two** three.\n\n".repeat(6).trim()}\n`,
  ],
  [
    "code of chats, whose bar is in the pre as well",
    '<pre><div class="rounded"><div class="flex">python</div><div class="sticky"><div><button>Copy code</button></div></div><div dir="ltr"><code class="hljs language-python"><span>def a(x):\n    return x\n</span></code></div></div></pre><pre><div><span>js</span><button>Copy</button></div><div><div><code class="language-js">a()</code></div></div></pre><pre><div>one()</div><div><code>two()</code></div></pre><pre><div><div class="sticky"><div>Bash</div><button>Copy</button></div><div class="cm-editor"><div class="cm-content"><span>cd</span> a<br>ls</div></div></div></pre>',
    "```python\ndef a(x):\n    return x\n```\n\n```js\na()\n```\n\n```\none()\ntwo()\n```\n\n```bash\ncd a\nls\n```\n",
  ],
  [
    "footnotes of DokuWiki",
    '<p>a<sup><a href="#fn__1" id="fnt__1" class="fn_top">1)</a></sup> b</p><div class="footnotes"><div class="fn"><sup><a href="#fnt__1" id="fn__1" class="fn_bot">1)</a></sup>\n<div class="content">One.</div></div></div>',
    "a[^1] b\n\n[^1]: One.\n",
  ],
  [
    "quotes of XenForo, names and parameters of Javadoc, and boxes of Notion",
    '<div class="bbCodeBlock bbCodeBlock--quote"><div class="bbCodeBlock-title">Bob said:</div><div class="bbCodeBlock-content">Is it?</div></div>It is.<div class="member-signature"><span>public</span>&nbsp;<a href="E.html">E</a>&nbsp;<span>add</span>(int[] *x)</div><figure class="block-color-gray callout"><div><span class="icon">!</span></div><div>Mind it.</div></figure>',
    "> Bob said:\n>\n> Is it?\n\nIt is.\n\n`public E add(int[] *x)`\n\n> [!NOTE]\n> !\n>\n> Mind it.\n",
  ],
  [
    "code of Doxygen",
    '<div class="fragment"><div class="line"><a name="l00001"></a><span class="lineno">    1</span>int main() {</div>\n<div class="line foldopen"><span class="lineno">    2</span>  a(*b); </div>\n<div class="line"> </div>\n<div class="line">}</div>\n</div><!-- fragment --><div class="fragment"><p>Words.</p></div>',
    "```\nint main() {\n  a(*b); \n \n}\n```\n\nWords.\n",
  ],
  [
    "a table with heading rows, and a layout table",
    '<table><tr><td colspan="2"><h3>Size</h3><tr><td>Height<td>3<tr><td><td>More.<br>And more.<tr><td>Width<td>4<tr><td colspan="2"><h3>Power</h3><tr><td>Volt<td>9</table><table><tr><td colspan="2"><h3>News</h3><tr><td>menu<td><p>One.<p>Two.</table>',
    "### Size\n\n|  |  |\n| --- | --- |\n| Height | 3 |\n|  | More.<br>And more. |\n| Width | 4 |\n\n### Power\n\n|  |  |\n| --- | --- |\n| Volt | 9 |\n\n### News\n\nmenu\n\nOne.\n\nTwo.\n",
  ],
  [
    "a box of Quarto, tasks of Confluence, and a fold of pkg.go.dev",
    '<div class="callout callout-style-default callout-warning callout-titled"><div class="callout-header"><div class="callout-title-container flex-fill"><span class="screen-reader-only">Warning</span>Mind</div></div><div class="callout-body"><p>Hot.</p></div></div><ul class="inline-task-list" data-inline-tasks-content-id="1"><li class="checked" data-inline-task-id="1"><span>a</span></li><li data-inline-task-id="2"><span>b</span></li></ul><details><summary>Example <a href="#example-" aria-label="Go to Example">¶</a></summary>Text.</details>',
    "> [!WARNING]\n> **Mind**\n>\n> Hot.\n\n- [x] a\n- [ ] b\n\n**Example**\n\nText.\n",
  ],
  [
    "a layout table of which only the middle is shown",
    '<table><tr><td colspan="3"><img src="logo.gif"></td></tr><tr><td rowspan="2"></td><td><p>One.</p><p>Two.</p></td><td></td></tr><tr><td></td></tr></table>',
    "One.\n\nTwo.\n",
  ],
  [
    "verse of WordPress, and code without a class",
    '<pre class="wp-block-verse has-text-align-center">The <em>sea</em> is calm<br>tonight.\nThe tide is full,\n\n   the moon lies fair</pre><pre class="wp-block-preformatted">a\n b</pre>',
    "The *sea* is calm  \ntonight.  \nThe tide is full,\n\nthe moon lies fair\n\n```\na\n b\n```\n",
  ],
  [
    "summaries of Javadoc made of blocks in a grid",
    '<div class="caption"><span>Methods</span></div><div class="summary-table three-column-summary">\n<div class="table-header col-first">Type</div>\n<div class="table-header col-second">Method</div>\n<div class="table-header col-last">Description</div>\n<div class="col-first even-row-color"><code>int</code></div>\n<div class="col-second even-row-color"><code>a()</code></div>\n<div class="col-last even-row-color">\n<div class="block">Gives <b>a</b>.</div>\n</div>\n<div class="col-first odd-row-color"><code>void</code></div>\n<div class="col-second odd-row-color"><code>b()</code></div>\n<div class="col-last odd-row-color">&nbsp;</div></div><p>So</p><div class="summary-table two-column-summary"><div class="table-header col-first">Constructor</div><div class="table-header col-last">Description</div><div class="col-constructor-name even-row-color"><code>A()</code></div><div class="col-last even-row-color">Makes one.</div></div>',
    "Methods\n\n| Type | Method | Description |\n| --- | --- | --- |\n| `int` | `a()` | Gives **a**. |\n| `void` | `b()` |  |\n\nSo\n\n| Constructor | Description |\n| --- | --- |\n| `A()` | Makes one. |\n",
  ],
  [
    "tables made of blocks with roles, and one with other content",
    '<div role="table"><div role="rowgroup"><div role="row"><div role="columnheader">Food</div><div role="columnheader">Fat</div></div></div><div role="rowgroup"><div role="row"><div role="cell">Egg</div><div role="cell"><p>11 g</p></div></div></div></div><p>So</p><div role="table"><div role="row"><span role="cell">a</span> <span role="cell">b</span></div><div role="row"><span role="cell">c</span> <span role="cell">d</span></div></div><div role="table"><p>Words</p><div role="row"><div role="cell">e</div><div role="cell">f</div></div></div>',
    "| Food | Fat |\n| --- | --- |\n| Egg | 11 g |\n\nSo\n\na b\n\nc d\n\nWords\n\ne\n\nf\n",
  ],
  [
    "callouts in the code of Asciidoctor and their list, with and without icons",
    '<div class="listingblock"><div class="content"><pre class="highlight"><code class="language-java" data-lang="java">a(); <i class="conum" data-value="1"></i><b>(1)</b>\nb(); <i class="conum" data-value="2"></i><b>(2)</b></code></pre></div></div><div class="colist arabic"><table><tr><td><i class="conum" data-value="1"></i><b>1</b></td><td>Calls <code>a</code>.</td></tr><tr><td><i class="conum" data-value="2"></i><b>2</b></td><td>Calls b.<div class="paragraph"><p>Twice.</p></div></td></tr></table></div><p>So</p><div class="listingblock"><pre>c() <b class="conum">(1)</b></pre></div><div class="colist arabic"><ol><li><p>Calls c.</p></li></ol></div>',
    "```java\na(); (1)\nb(); (2)\n```\n\n1. Calls `a`.\n\n2. Calls b.\n\n   Twice.\n\nSo\n\n```\nc() (1)\n```\n\n1. Calls c.\n",
  ],
  [
    "the button that opens a quote of XenForo, and the link to its source",
    '<div class="bbCodeBlock bbCodeQuote"><aside><div class="attribution type">Ann said: <a href="/goto/post?id=1" class="AttributionLink">↑</a></div><blockquote class="quoteContainer"><div class="quote">Is it?</div><div class="quoteExpand">Click to expand...</div></blockquote></aside></div>It is.<blockquote class="bbCodeBlock bbCodeBlock--expandable bbCodeBlock--quote"><div class="bbCodeBlock-content"><div class="bbCodeBlock-expandContent">Was it?</div><div class="bbCodeBlock-expandLink js-expandLink"><a role="button" tabindex="0">Click to expand...</a></div></div></blockquote>It was.',
    "Ann said:\n\n> Is it?\n\nIt is.\n\n> Was it?\n\nIt was.\n",
  ],
  [
    "rows with a bullet in its own cell, and dashes that are values",
    "<table><tr><td>&bull;<td>One <b>two</b>.<tr><td>&bull;<td>Three.<ul><li>a</ul></table><p>So</p><table><tr><td>-<td>Ann<tr><td>3<td>Bob</table><table><tr><th>Age<th>Name<tr><td>-<td>Ann</table>",
    "- One **two**.\n- Three.\n  - a\n\nSo\n\n|  |  |\n| --- | --- |\n| - | Ann |\n| 3 | Bob |\n\n| Age | Name |\n| --- | --- |\n| - | Ann |\n",
  ],
  [
    "icons with a text for screen readers, which are no emphasis",
    '<p>Rated <i class="a-icon a-icon-star"><span>4 of 5 stars</span></i> by <i class="byline">Ann</i>.</p>',
    "Rated 4 of 5 stars by *Ann*.\n",
  ],
  [
    "code of Crayon with line numbers",
    '<div class="crayon-syntax"><div class="crayon-main"><table class="crayon-table"><tr class="crayon-row"><td class="crayon-nums " data-settings="show"><div class="crayon-nums-content"><div class="crayon-num">1</div><div class="crayon-num">2</div><div class="crayon-num">3</div></div></td><td class="crayon-code"><div class="crayon-pre" style="tab-size:4"><div class="crayon-line" id="c-1"><span class="crayon-e">if</span> (a)</div><div class="crayon-line">&nbsp;</div><div class="crayon-line"><span class="crayon-h">&nbsp;&nbsp;</span>b();</div></div></td></tr></table></div></div>',
    "```\nif (a)\n \n  b();\n```\n",
  ],
  [
    "typed bullets, and single ones",
    "<p>Bring:<br>• a <b>map</b><br>•water<br>So.</p><div>● <b>One:</b> x</div><div><b>● Two:</b> y</div><p>z</p><p>• alone</p><p>a<br>• b</p><p>– Who?<br>– I.</p><p><b>•</b> p</p><p><b>•</b> q</p><table><tr><th>a<th>b<tr><td>• c<br>• d<td>e</table>",
    "Bring:\n\n- a **map**\n- water\n\nSo.\n\n- **One:** x\n- **Two:** y\n\nz\n\n• alone\n\na  \n• b\n\n– Who?  \n– I.\n\n- p\n- q\n\n| a | b |\n| --- | --- |\n| • c<br>• d | e |\n",
  ],
  [
    "typed bullets of Japanese, and the dots of an ellipsis",
    "<p>用意するもの：<br>・地図<br>・<b>水</b></p><p>・・・そうですか。<br>・・・はい。</p><div>･甲</div><div>･乙</div>",
    "用意するもの：\n\n- 地図\n- **水**\n\n・・・そうですか。  \n・・・はい。\n\n- 甲\n- 乙\n",
  ],
  [
    "bullets typed in the items of a list, if all have the same",
    "<ul><li>• a<li>• <b>b</b><p>c</ul><p>x</p><ul><li>・甲<li><p>・乙</ul><p>y</p><ul><li>• a<li>b</ul>",
    "- a\n\n- **b**\n\n  c\n\nx\n\n- 甲\n- 乙\n\ny\n\n- • a\n- b\n",
  ],
  [
    "signatures of Doxygen, which are tables",
    '<h2 class="memtitle"><span class="permalink"><a href="#a1">&#9670;&#160;</a></span>row()</h2><div class="memproto"><table class="mlabels"><tr><td class="mlabels-left"><table class="memname">\n<tr>\n<td class="memname">double Boat::row </td>\n<td>(</td>\n<td class="paramtype">double&#160;</td>\n<td class="paramname"><em>d</em>, </td>\n</tr>\n<tr>\n<td class="paramkey"></td>\n<td></td>\n<td class="paramtype">int&#160;</td>\n<td class="paramname"><em>n</em> = <code>2</code>&#160;</td>\n</tr>\n<tr>\n<td></td>\n<td>)</td>\n<td></td><td> const</td>\n</tr>\n</table></td><td class="mlabels-right"><span class="mlabels"><span class="mlabel">inline</span></span></td></tr></table></div><div class="memdoc"><p>Rows it.</p><table><tr><td>a<td>b</table></div>',
    "## row()\n\n`double Boat::row (double d, int n = 2 ) const inline`\n\nRows it.\n\n|  |  |\n| --- | --- |\n| a | b |\n",
  ],
  [
    "signatures of rustdoc, pdoc, YARD, RDoc, TypeDoc and Scaladoc",
    '<div class="signature monospace mono-medium"><span class="kind">def </span><a>at</a>(i: <a>Int</a>)</div><h4 class="code-header">pub fn <a href="#m">new</a>(oars: <a href="u32">u32</a>) -&gt; Self<div class="where">where\n    T: Clone,</div></h4><div class="attr function">\n<span class="def">def</span>\n<span class="name">row</span><span class="signature pdoc-code condensed">(<span class="param"><span class="o">*</span>, </span><span class="param"><span class="n">fast</span></span>)</span></div><h3 class="signature first" id="i">#<strong>sink</strong>(at) &#x21d2; <tt>Object</tt></h3><div class="method-heading"><span class="method-callseq">sink(*at)</span></div><ul class="tsd-signatures"><li><div class="tsd-signature tsd-anchor-link"><span class="tsd-kind-call-signature">row</span><span class="tsd-signature-symbol">(</span><em>n</em><span class="tsd-signature-symbol">)</span></div><p>It.</p></li></ul>',
    "`def at(i: Int)`\n\n#### `pub fn new(oars: u32) -> Self`\n\n`where T: Clone,`\n\n`def row(*, fast)`\n\n### `#sink(at) ⇒ Object`\n\n`sink(*at)`\n\n- `row(n)`\n\n  It.\n",
  ],
  [
    "tabs of Sphinx and of older MkDocs between their panels, and those of Asciidoctor",
    '<div class="sd-tab-set docutils"><input type="radio" id="a"><label class="sd-tab-label" for="a">\npip</label><div class="sd-tab-content docutils"><p>One.</p></div><input type="radio" id="b"><label class="sd-tab-label" for="b">conda</label><div class="sd-tab-content docutils"><div class="tab-set docutils"><input type="radio"><label class="tab-label">C</label><div class="tab-content docutils"><p>Two.</p></div><input type="radio"><label class="tab-label">D</label><div class="tab-content docutils"><p>Three. <label>x</label></p></div></div></div></div><div class="tabbed-set" data-tabs="1:2"><input type="radio"><label for="e">E</label><div class="tabbed-content"><p>Four.</p></div><input type="radio"><label for="f">F</label><div class="tabbed-content"><p>Five.</p></div></div><div class="openblock tabs is-loading"><div class="content"><div class="ulist tablist"><ul><li id="g" class="tab"><p>G</p></li><li id="h" class="tab"><p>H</p></li></ul></div><div id="g--panel" class="tabpanel" aria-labelledby="g"><p>Six.</p></div><div id="h--panel" class="tabpanel" aria-labelledby="h"><ul><li>Seven.</ul></div></div></div>',
    "**pip**\n\nOne.\n\n**conda**\n\n**C**\n\nTwo.\n\n**D**\n\nThree. x\n\n**E**\n\nFour.\n\n**F**\n\nFive.\n\n**G**\n\nSix.\n\n**H**\n\n- Seven.\n",
  ],
  [
    "line numbers of YARD",
    '<table class="source_code"><tr><td><pre class="lines">\n\n\n19\n20</pre></td><td><pre class="code"><span class="info file"># File \'boat.rb\', line 19</span>\n\n<span class="kw">def</span> a\nend</pre></td></tr></table>',
    "```\n# File 'boat.rb', line 19\n\ndef a\nend\n```\n",
  ],
  [
    "links of Sphinx to short terms, which are no notes",
    '<p>An <a class="reference internal" href="#term-API"><span class="xref std std-term">API</span></a>.</p><dl class="glossary"><dt id="term-API">API</dt><dd><p>How programs talk.</p></dd></dl>',
    "An API.\n\n- **API**  \n  How programs talk.\n",
  ],
  [
    "boxes and summaries of ExDoc, and boxes of Gitea",
    '<section role="note" class="warning"><h4 class="warning">Mind it</h4><p>Hot.</p></section><blockquote class="info"><h4 class="info">So</h4><p>Dry.</p></blockquote><div class="info"><h4>No box</h4></div><div class="summary-row"><div class="summary-signature"><a href="#r">row(at, opts \\\\ [])</a></div><div class="summary-synopsis"><p>Rows.</p></div></div><blockquote class="attention-header attention-caution"><p><svg></svg><strong class="attention-caution">Caution</strong></p><p>Wet.</p></blockquote>',
    "> [!WARNING]\n>\n> #### Mind it\n>\n> Hot.\n\n> [!NOTE]\n>\n> #### So\n>\n> Dry.\n\n#### No box\n\n`row(at, opts \\\\ [])`\n\nRows.\n\n> [!CAUTION]\n> Wet.\n",
  ],
  [
    "boxes of Doxygen, which are lists of terms",
    '<dl class="section note"><dt>Note</dt><dd>It must be <b>dry</b>. </dd></dl><dl class="section warning"><dt>Warning</dt><dd><p>Hot.</p><ul><li>a</li></ul></dd></dl><dl class="section return"><dt>Returns</dt><dd>It.</dd></dl>',
    "> [!NOTE]\n> It must be **dry**.\n\n> [!WARNING]\n> Hot.\n>\n> - a\n\n- **Returns**  \n  It.\n",
  ],
  [
    "formulas of GitLab, Gitea and remark, which a script draws",
    '<p>So <code class="code math js-render-math" data-math-style="inline">x_i</code> and <code class="language-math">y*z</code> and <code class="language-math math-inline">a</code>.</p><pre class="code math js-render-math" data-math-style="display"><code>E = mc^2</code></pre><pre><code class="language-math math-display">b</code></pre>',
    "So $x_i$ and $y*z$ and $a$.\n\n```math\nE = mc^2\n```\n\n```math\nb\n```\n",
  ],
  [
    "boxes of Nextra, which only a colour tells apart",
    '<div class="nextra-callout overflow-x-auto mt-6 flex border border-yellow-100 bg-yellow-50"><div class="select-none text-xl">⚠️</div><div class="w-full"><p>Hot.</p></div></div><div class="nextra-callout x:flex x:border-orange-100 x:bg-orange-50"><div class="x:select-none">💡</div><div>Ask.</div></div>',
    "> [!WARNING]\n> Hot.\n\n> [!TIP]\n> Ask.\n",
  ],
  [
    "boxes and code of Confluence Cloud, and boxes of Help Scout",
    '<div class="ak-editor-panel css-1x" data-panel-type="error"><div class="ak-editor-panel__icon"></div><div class="ak-editor-panel__content"><p>Hot.</p></div></div><div class="code-block css-2y"><span data-code-lang="python"><code class="language-python"><span class="comment linenumber">1</span><span>if a:\n</span><span class="comment linenumber">2</span><span>    b()</span></code></span></div><div class="code-block">No code</div><section class="callout-yellow"><h3>Note</h3><p>Dry.</p></section><div class="callout-yellow"><p>No box</p></div>',
    "> [!CAUTION]\n> Hot.\n\n```python\nif a:\n    b()\n```\n\nNo code\n\n> [!WARNING]\n>\n> ### Note\n>\n> Dry.\n\nNo box\n",
  ],
  [
    "an item and a quote without visible content",
    "<ul><li><img src=/a.png alt=A width=99><li>B</ul><blockquote><img src=/b.png></blockquote>",
    "- B\n",
  ],
];

/** A list of books with covers, as pages of lists lay it out. */
const BOOKS =
  "<table><tr><td><div><img src=/a.jpg alt=A width=99></div><td><a href=/a>Emma</a><div>Austen</div>" +
  "<tr><td><div><img src=/b.jpg alt=B width=99></div><td><a href=/b>Ulysses</a><div>Joyce</div></table>";

/** Tells by pictures what each tool can do. */
const TICKS =
  "<table><tr><td><p>Audit<td><div><img src=/y.png alt=yes width=99></div><td><div><img src=/n.png alt=no width=99></div>" +
  "<tr><td><p>Ranks<td><div><img src=/y.png alt=yes width=99></div><td></table>";

describe("the HTML of generators", () => {
  it("has a table of pictures behind texts", () => {
    const [yes, no] = ["![yes](https://example.org/y.png)", "![no](https://example.org/n.png)"];
    expect(formatMarkdown(page(TICKS), { images: "keep" })).toBe(
      `|  |  |  |\n| --- | --- | --- |\n| Audit | ${yes} | ${no} |\n| Ranks | ${yes} |  |\n`,
    );
  });

  it.each(["drop", "keep"] as const)("has no table of texts behind pictures, with images: %s", (images) => {
    const markdown = formatMarkdown(page(BOOKS), { links: "drop", images });
    const [a, b] =
      images === "keep"
        ? ["![A](https://example.org/a.jpg)\n\n", "![B](https://example.org/b.jpg)\n\n"]
        : ["", ""];
    expect(markdown).toBe(`${a}Emma\n\nAusten\n\n${b}Ulysses\n\nJoyce\n`);
  });

  it.each(IDIOMS)("becomes Markdown: %s", (_name, html, markdown) => {
    expect(write(html)).toBe(markdown);
    // The HTML writer's output must give the same Markdown.
    expect(write(formatHtml(page(html), { links: "drop" }))).toBe(markdown);
  });
});

describe("TeX that a script draws", () => {
  const script = (code: string): string => `<script>${code}</script>`;
  const text = "<p>so \\(a_1\\) costs $5 or $6, \\[b\\] and $c$</p>";

  it("is a formula if the page has the script, with the delimiters that the page configures", () => {
    expect(write(`${script("MathJax = {}")}${text}`)).toBe(
      "so $a_1$ costs \\$5 or \\$6, $$b$$ and \\$c\\$\n",
    );
    const single = script('MathJax = {tex: {inlineMath: [["$", "$"]]}}');
    expect(write(`${single}${text}`)).toBe("so $a_1$ costs \\$5 or \\$6, $$b$$ and $c$\n");
  });

  it("stays text on other pages and in code", () => {
    expect(write(text)).not.toContain("$a_1$");
    expect(write(`${script("katex")}<p><code>\\(a\\)</code></p><pre>\\(b\\)</pre>`)).toBe(
      "`\\(a\\)`\n\n```\n\\(b\\)\n```\n",
    );
  });

  it("takes linear time on formulas that never end", async () => {
    await expectLinear(
      200_000,
      (size) => `${script("katex")}<p>${"\\(a $$b \\[".repeat(size / 10)}</p>`,
      (html) => write(html),
    );
  });
});

describe("structure in other formats", () => {
  it("keeps its label behind each line if all lines are shown", () => {
    const annotated = formatAnnotatedMarkdown(
      page(
        '<dl><dt>a</dt><dd>b</dd></dl><div class="admonition"><p>c</p></div><details><summary>d</summary>e</details>',
      ),
    );
    expect(annotated.replaceAll("\n<!-- 1.000 a content -->", "")).toBe("a\n\nb\n\nc\n\nd\n\ne\n");
  });

  it("writes the points of a law as paragraphs in HTML", () => {
    const point = page("<table><tr><td><p>(a)</p><td><p>of the <b>classes</b></p></table>");
    expect(formatHtml(point, { links: "drop" })).toContain("<p>(a) of the <strong>classes</strong></p>");
  });

  it("keeps tasks, admonitions, notes and tabs in XML", () => {
    const xml = formatXml(
      page(
        '<ul><li><input type=checkbox disabled checked> a</ul><div class="admonition"><p>c</p></div><p>d<sup><a href="#n1">1</a></sup></p><p id=n1>e</p>',
      ),
      { links: "drop" },
    );
    expect(xml).toContain('<item rend="task-done">a</item>');
    expect(xml).toContain('<quote rend="admonition"><p>c</p>\n</quote>');
    expect(xml).toContain('<ref target="#note-1">1</ref>');
    expect(xml).toContain('<note xml:id="note-1"><p>e</p>\n</note>');
  });
});

describe("very wide tables", () => {
  it("keep each cell, also behind the column at which spans end", () => {
    const cells = Array.from({ length: 1_200 }, (_, at) => `<td>c${at}`).join("");
    const markdown = write(`<table><tr>${cells}<tr><td>x<td>y</table>`);
    expect(markdown.match(/c\d+/g)).toHaveLength(1_200);
  });
});

describe("tables whose cells span all rows below", () => {
  it("end the spans before most of the table is empty, and keep each cell", () => {
    const rows = Array.from({ length: 1_500 }, (_, at) => `<tr><td rowspan=65534>a${at}<td>b${at}`).join("");
    const markdown = write(`<table>${rows}</table>`);
    expect(markdown.match(/[ab]\d+/g)).toHaveLength(3_000);
    expect(markdown.length).toBeLessThan(10 * rows.length);
    expect(write('<table><tr><td rowspan="3">a<td>b<tr><td>c<tr><td>d</table>')).toBe(
      "|  |  |\n| --- | --- |\n| a | b |\n|  | c |\n|  | d |\n",
    );
  });
});

describe("tables in blocks that are nested very deeply", () => {
  it("keep all rows and texts, also where the depth of blocks ends between a row and its cells", () => {
    const inner = "<table><tr><td>1a<td>1b</table><p>2a</p><table><tr><td>3a<td>3b<tr><td>4a<td>4b</table>";
    for (let depth = 0; depth < 6; depth += 1) {
      const doc = page(`${"<blockquote>".repeat(depth)}${"<table><tr><td>".repeat(8)}${inner}<td>5a</table>`);
      for (const text of [
        formatMarkdown(doc),
        formatHtml(doc, { links: "drop" }),
        formatXml(doc, { links: "drop" }),
      ])
        expect(text.match(/\d[ab]/g), text).toEqual(["1a", "1b", "2a", "3a", "3b", "4a", "4b", "5a"]);
    }
  });

  it("keep texts that a record has in a row, but in none of its cells", () => {
    const doc = page("<table><tr><td>1a<td>1b<tr><td>5a<td>5b</table>");
    const [row, ...others] = doc.lines;
    const loose = ["2a\t2b", "3a\t3b", "4a"].map((text) => ({ ...row, text }) as LabelledLine);
    const text = formatMarkdown({ ...doc, lines: [...doc.lines.slice(0, 1), ...loose, ...others] });
    expect(text.match(/\d[ab]/g), text).toEqual(["1a", "1b", "2a", "2b", "3a", "3b", "4a", "5a", "5b"]);
  });
});

describe("links whose text is a number", () => {
  it("become notes if they are superscript, have a matching name or are linked back to", () => {
    const link = '<p>See <a id="l1" href="#q1">1</a>.</p>';
    expect(write(`${link}<div id="q1"><p>A long text.</p></div>`)).toBe("See 1.\n\nA long text.\n");
    expect(write(`${link}<p id="q1"><a href="#l1">1</a>. A note.</p>`)).toBe("See [^1].\n\n[^1]: A note.\n");
    expect(write('<p>See <sup><a href="#f1">1</a></sup>.</p><figure id="f1">Drawn.</figure>')).toBe(
      "See <sup>1</sup>.\n\nDrawn.\n",
    );
  });
});

describe("cost grows linearly", () => {
  it("with the number of tabs, terms and notes", async () => {
    const make = (size: number): string =>
      Array.from(
        { length: size },
        (_, at) =>
          `<div><ul role=tablist><li role=tab>a<li role=tab>b</ul><div role=tabpanel>c</div><div role=tabpanel>d</div></div><dl><dt>e<dd>f</dl><p><a href="#n${at}" id="r${at}">${at % 1000}</a><p id="n${at}"><a href="#r${at}">↩</a> g`,
      ).join("");
    await expectLinear(1_000, make, (html) => write(html));
  });

  it("with the number of tabs in one box", async () => {
    const make = (size: number): string =>
      `<div>${"<div><ul role=tablist><li role=tab>a<li role=tab>b</ul></div><p>c".repeat(size)}</div>`;
    await expectLinear(2_000, make, (html) => write(html));
  });

  it("with the number of lists that one item adopts", async () => {
    const make = (size: number): Document<LabelledLine> =>
      page(`<ul><li>a</li>${"<ul><li>b</ul>".repeat(size)}`);
    await expectLinear(32_000, make, (doc) => formatHtml(doc, { links: "drop" }));
  });

  it("grows with the spaces after the number of a formula", async () => {
    const make = (size: number): string => `<span class=math-tex>(1)${" ".repeat(size)}x</span>`.repeat(30);
    await expectLinear(4_900, make, (html) => write(html));
  });
});
