import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  agree,
  compareParsers,
  damage,
  listParsers,
  timeParsers,
} from "../../../../bench/lab/speed/parsers.js";
import { loadInternals } from "../../../../bench/lab/speed/parser-internals.js";
import { ROOT } from "../../../../bench/systems/root.js";
import { makeFolder } from "../../documents.js";

const parsers = await listParsers();
const { walkLines } = await loadInternals();
const linesOf = (html: string): string[][] =>
  parsers.map(({ parse }) => walkLines(parse(html)).map(({ text }) => text));

describe("the parsers", () => {
  it("yield the same lines of a page in order", () => {
    const html =
      "<!doctype html><html><head><title>T</title><style>p{}</style></head><body><h1>One &amp; two</h1>" +
      "<ul><li>a<li>b</ul><p>x<br>y</p><script>z</script></body></html>";
    const wanted = ["One & two", "a", "b", "x", "y"];
    expect(linesOf(html)).toEqual([wanted, wanted, wanted]);
  });

  it("differ on broken tables, which the event-based parser does not repair", () => {
    const [standard, quick, events] = linesOf("<table><tr><td>b</td>a</tr></table>");
    expect(standard).toEqual(["a", "b"]);
    expect(quick).toEqual(standard);
    expect(events).not.toEqual(standard);
  });

  it("are timed alternately", () => {
    const html = readFileSync(join(ROOT, "fixtures", "pages", "unclosed-tags", "source.html"), "utf8");
    const times = timeParsers(parsers, [html.repeat(5)]);
    expect(times).toHaveLength(3);
    for (const ms of times) expect(ms).toBeGreaterThan(0);
  });
});

describe("agreement", () => {
  it("counts lines including their copies", () => {
    expect(
      agree([
        [
          ["a", "a", "b"],
          ["a", "c"],
        ],
      ]),
    ).toBe(2 / 5);
    expect(
      agree([
        [["a"], ["a"]],
        [["b"], []],
      ]),
    ).toBe(2 / 3);
    expect(agree([])).toBe(1);
  });
});

describe("damage", () => {
  it("removes every third end tag, except those of elements that would swallow the text behind them", () => {
    expect(damage("<i>1</i><i>2</i><i>3</i><script>4</script><i>5</i><i>6</i><i>7</i>")).toBe(
      "<i>1</i><i>2</i><i>3<script>4</script><i>5</i><i>6</i><i>7",
    );
  });
});

describe("the table", () => {
  it("has a row for each parser, without times if there are no complete pages", async () => {
    const rows = (await compareParsers(makeFolder())).trim().split("\n");
    expect(rows).toHaveLength(2 + parsers.length);
    const cells = rows.slice(2).map((row) =>
      row
        .split("|")
        .map((cell) => cell.trim())
        .slice(1, -1),
    );
    expect(cells[0]).toEqual(["standard tree (parse5)", "–", "100.0 %", "100.0 %", "–"]);
    expect(cells[1]?.slice(2, 4)).toEqual(["100.0 %", "100.0 %"]);
    expect(cells[2]?.[3]).not.toBe("100.0 %");
  });
});
