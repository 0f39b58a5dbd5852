/** Compares the fast reader of our own records with the parser: both must give the same result for every record, valid or broken. */
import { describe, expect, it } from "vitest";
import { readLine } from "../../../src/acquire/records/jsonl.js";
import { readOwnRecord } from "../../../src/acquire/records/own-lines.js";
import type { Outcome } from "../../../src/outcome.js";
import type { Page } from "../../../src/document.js";

const line = (text: string, more: object = {}): object => ({
  ...{ text, label: "content", score: 0.97, grade: "a", block: "p", path: "body>main.größe>p" },
  ...{ linkChars: 3, breakBefore: "block", span: [10, 25] },
  ...more,
});
const RECORD = {
  ...{ id: "a", url: "https://a.example/ü", title: "Ein “Titel”", lang: "de", meta: { author: "Åsa" } },
  ...{ text: 'one\n,"lines":[', words: 1, score: 0.9, source: "html" },
  page: {
    ...{ type: "article", probability: 0.9, contentProbability: 1, cut: 0.5 },
    ...{ cuts: { precision: 0.8, balanced: 0.5, recall: 0.2 }, hasContent: true },
  },
  lines: [
    line("plain text"),
    line('größer 😀 \\ "quoted" \n\t\u0001 end\\'),
    line('}],"lines":[{"text":"'),
    line("", { label: "boilerplate", score: 0, why: "blank-line", span: undefined }),
    line("a comment", { kind: "comment", why: "comment", ownScore: 0.123, block: "li", breakBefore: "line" }),
    line("left out", {
      label: "boilerplate",
      score: 1,
      leftOutBy: "hidden",
      continuesItem: true,
      number: 12,
    }),
  ],
  ...{
    notes: ["depth-capped"],
    fingerprint: "f+g",
    extra: 1.5,
    carried: { lines: [{ text: "no", n: 9007199254740993n }] },
  },
};
const toJson = (record: object): string =>
  JSON.stringify(record, (_, value: unknown) =>
    typeof value === "bigint" ? "9007199254740993" : value,
  ).replace('"9007199254740993"', "9007199254740993");
const PLACE = { input: "x", maxBytes: 1_000_000 };
const read = (json: string): Outcome<Page> | undefined =>
  readLine({ number: 1, bytes: Buffer.from(json) }, PLACE);
/** Reads with the parser, because the fast reader rejects a space that we never write. */
const parsed = (json: string): Outcome<Page> | undefined =>
  read(json.replaceAll(',"lines":[', ',"lines" :['));
const isOwn = (json: string): boolean => readOwnRecord(Buffer.from(json)) !== undefined;

describe("our own records", () => {
  const json = toJson(RECORD);

  it("are read without the parser, with the same result", () => {
    expect(isOwn(json)).toBe(true);
    const page = read(json);
    expect(page).toEqual(parsed(json));
    expect(page).toMatchObject({ ok: true, value: { id: "a", content: { kind: "scored" } } });
    expect(read(`${json}\r`)).toEqual(page);
  });

  it("are read in pieces if they are long, with the same result", () => {
    const lines = Array.from({ length: 3000 }, (_one, at) => line(`größer ${"x".repeat(at % 90)}`));
    const long = toJson({ ...RECORD, lines });
    expect(isOwn(long)).toBe(true);
    expect(read(long)).toEqual(parsed(long));
    const wrong = long.replace(/"content"(?!.*"content")/, '"contents"');
    expect(isOwn(wrong)).toBe(false);
  });

  it("give the same result as the parser if they are cut off or one byte is wrong", () => {
    const small = toJson({ ...RECORD, lines: RECORD.lines.slice(1, 6), page: undefined, carried: undefined });
    expect(isOwn(small)).toBe(true);
    for (let end = 0; end < small.length; end += 1)
      expect(read(small.slice(0, end))?.ok ?? false, small.slice(0, end)).toBe(false);
    for (let at = 0; at < small.length; at += 1)
      for (const wrong of ['"', "\\", "9"]) {
        const broken = small.slice(0, at) + wrong + small.slice(at + 1);
        // Only the outcomes are compared: the message names a position, and the other text has one more space.
        const [one, other] = [read(broken), parsed(broken)];
        if (other?.ok === true) expect(one, broken).toEqual(other);
        else expect(one?.ok ?? false, broken).toBe(false);
      }
  });

  it.each([
    ["lines of spans", { lines: [line("x", { spans: [] })] }],
    ["lines in holders", { lines: [line("x", { holder: 0 })] }],
    ["lines without a score", { lines: [{ text: "x" }] }],
    ["a score above 1", { lines: [line("x", { score: 1.5 })] }],
    ["an unknown block", { lines: [line("x", { block: "blink" })] }],
    ["an html field beside the lines", { html: "<p>Words of a page.</p>" }],
    ["the control character that marks a place", { extra: "\u0001 here" }],
    ["a text that is not a string", { text: 7 }],
    ["a text only further inside", { text: undefined, meta: { author: "Åsa", text: "inner" } }],
  ])("leave %s to the parser", (_, more) => {
    const other = toJson({ ...RECORD, ...more });
    expect(isOwn(other)).toBe(false);
    expect(read(other)).toEqual(parsed(other));
  });

  it.each([
    ["an escape that JSON does not have", String.raw`one\x41`],
    ["an incomplete escape", String.raw`one\u12`],
    ["a control character", "one\u0001two"],
    ["half a surrogate pair", String.raw`one\ud83d`],
    ["an escaped closing quote", String.raw`one\"`.slice(0, -1)],
  ])("give the same result as the parser with %s in their text or in a line's", (_, part) => {
    const texts = [`,"text":"${part}`, `{"text":"${part}`];
    for (const [at, before] of [',"text":"', '{"text":"'].entries()) {
      const poisoned = json.replace(before, texts[at] ?? "");
      expect(poisoned).not.toBe(json);
      const [one, other] = [read(poisoned), parsed(poisoned)];
      if (other?.ok === true) expect(one).toEqual(other);
      else expect(one).toMatchObject({ ok: false, reason: other?.reason });
    }
  });

  it("keep large numbers beside their lines", () => {
    const huge = json.replace('"extra":1.5', '"extra":1e400,"more":12345678901234567890.50');
    expect(isOwn(huge)).toBe(true);
    expect(read(huge)).toEqual(parsed(huge));
    expect(read(huge)).toMatchObject({
      value: { carried: expect.stringContaining("12345678901234567890.50") as string },
    });
  });

  it("are not confused with a record that contains such lines further inside", () => {
    const inner = toJson({ id: "b", text: "Words.", lines: 1, extra: { a: 1, lines: RECORD.lines } });
    expect(isOwn(inner)).toBe(false);
    expect(read(inner)).toMatchObject({ ok: true, value: { content: { kind: "text" } } });
    const twice = `${json.slice(0, -1)},"lines":["one","two"]}`;
    expect(read(twice)).toMatchObject({ ok: true, value: { content: { kind: "lines" } } });
  });
});
