import { describe, expect, it } from "vitest";
import type { LabelledLine } from "../../../src/document.js";
import { keepParts } from "../../../src/label/page/keep-parts.js";

const line = (block: LabelledLine["block"], text: string, path: string): LabelledLine => ({
  ...{ block, text, path, linkChars: 0, breakBefore: "block", score: 0.3, label: "boilerplate" },
});
const keep = (one: LabelledLine): LabelledLine => ({ ...one, score: 0.9, label: "content" });
const row = (text: string, part = "tbody"): LabelledLine => line("tr", text, `body>main>table.x>${part}>tr`);
const HEAD = row("Layer\tWhat it is", "thead");
const ROWS = [row("Humus\tWhat has rotted"), row("Subsoil\tClay"), row("Bedrock\tStone")];
const kept = (lines: readonly LabelledLine[]): string[] =>
  keepParts(lines)
    .filter(({ label }) => label === "content")
    .map(({ text }) => text);
const texts = (lines: readonly LabelledLine[]): string[] => lines.map(({ text }) => text);

describe("keepParts", () => {
  it("keeps the header row of a table if at least half of its rows are kept", () => {
    const table = [HEAD, ...ROWS.map(keep)];
    expect(kept(table)).toEqual(texts(table));
    expect(keepParts(table)[0]).toMatchObject({
      ...{ label: "content", score: 0.886, ownScore: 0.3, why: "head-of-table" },
    });
    const [first, ...others] = ROWS as [LabelledLine, ...LabelledLine[]];
    expect(kept([HEAD, first, ...others.map(keep)])).toEqual(texts([HEAD, ...others]));
    expect(kept([HEAD, keep(first), ...others])).toEqual([first.text]);
  });

  it("keeps the header row of each of two tables with text between, but no other rows", () => {
    const text = keep(line("p", "And so it goes on below.", "body>main>p"));
    const table = [HEAD, ...ROWS.map(keep)];
    expect(kept([...table, text, ...table])).toHaveLength(9);
    expect(kept([keep(HEAD), ...ROWS.slice(0, 1), ...ROWS.slice(1).map(keep)])).toHaveLength(3);
    const other = { ...HEAD, path: "body>main>table.y>thead>tr" };
    expect(kept([other, ...ROWS.map(keep)])).toEqual(texts(ROWS));
  });

  it("keeps no line of one cell, of links or of a comment, and none that a rule dropped", () => {
    const rows = ROWS.map(keep);
    for (const more of [
      { text: "More" },
      { linkChars: 9 },
      { kind: "comment" as const },
      { why: "nothing-here" },
    ])
      expect(kept([{ ...HEAD, ...more }, ...rows])).toEqual(texts(ROWS));
    expect(kept([HEAD, ...rows.map((one) => ({ ...one, kind: "comment" as const }))])).toEqual(texts(ROWS));
    expect(kept([HEAD, keep({ ...ROWS[0]!, text: "One cell" })])).toEqual(["One cell"]);
  });

  it("keeps the head of a table in a thead if the table has no other rows of data", () => {
    const item = keep(line("li", "It is light.", "body>main>table.x>tbody>tr>td>ul>li"));
    expect(kept([HEAD, item])).toEqual(texts([HEAD, item]));
    expect(kept([{ ...HEAD, path: "body>main>table.x>tbody>tr" }, item])).toEqual([item.text]);
    expect(kept([HEAD, { ...item, label: "boilerplate" }])).toEqual([]);
  });

  it("keeps the source of a quote in a figure if the quote is kept, but no caption of a picture", () => {
    const quote = keep(line("blockquote", "She has taught me to listen.", "body>main>figure>blockquote>p"));
    const source = line("figcaption", "— Lizzie W.", "body>main>figure>figcaption");
    expect(kept([quote, source])).toEqual([quote.text, source.text]);
    expect(keepParts([quote, source])[1]).toMatchObject({ score: 0.974, why: "caption-of-text" });
    expect(kept([line("p", "Menu", "body>nav>p"), source])).toEqual([]);
    expect(kept([keep(line("p", "A text.", "body>main>p")), source])).toEqual(["A text."]);
    expect(kept([{ ...quote, label: "boilerplate" }, source])).toEqual([]);
  });

  it("returns the same lines if there is nothing to keep, also for very many lines", () => {
    const lines = [HEAD, ...ROWS, line("p", "Menu", "body>nav>p")];
    expect(keepParts(lines)).toBe(lines);
    const many = Array.from({ length: 60_000 }, (_, at) => (at % 3 === 0 ? keep(HEAD) : HEAD));
    expect(keepParts(many)).toBe(many);
  });
});
