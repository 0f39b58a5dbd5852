import { describe, expect, it } from "vitest";
import type { LabelledLine } from "../../../src/document.js";
import { keepBehindText } from "../../../src/label/page/keep-behind-text.js";

const line = (text: string, path: string, more: Partial<LabelledLine> = {}): LabelledLine => ({
  ...{ text, path, linkChars: 0, breakBefore: "block", score: 0.3, label: "boilerplate" },
  block: path.endsWith(">tr") ? "tr" : "p",
  ...more,
});
const TEXT = line("These are the prices of this year.", "body>main>p.x", { score: 0.9, label: "content" });
const rows = (table: string, more: Partial<LabelledLine> = {}): LabelledLine[] => [
  line("Year\tPrice", `${table}>thead>tr`, more),
  line("2024\t3.20", `${table}>tbody>tr`, more),
  line("2025\t3.40", `${table}>tbody>tr`, more),
];
const kept = (lines: readonly LabelledLine[]): string[] =>
  keepBehindText(lines)
    .filter(({ label }) => label === "content")
    .map(({ text }) => text);
const ALL = [TEXT.text, "Year\tPrice", "2024\t3.20", "2025\t3.40"];

describe("keepBehindText", () => {
  it("keeps a data table after kept text, next to it or in its own frame", () => {
    expect(kept([TEXT, ...rows("body>main>table")])).toEqual(ALL);
    expect(kept([TEXT, ...rows("body>main>figure.wp-block-table>div>table.a.b")])).toEqual(ALL);
    expect(keepBehindText([TEXT, ...rows("body>main>table")])[1]).toMatchObject({
      ...{ label: "content", score: 0.688, ownScore: 0.3, why: "table-behind-text" },
    });
  });

  it("keeps the next table only if there is text between them", () => {
    const other = line("And these are those of the next one.", "body>main>p", {
      score: 0.8,
      label: "content",
    });
    expect(kept([TEXT, ...rows("body>main>table"), other, ...rows("body>main>table")])).toHaveLength(8);
    expect(kept([TEXT, ...rows("body>main>table.a"), ...rows("body>main>table.b")])).toEqual(ALL);
  });

  it("keeps no table elsewhere in the page, or after a dropped line or a comment", () => {
    expect(kept([TEXT, ...rows("body>aside>table")])).toEqual([TEXT.text]);
    expect(kept([TEXT, ...rows("body>main>div>div>div>table")])).toEqual([TEXT.text]);
    expect(kept([TEXT, line("Menu", "body>main>p"), ...rows("body>main>table")])).toEqual([TEXT.text]);
    expect(kept([{ ...TEXT, kind: "comment" }, ...rows("body>main>table")])).toEqual([TEXT.text]);
    // A name with the same beginning is another element.
    expect(kept([{ ...TEXT, path: "body>main>p" }, ...rows("body>main2>table")])).toEqual([TEXT.text]);
  });

  it("keeps no links, single row, one-column table, partly kept table or table that a rule decided", () => {
    expect(kept([TEXT, ...rows("body>main>table", { linkChars: 9 })])).toEqual([TEXT.text]);
    expect(kept([TEXT, ...rows("body>main>table").slice(0, 1)])).toEqual([TEXT.text]);
    expect(kept([TEXT, ...rows("body>main>table", { text: "One cell" })])).toEqual([TEXT.text]);
    expect(kept([TEXT, ...rows("body>main>table", { why: "nothing-here" })])).toEqual([TEXT.text]);
    const some = rows("body>main>table").map((row, at): LabelledLine =>
      at === 1 ? { ...row, label: "content" } : row,
    );
    expect(kept([TEXT, ...some])).toEqual([TEXT.text, "2024\t3.20"]);
  });

  it("keeps definitions that are sentences, but no facts, links or single sentence", () => {
    const list = (...texts: readonly string[]): LabelledLine[] =>
      texts.map((text, at) => line(text, `body>main>dl.terms>${at % 2 === 0 ? "dt" : "dd"}`));
    const terms = list(
      ...["Durability", "A job that was accepted is never lost."],
      ...["可见性", "任何人都可以用自己已经熟悉的工具随时查看这个队列中的全部任务。"],
    );
    expect(kept([TEXT, ...terms])).toHaveLength(5);
    expect(keepBehindText([TEXT, ...terms])[2]).toMatchObject({
      ...{ label: "content", score: 0.568, ownScore: 0.3, why: "definitions-behind-text" },
    });
    expect(kept([TEXT, ...list("Joined:", "May 15, 2014", "Messages:", "1,024")])).toEqual([TEXT.text]);
    expect(kept([TEXT, ...list("Status", "This thread is not open for further replies.")])).toEqual([
      TEXT.text,
    ]);
    expect(kept([TEXT, ...terms.map((term) => ({ ...term, linkChars: 9 }))])).toEqual([TEXT.text]);
    expect(kept([line("Menu", "body>main>p"), ...terms])).toEqual([]);
    expect(kept([TEXT, { ...terms[0]!, label: "content" }, ...terms.slice(1)])).toEqual([
      TEXT.text,
      "Durability",
    ]);
  });

  it("keeps the list inside a kept item, with the lists inside it", () => {
    const item = (text: string, path: string, label: "content" | "boilerplate"): LabelledLine =>
      line(text, `body>main>ul>${path}`, { block: "li", label });
    const duties = item("Look after the boats:", "li", "content");
    const parts = [
      item("The ropes", "li>ul>li", "boilerplate"),
      item("Hemp", "li>ul>li>ol>li", "boilerplate"),
    ];
    const next = item("Light the lamps.", "li", "content");
    expect(kept([duties, ...parts, next])).toEqual([duties.text, "The ropes", "Hemp", next.text]);
    expect(keepBehindText([duties, ...parts])[2]).toMatchObject({ why: "list-of-item", score: 0.821 });
    expect(kept([duties, { ...parts[0]!, label: "content" }, parts[1]!])).toHaveLength(3);
    // The lines after it, one in the item that is no list, and the list in a dropped item.
    expect(kept([duties, ...parts, item("Menu", "li", "boilerplate")])).toHaveLength(3);
    expect(kept([duties, item("Reply", "li>div", "boilerplate")])).toEqual([duties.text]);
    expect(kept([{ ...duties, label: "boilerplate" }, ...parts])).toEqual([]);
    expect(kept([duties, ...parts.map((part) => ({ ...part, linkChars: 9 }))])).toHaveLength(3);
  });

  it("keeps a list between kept texts, but not one that only follows a text", () => {
    const items = ["Stop the workers.", "Copy the rows."].map((text) => line(text, "body>main>ol>li"));
    const after = line("Then start them.", "body>main>p", { score: 0.8, label: "content" });
    const all = [TEXT.text, "Stop the workers.", "Copy the rows.", after.text];
    expect(kept([TEXT, ...items, after])).toEqual(all);
    expect(keepBehindText([TEXT, ...items, after])[1]).toMatchObject({
      why: "list-between-text",
      score: 0.5,
    });
    expect(kept([TEXT, ...items])).toEqual([TEXT.text]);
    expect(kept([TEXT, ...items.slice(1), after])).toEqual([TEXT.text, after.text]);
    expect(kept([TEXT, ...items, line("Menu", "body>main>p"), after])).toEqual([TEXT.text, after.text]);
    expect(kept([TEXT, ...items, { ...after, path: "body>footer>p" }])).toEqual([TEXT.text, after.text]);
    expect(kept([TEXT, ...items, { ...after, kind: "comment" }])).toEqual([TEXT.text, after.text]);
    // The fields of a form, and the captions of a slide show.
    for (const inside of ["label.required", "figure>figcaption"]) {
      const parts = items.map((item) => ({ ...item, path: `${item.path}>${inside}` }));
      expect(kept([TEXT, ...parts, after])).toEqual([TEXT.text, after.text]);
    }
  });

  it("returns the same lines if there is nothing to keep", () => {
    const lines = [TEXT, line("Menu", "body>nav>ul>li")];
    expect(keepBehindText(lines)).toBe(lines);
  });
});
