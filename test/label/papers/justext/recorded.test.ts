/**
 * Compares our rules with the recorded classes that jusText 3.0.2 gives to its own paragraphs of our fixtures. With the
 * Python rivals installed (npm run bench:rivals), UPDATE_GOLDEN=1 rewrites the record, and otherwise the test compares it.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { Connection } from "../../../../bench/systems/connection.js";
import { classify } from "../../../../src/label/papers/justext/classify.js";

const ROOT = fileURLToPath(new URL("../../../../", import.meta.url));
const RECORD = join(ROOT, "test", "label", "papers", "justext", "recorded.jsonl");
const PYTHON = join(ROOT, ".venv", "bin", "python");
const PAGES = [
  "amp-article",
  "blog-with-comments-fi",
  "cookie-wall-first-nl",
  "documentation-code-en",
  "encyclopedia-infobox-it",
  "forum-thread-de",
  "listing-pt",
  "news-article-ru",
  "news-article-sv",
  "product-es",
  "qa-en",
  "recipe-fr",
  "table-as-layout",
  "unclosed-tags",
];

interface Recorded {
  readonly id: string;
  readonly paragraphs: readonly {
    readonly text: string;
    readonly linkChars: number;
    readonly stopShare: number;
    readonly isHeading: boolean;
    readonly path: string;
    readonly first: string;
    readonly last: string;
  }[];
}

// This test wrote it.
const recorded = (): Recorded[] =>
  readFileSync(RECORD, "utf8")
    .trim()
    .split("\n")
    .map((row) => JSON.parse(row) as Recorded);

async function askPython(): Promise<Recorded[]> {
  const script = join(ROOT, "bench", "lab", "gate", "justext", "paragraphs.py");
  const connection = new Connection({ command: PYTHON, args: ["-X", "utf8", script] });
  const replies: Recorded[] = [];
  for (const id of PAGES) {
    const folder = join(ROOT, "fixtures", "pages", id);
    const { lang } = JSON.parse(readFileSync(join(folder, "about.json"), "utf8")) as { lang: string };
    const html = readFileSync(join(folder, "source.html"), "utf8");
    const answer = await connection.ask(`${JSON.stringify({ id, html, lang })}\n`, 60_000);
    if (answer.kind !== "line") throw new Error(`no answer for ${id}: ${answer.kind}`);
    // paragraphs.py writes it; the record does not contain jusText's stop words.
    const { paragraphs } = JSON.parse(answer.line) as Recorded;
    replies.push({ id, paragraphs });
  }
  await connection.close();
  return replies;
}

describe("jusText on our fixtures", () => {
  it.runIf(existsSync(PYTHON))("gives what is recorded", { timeout: 120_000 }, async () => {
    const replies = await askPython();
    const rows = replies.map((reply) => `${JSON.stringify(reply)}\n`).join("");
    if (process.env["UPDATE_GOLDEN"] === "1" && process.env["CI"] === undefined) writeFileSync(RECORD, rows);
    expect(replies).toEqual(recorded());
  });

  it("gives what our rules give on the same paragraphs, except for one rule that jusText does not apply", () => {
    const parted: string[] = [];
    let count = 0;
    for (const { id, paragraphs } of recorded()) {
      const judged = classify(
        paragraphs.map(({ text, path, ...one }) => ({
          ...one,
          length: text.length,
          hasCopyright: text.includes("©") || text.includes("&copy"),
          isChoice: path.split(".").includes("select"),
        })),
      );
      for (const [at, { first, last, text }] of paragraphs.entries()) {
        const said = judged[at];
        expect(said?.first.replace("-", ""), `${id}: ${text}`).toBe(first);
        if (said?.isContent !== (last === "good")) parted.push(`${id}: ${text} (${said?.why ?? ""})`);
        count += 1;
      }
    }
    expect(count).toBeGreaterThan(300);
    // Its first rule for headings reads classes that it has not set yet, so that it never makes a heading near-good,
    // and drops short paragraphs next to such a heading.
    expect(parted).toEqual(
      ["Sorted by:", "41", "Accepted answer"].map(
        (text) => `qa-en: ${text} (justext-short-beside-near-good)`,
      ),
    );
  });
});
