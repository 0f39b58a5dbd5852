/**
 * Turns gold pages, or gold lines, into documents with the lines that the labeller `texrex` sees and the features that it
 * computes for them, with the gold.
 *
 *     node models/train/papers/texrex/texrex_rows.js INPUT.jsonl[.gz] OUTPUT.jsonl.gz [FIRST_N]
 *
 * `rows` are the features of the lines that are not blank, little-endian single precision in base64. Lines without a page
 * have only their text and place. DIST names another build of the program.
 */
import { built, readRows, writeRows } from "../../common/built.js";
import { plainLines } from "../../common/plain_document.js";

const { openReader } = await built("core/read-page.js");
const { describeLines, hideMarkup } = await built("label/papers/texrex/texrex-features.js");
const { isBlank } = await built("label/label-line.js");

function toBase64(rows) {
  return Buffer.from(rows.buffer, rows.byteOffset, rows.byteLength).toString("base64");
}

function readLines(gold) {
  const lines = gold.lines.filter(({ text }) => !isBlank(text));
  const rows = describeLines(plainLines(lines));
  hideMarkup(rows);
  const labelled = lines.map(({ text, label }) => ({ text, label: Number(label) }));
  return {
    id: gold.id,
    url: gold.url ?? "",
    lang: gold.lang,
    split: gold.split,
    lines: labelled,
    rows: toBase64(rows),
  };
}

function readDocument(gold, read) {
  if (gold.html === undefined) return readLines(gold);
  const outcome = read({ id: gold.id, url: gold.url ?? "", content: { kind: "html", html: gold.html } });
  const lines = outcome.ok ? outcome.value.lines.filter(({ text }) => !isBlank(text)) : [];
  return {
    id: gold.id,
    url: gold.url ?? "",
    lang: gold.lang,
    split: gold.split,
    pageType: gold.page_type,
    lines: lines.map(({ text }) => ({ text })),
    rows: toBase64(describeLines(lines, outcome.ok ? outcome.value.markup : undefined)),
    goldText: gold.gold_text,
    goldLines: gold.gold_lines,
    goldCover: gold.gold_cover,
  };
}

const read = await openReader("page", { leftOut: "drop", markup: "count" });

const [input = "", output = "", firstN = "Infinity"] = process.argv.slice(2);
let documents = 0;
async function* readDocuments() {
  for await (const gold of readRows(input)) {
    if (documents >= Number(firstN)) break;
    documents += 1;
    yield readDocument(gold, read);
  }
}
await writeRows(output, readDocuments());
process.stderr.write(`${input}: ${documents} documents\n`);
