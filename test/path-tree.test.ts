import { describe, expect, it } from "vitest";
import { keepPathTree, pathTreeOf } from "../src/path-tree.js";
import { walkLines } from "../src/extract/lines/walk.js";
import { createOutline, outlineOfTree } from "../src/label/features/page/outline.js";
import { parseQuickly } from "../src/parse/quick-tree.js";
import { parseHtml } from "../src/parse/tree.js";

const PAGES = [
  `<p>alone`,
  `<body class="a b"><div id=x><p>one<p>two<div><p>three</div></div><div id=x><p>four</div><p>five`,
  `<html class=h><body><article itemprop="articleBody" role=main><h1>t</h1><table><tr><td>a<td>b</table></article>`,
  `<body><svg><html><p>odd</p></html></svg><html lang=en><p>again</p><pre>code\n\nmore</pre><ul><li>x<li>y</ul>`,
  `<body>${"<div>".repeat(30)}deep${"</div>".repeat(30)}<p>end`,
  `<frameset><frame></frameset><noframes>none</noframes>`,
];

describe("pathTreeOf", () => {
  it("gives each line the node that its path has", () => {
    for (const html of PAGES) {
      for (const parse of [parseQuickly, parseHtml]) {
        const lines = walkLines(parse({ id: "p", url: "", html }));
        const tree = pathTreeOf(lines);
        expect(tree).toBeDefined();
        if (tree === undefined) continue;
        const read = createOutline();
        expect([...tree.nodes]).toEqual(lines.map(({ path }) => read.nodeOf(path)));
        const known = outlineOfTree(tree);
        expect(known.parent).toEqual(read.parent);
        expect(known.depth).toEqual(read.depth);
        expect(known.tags).toEqual(read.tags);
        expect(known.step).toEqual(read.step);
      }
    }
  });

  it("knows nothing of paths that leave steps out, nor of a copy of the lines", () => {
    const deep = `<body>${"<div>".repeat(40)}deep${"</div>".repeat(40)}<p>end`;
    expect(pathTreeOf(walkLines(parseQuickly({ id: "p", url: "", html: deep })))).toBeUndefined();
    const lines = walkLines(parseQuickly({ id: "p", url: "", html: "<p>one<p>two" }));
    expect(pathTreeOf([...lines])).toBeUndefined();
    expect(pathTreeOf(structuredClone(lines))).toBeUndefined();
  });

  it("forgets no list that it was given", () => {
    const tree = { parents: [0], steps: [""], nodes: new Int32Array(0) };
    const none: never[] = [];
    keepPathTree(none, tree);
    expect(pathTreeOf(none)).toBe(tree);
    expect(pathTreeOf([])).toBeUndefined();
  });
});
