/**
 * Labelled lines with their place in the page into what the labeller `boilernet` reads of them, by the built program.
 *
 *     node models/train/boilernet_lines.js OUTPUT INPUT.jsonl[.gz] … [--model FOLDER]
 *
 * OUTPUT.jsonl.gz has a document a line: `id`, `source`, and of its lines that are not blank `labels`, `tags` (counts by name),
 * `depths` and `words` (joined by spaces, for no word has one). OUTPUT.f32 has the vectors of all lines, by the columns and the
 * table of FOLDER (page-1 when absent); OUTPUT.json says what is in them.
 */
import { createReadStream, createWriteStream, writeFileSync } from "node:fs";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { finished } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { createGunzip, createGzip } from "node:zlib";

const built = (path) => import(new URL(`../../dist/${path}`, import.meta.url).href);
const { bagNames, createBagEncoder, OWN_COLUMNS } = await built("label/boilernet/bags.js");
const { countTags, depthOf } = await built("label/boilernet/tags.js");
const { wordsOf } = await built("label/boilernet/words.js");
const { loadPageModel, loadTextModel, readModelCard } = await built("label/model.js");
const { isBlank } = await built("label/verdict.js");

const { values, positionals } = parseArgs({
  options: { model: { type: "string", default: fileURLToPath(new URL("../page-1", import.meta.url)) } },
  allowPositionals: true,
});
const [output = "", ...inputs] = positionals;
// The table of a page model knows the first two bags.
const isPage = readModelCard(values.model).kind === "page";
const model = isPage ? loadPageModel(values.model) : loadTextModel(values.model);
const bags = isPage ? 2 : 3;
const encoder = createBagEncoder(model, bags);

function describe(document, lines) {
  const { id, source, fold } = document;
  const tags = lines.map((line) => countTags({ path: "", linkChars: 0, ...line }));
  return {
    id,
    source,
    fold,
    digest: document.digest,
    labels: lines.map(({ label }) => label),
    tags: tags.map((counts) => Object.fromEntries(counts)),
    depths: tags.map(depthOf),
    words: lines.map(({ text }) => wordsOf(text).join(" ")),
  };
}

const out = createGzip({ level: 1 });
const written = finished(out.pipe(createWriteStream(`${output}.jsonl.gz`)));
const vectors = createWriteStream(`${output}.f32`);
let count = 0;
for (const input of inputs) {
  const file = createReadStream(input);
  const rows = createInterface({ input: input.endsWith(".gz") ? file.pipe(createGunzip()) : file });
  for await (const row of rows) {
    const document = JSON.parse(row);
    const lines = document.lines.filter((line) => !isBlank(line.text));
    if (lines.length === 0) continue;
    const encoded = await encoder.encode(lines.map(({ text }) => text));
    if (!vectors.write(Buffer.from(encoded.buffer))) await once(vectors, "drain");
    if (!out.write(`${JSON.stringify(describe(document, lines))}\n`)) await once(out, "drain");
    count += 1;
  }
}
out.end();
vectors.end();
await Promise.all([written, finished(vectors)]);
const about = {
  width: encoder.width,
  columns: OWN_COLUMNS,
  bags: bagNames(bags),
  model: model.name,
  digest: model.digest,
  table: { rows: model.table.length / model.width, width: model.width, scale: model.scale },
};
writeFileSync(`${output}.json`, `${JSON.stringify(about, null, 2)}\n`);
process.stderr.write(`${output}: ${count} documents\n`);
