/**
 * Lists the lines of gold pages that Readability takes as the article, by the same offsets as in page_lines.js.
 *
 *     node models/train/text/readable_lines.js INPUT.jsonl[.gz] OUTPUT.jsonl [LANGUAGE,…]
 */
import { built, readRows, writeRows } from "../common/built.js";

const { openReader } = await built("core/read-page.js");
const read = await openReader("readability", { leftOut: "drop" });

const [input = "", output = "", languages] = process.argv.slice(2);
const wanted = languages?.split(",");
let pages = 0;
async function* readArticles() {
  for await (const gold of readRows(input)) {
    if (wanted !== undefined && !wanted.includes(gold.lang)) continue;
    const outcome = read({ id: gold.id, url: gold.url ?? "", content: { kind: "html", html: gold.html } });
    // A page that Readability cannot read has no article, because an extractor would return nothing.
    const spans = outcome.ok
      ? outcome.value.lines.flatMap(({ span }) => (span === undefined ? [] : [span]))
      : [];
    pages += 1;
    yield { id: gold.id, spans };
  }
}
await writeRows(output, readArticles());
process.stderr.write(`${input}: ${pages} pages\n`);
