import { describe, expect, it } from "vitest";
import { renderHtml } from "../../../bench/systems/render.js";

describe("HTML of a rival as text", () => {
  it("puts blocks on separate lines and keeps inline elements in the line", () => {
    expect(
      renderHtml("<div>alpha<p>be<b>ta</b> <a href=x>gamma</a></p>delta<br>epsilon</div><x-y>zeta</x-y>"),
    ).toBe("alpha\nbeta gamma\ndelta\nepsilon\nzeta");
  });

  it("separates the cells of a row by a tab and keeps the breaks of preformatted text", () => {
    expect(renderHtml("<table><tr><td> a\n b</td><td></td><th>c\td</th></tr><tr><td>e</table>")).toBe(
      "a b\tc d\ne",
    );
    expect(renderHtml("<pre>one\n  two\n\nthree</pre><p>four\nfive")).toBe("one\ntwo\nthree\nfour five");
  });

  it("omits invisible elements", () => {
    expect(
      renderHtml(
        "<html><head><title>t</title></head><body><script>s</script><noscript>n</noscript>kept<!-- c -->",
      ),
    ).toBe("kept");
    expect(renderHtml("")).toBe("");
  });

  it("survives nesting deeper than the stack", () => {
    expect(renderHtml(`${"<div>".repeat(50_000)}deep`)).toBe("deep");
  });
});
