import fc from "fast-check";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { openInputs } from "../../../src/acquire/inputs.js";
import { readJson, readRecords } from "../../../src/acquire/records/jsonl.js";
import { parseLines, thresher } from "../../cli/run.js";
import { gather, inChunks, summarise, utf8 } from "../gather.js";
import { collectAll } from "../../collect-all.js";

const work = mkdtempSync(join(tmpdir(), "thresher-json-"));
afterAll(() => {
  rmSync(work, { recursive: true });
});

const LIMITS = { maxBytes: 1_000_000, timeoutMs: 1000 };

const read = (json: string, { size = 1 << 20, maxBytes = 100_000 } = {}) =>
  collectAll(readJson(inChunks(utf8(json), size), { input: "in.json", maxBytes }));

const RECORDS = [
  { id: "a", text: 'It says "a, b", [c] and {d}\nand \\' },
  { text: "Second, in { and ] and no end: [", note: [[1, 2], { lines: {} }] },
  { id: "c", html: "<p>x</p>", n: -1.5e3 },
] as const;

describe("JSON that is not JSON Lines", () => {
  it.each([
    ["an array in one line", JSON.stringify(RECORDS)],
    ["an array over many lines", JSON.stringify(RECORDS, undefined, 2)],
    ["an array with Windows line ends", JSON.stringify(RECORDS, undefined, 1).replaceAll("\n", "\r\n")],
    ["records one after another", RECORDS.map((one) => JSON.stringify(one, undefined, "\t")).join("\n")],
    ["JSON Lines", RECORDS.map((one) => JSON.stringify(one)).join("\n")],
    ["an array after a byte order mark", `\uFEFF${JSON.stringify(RECORDS)}`],
  ])("is read as records: %s", async (_, json) => {
    for (const size of [1, 7, 1 << 20]) {
      const outcomes = await read(json, { size });
      expect(outcomes.map((one) => one.ok && one.value.id)).toEqual(["a", "in.json:2", "c"]);
      expect(outcomes).toMatchObject([
        { value: { content: { text: RECORDS[0].text } } },
        { value: { content: { text: RECORDS[1].text } } },
        { value: { content: { kind: "html" } } },
      ]);
    }
  });

  it("gives the same outcomes as JSON Lines of the same records, whatever they contain", async () => {
    const record = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 4 });
    const texts = fc.array(fc.tuple(record, fc.string()), { maxLength: 5, minLength: 1 });
    await fc.assert(
      fc.asyncProperty(texts, fc.nat(3), fc.integer({ min: 1, max: 40 }), async (made, indent, size) => {
        const all = made.map(([more, text]) => ({ ...more, text }));
        const lines = utf8(all.map((one) => JSON.stringify(one)).join("\n"));
        const expected = await collectAll(
          readRecords(inChunks(lines, size), { input: "in.json", maxBytes: 1000 }),
        );
        const found = await read(JSON.stringify(all, undefined, indent), { size, maxBytes: 1000 });
        const told = JSON.stringify(found).replaceAll("record ", "line ");
        expect(told).toBe(JSON.stringify(expected));
      }),
    );
  });

  it.each([
    ["[]", ["empty"]],
    [
      '[1, null, "a", [{"text":"b"}], {"text":"c"}]',
      ["not-json", "not-json", "not-json", "not-json", "page"],
    ],
    ['[{"text":"a"}, {"text":b}, {"text":"c"}]', ["page", "not-json", "page"]],
    ['[{"text":"a"}, {"text":"b"}', ["page", "page", "not-json"]],
    ['[{"text":"a"}, {"text":"b', ["page", "not-json", "not-json"]],
    ['{\n"text":"a"', ["not-json", "not-json"]],
    ['[{"text":"a\nb"}]', ["not-json", "not-json"]],
    ["]]}}", ["not-json"]],
  ])("keeps the complete records of %s", async (json, expected) => {
    expect(summarise(await read(json))).toEqual(expected);
    expect(summarise(await read(json, { size: 1 }))).toEqual(expected);
  });

  it("names a record by its number, and skips one that is too long", async () => {
    const outcomes = await read(`[{"text":"a"}, {"text":"${"b".repeat(80_000)}"}, 3]`, { maxBytes: 1000 });
    expect(outcomes).toMatchObject([
      { ok: true },
      { id: "in.json:2", reason: "too-large", detail: "record 2: the record is too long" },
      { id: "in.json:3", detail: "record 3: a number, not an object" },
    ]);
  });
});

describe("an input file of such JSON", () => {
  it("is recognised by its name or its content, and not searched for in a directory", async () => {
    const name = (file: string): string => join(work, file);
    writeFileSync(name("late.json"), JSON.stringify([{ note: "n".repeat(100_000), text: "Late" }]));
    writeFileSync(name("array"), JSON.stringify(RECORDS, undefined, 2));
    writeFileSync(name("lines.json"), `{"text":"a"}\n{"text":\n{"text":"c"}\n`);
    writeFileSync(name("page.json"), "<!doctype html><p>A page");
    const kinds = async (file: string) => summarise(await gather(openInputs([name(file)], LIMITS)));
    expect(await kinds("late.json")).toEqual(["page"]);
    expect(await kinds("array")).toEqual(["page", "page", "page"]);
    expect(await kinds("lines.json")).toEqual(["page", "not-json", "page"]);
    expect(await kinds("page.json")).toEqual(["page"]);
    expect(summarise(await gather(openInputs([work], LIMITS)))).toEqual(["not-found"]);
  });

  it("is read again after `--to json` wrote it, for one document and for many", async () => {
    const pages = ["fixtures/pages/qa-en/source.html", "fixtures/pages/blog-comments-he/source.html"];
    for (const inputs of [pages.slice(0, 1), pages]) {
      const json = join(work, `${inputs.length}.json`);
      const { code, stderr } = await thresher([...inputs, "--to", "json", "--keep-boilerplate", "-o", json]);
      expect(code, stderr).toBe(0);
      const again = await thresher([json, "--threshold", "0.3", "--to", "jsonl", "--keep-boilerplate"]);
      const direct = await thresher([...inputs, "--threshold", "0.3", "--to", "jsonl", "--keep-boilerplate"]);
      // The fingerprint also names the program that labelled the lines again.
      const strip = (text: string): string => text.replaceAll(/"fingerprint":"[^"]+"/g, "");
      expect(strip(again.stdout)).toBe(strip(direct.stdout));
      expect(parseLines(direct.stdout)).toHaveLength(inputs.length);
    }
  });
});
