import { describe, expect, it } from "vitest";
import type { Document, LabelledLine, Line } from "../../../../src/document.js";
import {
  createJustextLabeller,
  NOTE_NO_LIST,
} from "../../../../src/label/papers/justext/justext-labeller.js";
import { FOCUSES, type LabellerOptions } from "../../../../src/label/labeller.js";
import { textDocument } from "../../text/text-document.js";

const LONG =
  "The ferry was late again, and the people on the pier sang to keep warm until it came at last; nobody complained, because the captain had brought soup for all of them, and there was more of it than they could eat before the bell.";
const MIDDLE =
  "It had been on the water for most of the night, and this was not for the first time in the year.";
const LISTING = "Apples Pears Plums Cherries Quinces Medlars Figs Dates Lemons Oranges Limes Melons";

async function label(
  document: Document,
  options: Partial<LabellerOptions> = {},
): Promise<Document<LabelledLine>> {
  const [labelled] = await createJustextLabeller({ focus: "balanced", ...options }).label([document]);
  if (labelled === undefined) throw new Error("no document came back");
  return labelled;
}

function page(lines: readonly (Partial<Line> & { readonly text: string })[], lang = "en"): Document {
  const whole = lines.map((line): Line => ({
    block: "p",
    path: "body>p",
    linkChars: 0,
    breakBefore: "block",
    ...line,
  }));
  return { ...textDocument([]), source: "html", meta: { lang }, lines: whole };
}

const says = ({ lines }: Document<LabelledLine>): string[] =>
  lines.map(({ label: one, why }) => `${one} ${why ?? ""}`);

describe("justext", () => {
  it("labels a page by links, stop words and neighbours, and states the rule", async () => {
    const labelled = await label(
      page([
        { text: "Home | News | About", linkChars: 14 },
        { text: "The late ferry", block: "h1", path: "body>div.a-h2>h1.title" },
        { text: LONG },
        { text: "Sunday" },
        { text: MIDDLE },
        { text: LISTING },
        { text: "© The Pier, the ferry and the people of the harbour, who are all of them still here today" },
        { text: "Contact" },
      ]),
    );
    expect(says(labelled)).toEqual([
      "boilerplate justext-link-density",
      "content justext-heading",
      "content justext-long",
      "content justext-short-beside-near-good",
      "content justext-near-good",
      "boilerplate justext-few-stop-words",
      "boilerplate justext-copyright",
      "boilerplate justext-short-between-bad",
    ]);
    expect(labelled.notes).toEqual([]);
  });

  it("recognises a heading by its path, and ignores names that only look similar", async () => {
    const heading = await label(
      page([{ text: "The ferry", block: "div", path: "body>h2.x>div" }, { text: LONG }]),
    );
    expect(heading.lines[0]?.label).toBe("content");
    for (const path of ["body>h2-like>div", "body>div#h2>div", "body>th1>div"]) {
      const other = await label(page([{ text: "The ferry", block: "div", path }, { text: LONG }]));
      expect(other.lines[0]?.label, path).toBe("boilerplate");
    }
  });

  it("drops the choices of a form", async () => {
    const [one] = (await label(page([{ text: LONG, path: "body>form>select#x>option" }]))).lines;
    expect(one?.why).toBe("justext-choice");
  });

  it("works on plain text, without links and headings", async () => {
    const labelled = await label(textDocument(["Home", LONG, "Sunday", LONG, "", "\u200b", "Contact"]));
    expect(says(labelled)).toEqual([
      "boilerplate justext-short-at-edge",
      "content justext-long",
      "content justext-short-between-good",
      "content justext-long",
      "boilerplate blank-line",
      "boilerplate blank-line",
      "boilerplate justext-short-at-edge",
    ]);
    expect((await label(textDocument([]))).lines).toEqual([]);
  });

  it("uses only length and links for a language without stop words, and says so", async () => {
    const thai = "แม่ค้าขายข้าวเหนียวบอกว่า ลูกค้าเริ่มกลับมาตั้งแต่ต้นเดือน และเธอต้องตื่นตีสามทุกวันเพื่อเตรียมของให้ทันตลาดเช้า";
    const labelled = await label(page([{ text: thai.repeat(2) }, { text: "แชร์" }], "th"));
    expect(says(labelled)).toEqual(["content justext-long", "boilerplate justext-short-at-edge"]);
    expect(labelled.notes).toEqual([NOTE_NO_LIST]);
    // No line needed stop words.
    expect((await label(page([{ text: "แชร์" }], "th"))).notes).toEqual([]);
  });

  it("ranks lines by how clear their class is", async () => {
    const score = async (lines: Parameters<typeof page>[0], at: number): Promise<number> =>
      (await label(page(lines))).lines[at]?.score ?? Number.NaN;
    const linked = await score([{ text: LONG, linkChars: LONG.length }], 0);
    const lessLinked = await score([{ text: LONG, linkChars: 60 }], 0);
    const short = await score([{ text: "Sunday" }], 0);
    const near = await score([{ text: MIDDLE }], 0);
    const nearInside = await score([{ text: LONG }, { text: MIDDLE }], 1);
    const good = await score([{ text: LONG }], 0);
    const order = [linked, lessLinked, short, near, 0.5, nearInside, good];
    expect(order).toEqual([...order].sort((a, b) => a - b));
    expect(new Set(order).size).toBe(order.length);
    expect(linked).toBeGreaterThan(0);
    expect(good).toBeLessThan(1);
  });

  it("keeps fewer lines the higher the precision", async () => {
    const lines = [
      { text: LONG },
      { text: MIDDLE },
      { text: "Sunday" },
      { text: MIDDLE },
      { text: LISTING },
      { text: MIDDLE },
      { text: LISTING },
    ];
    const kept = await Promise.all(
      FOCUSES.map(async (focus) =>
        (await label(page(lines), { focus })).lines
          .filter((line) => line.label === "content")
          .map(({ text }) => text),
      ),
    );
    expect(kept.map(({ length }) => length)).toEqual([1, 4, 5]);
    expect((await label(page(lines), { cut: 0 })).lines.every((line) => line.label === "content")).toBe(true);
  });
});
