/**
 * Turns gold pages into documents with the lines that the extractor `page` of the built program finds, each with its
 * place in the page, and with the gold.
 *
 *     node models/train/page/page_lines.js INPUT.jsonl[.gz] OUTPUT.jsonl.gz [FIRST_N]
 *
 * A page without lines is kept, with the reason, because labellers answer it, too. Such pages are named on stderr.
 */
import { built, readRows, writeRows } from "../common/built.js";

const { openReader } = await built("core/read-page.js");

/** The fields of a line that features read. */
const placed = ({ text, block, path, linkChars, breakBefore, span }) => ({
  text,
  block,
  path,
  linkChars,
  breakBefore,
  span,
});

/** The title that the labeller compares lines with. */
const titleOf = ({ statedTitle, meta }) => statedTitle ?? meta.title;

function readDocument(gold, read) {
  const outcome = read({ id: gold.id, url: gold.url ?? "", content: { kind: "html", html: gold.html } });
  return {
    id: gold.id,
    url: gold.url ?? "",
    lang: gold.lang,
    source: gold.source,
    split: gold.split,
    pageType: gold.page_type,
    title: outcome.ok ? titleOf(outcome.value) : undefined,
    reason: outcome.ok ? undefined : outcome.reason,
    lines: outcome.ok ? outcome.value.lines.map(placed) : [],
    goldText: gold.gold_text,
    goldLines: gold.gold_lines,
    goldCover: gold.gold_cover,
    hostInShared: gold.host_in_shared,
  };
}

const read = await openReader("page", { leftOut: "drop" });

const [input = "", output = "", firstN = "Infinity"] = process.argv.slice(2);
const empty = [];
let pages = 0;
async function* readDocuments() {
  for await (const gold of readRows(input)) {
    if (pages >= Number(firstN)) break;
    const document = readDocument(gold, read);
    pages += 1;
    if (document.lines.length === 0) empty.push(`${document.id} (${document.reason})`);
    yield document;
  }
}
await writeRows(output, readDocuments());
process.stderr.write(`${input}: ${pages} pages, ${empty.length} without a line\n`);
for (const name of empty) process.stderr.write(`  no line: ${name}\n`);
