/**
 * Lists the lines of gold pages that Readability takes as the article, by the same offsets as in page_lines.js.
 *
 *     node models/train/text/readable_lines.js INPUT.jsonl[.gz] OUTPUT.jsonl [LANGUAGE,…]
 */
import { createWriteStream } from "node:fs";
import { once } from "node:events";
import { finished } from "node:stream/promises";
import { built, readRows } from "../common/built.js";

const { openReader } = await built("core/read-page.js");
const read = await openReader("readability", { leftOut: "drop" });

const [input = "", output = "", languages] = process.argv.slice(2);
const wanted = languages?.split(",");
const out = createWriteStream(output);
const written = finished(out);
let pages = 0;
for await (const gold of readRows(input)) {
  if (wanted !== undefined && !wanted.includes(gold.lang)) continue;
  const outcome = read({ id: gold.id, url: gold.url ?? "", content: { kind: "html", html: gold.html } });
  // A page that Readability cannot read has no article, because an extractor would return nothing.
  const spans = outcome.ok
    ? outcome.value.lines.flatMap(({ span }) => (span === undefined ? [] : [span]))
    : [];
  pages += 1;
  if (!out.write(`${JSON.stringify({ id: gold.id, spans })}\n`)) await once(out, "drain");
}
out.end();
await written;
process.stderr.write(`${input}: ${pages} pages\n`);
