import { describe, expect, it } from "vitest";
import { createBodyExtractor, createPageExtractor } from "../../../src/extract/body.js";
import { walkLines, walkWithPaths } from "../../../src/extract/lines/walk.js";
import { createOutline, outlineOfTree } from "../../../src/label/features/page/outline.js";
import type { Step } from "../../../src/label/features/page/steps.js";
import { parseQuickly } from "../../../src/parse/quick-tree.js";
import { parseHtml } from "../../../src/parse/standard-tree.js";

const PAGES = [
  `<p>alone`,
  `<body class="a b"><div id=x><p>one<p>two<div><p>three</div></div><div id=x><p>four</div><p>five`,
  `<html class=h><body><article itemprop="articleBody" role=main><h1>t</h1><table><tr><td>a<td>b</table></article>`,
  `<body><svg><html><p>odd</p></html></svg><html lang=en><p>again</p><pre>code\n\nmore</pre><ul><li>x<li>y</ul>`,
  `<body>${"<div>".repeat(30)}deep${"</div>".repeat(30)}<p>end`,
  `<frameset><frame></frameset><noframes>none</noframes>`,
];

/** Returns the contents of steps without their numbers, which each reader assigns anew. */
function said(steps: readonly (Step | undefined)[]): unknown[] {
  return steps.map((step) => step && { ...step, number: 0 });
}

describe("walkWithPaths", () => {
  it("gives each line the tree node that its path stands for", () => {
    for (const html of PAGES) {
      for (const parse of [parseQuickly, parseHtml]) {
        const page = parse({ id: "p", url: "", html });
        const { lines, paths } = walkWithPaths(page);
        expect(lines).toEqual(walkLines(page));
        expect(paths).toBeDefined();
        if (paths === undefined) continue;
        const { outline: read, nodeOf } = createOutline();
        expect([...paths.nodes]).toEqual(lines.map(({ path }) => nodeOf(path)));
        const known = outlineOfTree(paths);
        expect(known.parent).toEqual(read.parent);
        expect(known.depth).toEqual(read.depth);
        expect(known.tags).toEqual(read.tags);
        expect(said(known.step)).toEqual(said(read.step));
      }
    }
  });

  it("returns no tree if a path omits steps", () => {
    const deep = `<body>${"<div>".repeat(40)}deep${"</div>".repeat(40)}<p>end`;
    expect(walkWithPaths(parseQuickly({ id: "p", url: "", html: deep })).paths).toBeUndefined();
  });
});

describe("the tree of paths", () => {
  const page = parseQuickly({ id: "p", url: "", html: "<p>one<p>two" });

  it("comes with documents of the extractor page, and survives a structured clone", () => {
    const outcome = createPageExtractor().extract(page);
    const { paths } = outcome.ok ? outcome.value : {};
    expect(paths?.nodes).toEqual(Int32Array.of(2, 2));
    expect(structuredClone(outcome)).toEqual(outcome);
  });

  it("is missing from documents that go to another thread", () => {
    const outcome = createBodyExtractor().extract(page);
    expect(outcome.ok && "lines" in outcome.value && !("paths" in outcome.value)).toBe(true);
  });
});
