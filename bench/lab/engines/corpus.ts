/**
 * Writes a corpus of varied pages, with poison among them, as JSON Lines files of equal size; each run writes the same
 * corpus.
 * `node dist/bench/lab/engines/corpus.js FOLDER PAGES [PAGES_A_FILE] [SOURCE]`; SOURCE is a folder with HTML files or
 * gold pages (`pages.jsonl.gz`) at any depth, by default our fixtures. Each hundredth page is poison.
 */
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { isMain } from "../is-main.js";

const PAGES_A_FILE = 500;
const POISON_EVERY = 100;
/** In characters. Larger base pages would make the corpus gigabytes. */
const MAX_BASE_CHARS = 300_000;
const NESTING = 20_000;
const TOO_LARGE = 10_500_000;

interface Page {
  readonly id: string;
  readonly url: string;
  readonly html?: string;
  readonly bytes?: string;
}

type Draw = (below: number) => number;

/**
 * Content that no web page should have, though some do. Each is cleaned fast enough that a busy machine does not change
 * the outcome.
 */
const POISON: readonly ((base: string, draw: Draw) => Pick<Page, "html" | "bytes">)[] = [
  () => ({ html: "" }),
  (base, draw) => ({ html: base.slice(0, draw(base.length)) }),
  (_, draw) => ({ bytes: garbage(draw).toString("base64") }),
  (base) => ({ html: "<div>".repeat(NESTING) + base }),
  (base) => ({ html: "<b><i><a href=x>".repeat(2000) + base }),
  (base) => ({ html: base.replaceAll("</p>", "<table><tr><td>") }),
  () => ({ html: `<p>${"boats and ".repeat(TOO_LARGE / 10)}</p>` }),
  (base, draw) => ({ bytes: Buffer.concat([Buffer.from(base), garbage(draw)]).toString("base64") }),
];

/** Writes the files and returns their paths. The pages depend only on the base pages and on the page number. */
export function writeCorpus(
  folder: string,
  bases: readonly string[],
  { pages, perFile = PAGES_A_FILE }: { readonly pages: number; readonly perFile?: number },
): string[] {
  mkdirSync(folder, { recursive: true });
  const files: string[] = [];
  for (let first = 0; first < pages; first += perFile) {
    const path = join(folder, `pages-${String(files.length).padStart(5, "0")}.jsonl`);
    const lines = Array.from({ length: Math.min(perFile, pages - first) }, (_, at) =>
      JSON.stringify(makePage(first + at, bases)),
    );
    writeFileSync(path, `${lines.join("\n")}\n`);
    files.push(path);
  }
  return files;
}

function makePage(number: number, bases: readonly string[]): Page {
  const draw = drawFrom(number);
  const base = bases[draw(bases.length)] ?? "";
  const of = { id: `page-${number}`, url: `https://site-${draw(997)}.example.org/${number}` };
  const poison = POISON[Math.floor(number / POISON_EVERY) % POISON.length];
  if (number % POISON_EVERY === POISON_EVERY - 1 && poison !== undefined)
    return { ...of, ...poison(base, draw) };
  return { ...of, html: vary(base, number, draw) };
}

/** Removes about a fifth of the paragraphs, and inserts one that no other page has. */
function vary(base: string, number: number, draw: Draw): string {
  const kept = base.replace(/<p\b[^>]*>[^]*?<\/p>/gi, (paragraph) => (draw(5) === 0 ? "" : paragraph));
  const own = `<p>Ferry number ${number} crossed the bay ${draw(1000)} times a year, for ${draw(90)} years, in all weathers.</p>`;
  const ends = [...kept.matchAll(/<\/p>/gi)].map(({ index }) => index + "</p>".length);
  const at = ends[draw(ends.length + 1)] ?? kept.length;
  return kept.slice(0, at) + own + kept.slice(at);
}

function garbage(draw: Draw): Buffer {
  return Buffer.from(Array.from({ length: 2000 }, () => draw(256)));
}

/** Draws numbers below a bound from a hash of the seed and of how many were drawn before. */
function drawFrom(seed: number): Draw {
  let drawn = 0;
  let pool = Buffer.alloc(0);
  return (below) => {
    if (drawn % 8 === 0) pool = createHash("sha256").update(`${seed}:${drawn}`).digest();
    const value = pool.readUInt32LE((drawn % 8) * 4);
    drawn += 1;
    return below === 0 ? 0 : value % below;
  };
}

/** Reads the pages below a folder, in the order of their paths, without those above `MAX_BASE_CHARS`. */
export function readBases(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".html") || name.endsWith(".jsonl.gz"))
    .sort()
    .flatMap((name) => (name.endsWith(".gz") ? readGold : readHtml)(join(folder, name)))
    .filter((html) => html.length <= MAX_BASE_CHARS);
}

function readHtml(path: string): string[] {
  return [readFileSync(path, "utf8")];
}

function readGold(path: string): string[] {
  const lines = gunzipSync(readFileSync(path)).toString("utf8").trimEnd().split("\n");
  return lines.map((line) => {
    const { html } = JSON.parse(line) as { readonly html?: unknown };
    if (typeof html !== "string") throw new Error(`${path} has a line without html`);
    return html;
  });
}

if (isMain(import.meta.url)) {
  const [folder = "", pages = "", perFile = `${PAGES_A_FILE}`, source = "fixtures/pages"] =
    process.argv.slice(2);
  if (folder === "" || !/^\d+$/.test(pages)) throw new Error("say FOLDER PAGES [PAGES_A_FILE] [SOURCE]");
  const files = writeCorpus(folder, readBases(source), { pages: Number(pages), perFile: Number(perFile) });
  process.stdout.write(`${files.length} files with ${pages} pages in ${folder}\n`);
}
