import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  CONDITIONS,
  FAILURE_KINDS,
  readMarkedDocuments,
  type MarkedDocument,
} from "../../../../../bench/lab/gate/known-failures/marked-documents.js";
import { ROOT } from "../../../../../bench/systems/root.js";
import { extractText } from "../../../../../src/extract/text.js";

const FOLDER = join(ROOT, "fixtures", "known-failures");
const documents = await readMarkedDocuments(FOLDER);
const ofKind = (kind: string): MarkedDocument[] => documents.filter((document) => document.kind === kind);

/** A line is long from this number of UTF-8 bytes: it has so many words in any script that no two pages would share it. */
const LONG_BYTES = 30;

/** Languages with their own script; the others use Latin. */
const SCRIPTS: Readonly<Record<string, RegExp>> = {
  ar: /\p{Script=Arabic}/u,
  hi: /\p{Script=Devanagari}/u,
  ja: /[\p{Script=Hiragana}\p{Script=Katakana}]/u,
  ru: /\p{Script=Cyrillic}/u,
  th: /\p{Script=Thai}/u,
  zh: /\p{Script=Han}/u,
};

function longLines(lines: readonly { readonly text: string }[]): string[] {
  const keys = lines.map(({ text }) => text.toLowerCase());
  return [...new Set(keys)].filter((text) => Buffer.byteLength(text) >= LONG_BYTES);
}

/** Returns the long lines of the other fixtures, by folder. */
function otherFixtures(): [string, string[]][] {
  return ["pages", "text"].flatMap((room) => {
    const folder = join(ROOT, "fixtures", room);
    return readdirSync(folder).map((slug): [string, string[]] => {
      const rows = readFileSync(join(folder, slug, "lines.jsonl"), "utf8")
        .trimEnd()
        .split("\n");
      return [`${room}/${slug}`, longLines(rows.map((row) => JSON.parse(row) as { text: string }))];
    });
  });
}

describe("the fixtures of known failures", () => {
  it("are in folders of kinds, and every file is read", () => {
    const found = readdirSync(FOLDER, { withFileTypes: true });
    expect(found.map(({ name }) => name).sort()).toEqual([...FAILURE_KINDS].sort());
    const files = FAILURE_KINDS.flatMap((kind) => readdirSync(join(FOLDER, kind)));
    expect(files).toHaveLength(documents.length);
  });

  it("share no long line with each other or with the other fixtures", () => {
    const seen = new Map<string, string>();
    for (const [name, lines] of otherFixtures()) for (const line of lines) seen.set(line, name);
    expect(seen.size).toBeGreaterThan(200);
    const shared: string[] = [];
    for (const { id, lines } of documents) {
      for (const line of longLines(lines)) {
        const other = seen.get(line);
        if (other !== undefined) shared.push(`${id} and ${other}: ${line}`);
        seen.set(line, id);
      }
    }
    expect(shared).toEqual([]);
  });

  it("cover many languages", () => {
    expect(new Set(documents.map(({ lang }) => lang)).size).toBeGreaterThanOrEqual(18);
  });
});

describe.each(FAILURE_KINDS)("the kind %s", (kind) => {
  it("has its number of documents, languages and conditions", () => {
    expect(ofKind(kind).length).toBeGreaterThanOrEqual(5);
    expect(new Set(ofKind(kind).map(({ lang }) => lang)).size).toBeGreaterThanOrEqual(4);
    const conditions = new Set(ofKind(kind).map(({ condition }) => condition));
    expect([...conditions].sort()).toEqual([...CONDITIONS].sort());
  });
});

describe.each(documents)("$id", ({ lang, kind, proves, lines }) => {
  it("has the length of a page or of its kind, and says what it tests", () => {
    const [least, most] = kind === "huge-lists" ? [5000, 6000] : [20, 60];
    expect(lines.length).toBeGreaterThanOrEqual(least);
    expect(lines.length).toBeLessThanOrEqual(most);
    expect(proves).toMatch(/^[A-Z].{20,}\.$/);
  });

  it("has marked and unmarked lines, and marked lines of both labels", () => {
    const marked = lines.filter(({ cls }) => cls === kind);
    expect(marked.length).toBeLessThan(lines.length);
    expect(new Set(marked.map(({ label }) => label))).toEqual(new Set([0, 1]));
  });

  it("splits into its lines", () => {
    const text = lines.map((line) => line.text).join("\n");
    const outcome = extractText({ id: kind, url: "", text });
    expect(outcome.ok && outcome.value.lines.map((line) => line.text)).toEqual(
      lines.map((line) => line.text),
    );
  });

  it("is in the script of its language", () => {
    const script = SCRIPTS[lang] ?? /\p{Script=Latin}/u;
    const written = lines.filter(({ text, label }) => label === 1 && script.test(text)).length;
    expect(written).toBeGreaterThan(lines.filter(({ label }) => label === 1).length / 2);
  });
});

describe("marked duplicates", () => {
  it("have a copy in the document whose label depends only on its place", () => {
    for (const { id, lines } of ofKind("duplicates")) {
      for (const { text } of lines.filter(({ cls }) => cls !== undefined)) {
        const copies = lines.filter((line) => line.text === text).length;
        expect(copies, `${id}: ${text}`).toBeGreaterThanOrEqual(2);
      }
    }
  });
});
