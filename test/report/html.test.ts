import { describe, expect, it } from "vitest";
import { bar, html, page, percent, table } from "../../src/report/html.js";

describe("html", () => {
  it("escapes its arguments, but not its own markup", () => {
    const inner = html`<b>${`<script>alert("1")</script> & 'more'`}</b>`;
    expect(html`<p>${inner} ${[inner]} ${7}</p>`.html).toBe(`<p>${inner.html} ${inner.html} 7</p>`);
    expect(inner.html).toBe("<b>&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; &#39;more&#39;</b>");
  });

  it("writes no lone surrogates and no control characters", () => {
    expect(html`${"a\ud800b\u0000c\td"}`.html).toBe("a\ufffdb\ufffdc\td");
  });
});

describe("a page", () => {
  it("forbids the browser to run scripts and to request addresses", () => {
    const text = page("Title <1>", [html`<p>x</p>`]);
    expect(text).toContain(`content="default-src 'none'; style-src 'unsafe-inline'"`);
    expect(text).toContain("<h1>Title &lt;1&gt;</h1>");
    expect(text).not.toMatch(/<script|https?:|<img|<link/);
  });

  it("has tables with headers, and bars with descriptions", () => {
    const cell = bar(2, `all "of" it`);
    const { html: text } = table([{ name: "a&b" }, { name: "n", isNumber: true }], [["<x>", cell]]);
    expect(text).toContain('<th scope="col" class="text">a&amp;b</th>');
    expect(text).toContain("&lt;x&gt;");
    expect(text).toContain('aria-label="all &quot;of&quot; it"><span style="width:100%">');
  });

  it("formats numbers the same everywhere", () => {
    expect([percent(1, 3), percent(0, 0)]).toEqual(["33.3 %", "–"]);
  });
});
