/**
 * Turns labelled lines with their place in the page into the input of the built program's labeller `boilernet`.
 *
 *     node models/train/papers/boilernet/boilernet_lines.js OUTPUT INPUT.jsonl[.gz] … --model FOLDER [--pooling cls|mean] [--tokens N]
 *
 * OUTPUT.jsonl.gz has one document per line: `id`, `source`, and for its lines that are not blank `labels`, `tags` (counts by name),
 * `depths` and `words` (joined by spaces, because words have none). OUTPUT.f32 has the vectors of all lines, by the columns and the
 * table of FOLDER (from boilernet_vectors.py, or a model) or by the transformer in FOLDER, in the layout of the Hugging Face hub;
 * OUTPUT.json describes them. `--pooling` (cls) and `--tokens` (512) are for transformers.
 */
import { createWriteStream, existsSync, readFileSync, writeFileSync } from "node:fs";
import { once } from "node:events";
import { join, resolve } from "node:path";
import { finished } from "node:stream/promises";
import { parseArgs } from "node:util";
import { createGzip } from "node:zlib";
import { built, readRows } from "../../common/built.js";

const { BAGS } = await built("label/features/bags.js");
const { createBagEncoder, OWN_COLUMNS } = await built("label/papers/boilernet/encoders.js");
const { countTags } = await built("label/papers/boilernet/path-tags.js");
const { wordsOf } = await built("label/papers/boilernet/encoders.js");
const { loadPageModel } = await built("label/page/page-folder.js");
const { loadTextModel } = await built("label/text/text-folder.js");
const { isBlank } = await built("label/label-line.js");

/** Counts elements above the text, including `html`, which is on no path; the auxiliary task of MultiBoilerNet predicts this. */
const depthOf = (counts) => [...counts.values()].reduce((depth, count) => depth + count, 1);

const { values, positionals } = parseArgs({
  options: {
    model: { type: "string", default: "" },
    pooling: { type: "string", default: "cls" },
    tokens: { type: "string", default: "512" },
  },
  allowPositionals: true,
});
const [output = "", ...inputs] = positionals;

/** Reads a table of n-grams, and the number of its bags. The table of a page model has the first two. */
function readTable(folder) {
  const about = JSON.parse(readFileSync(join(folder, "model.json"), "utf8"));
  if (about.kind === "page") return { model: loadPageModel(folder), bags: 2 };
  if (about.kind === "text") return { model: loadTextModel(folder), bags: 3 };
  const { name, table } = about;
  const bytes = readFileSync(join(folder, table.file));
  const values = new Int8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const { width, scale, sha256: digest } = table;
  return { model: { name, digest, table: values, width, scale }, bags: about.bags.length };
}

/** Returns the encoder of the vectors, and its description for model.json. */
async function openVectors(folder) {
  const onnx = ["onnx/model.onnx", "onnx/model_quantized.onnx"].find((file) =>
    existsSync(join(folder, file)),
  );
  if (onnx !== undefined) {
    const { openTransformerEncoder } = await built("label/papers/boilernet/encoders.js");
    const { pooling, tokens } = values;
    const about = { kind: "transformer", pooling, maxTokens: Number(tokens), onnx, folder: resolve(folder) };
    const refuse = (problem) => {
      throw new Error(problem);
    };
    const isQuantized = onnx.endsWith("_quantized.onnx");
    const encoder = await openTransformerEncoder({ ...about, isQuantized, refuse });
    return { encoder, about: { ...about, width: encoder.width } };
  }
  const { model, bags } = readTable(folder);
  const encoder = createBagEncoder(model, bags);
  const table = { rows: model.table.length / model.width, width: model.width, scale: model.scale };
  const { name, digest } = model;
  const about = { kind: "bags", columns: OWN_COLUMNS, bags: BAGS.slice(0, bags), model: name, digest, table };
  return { encoder, about: { ...about, width: encoder.width } };
}

const { encoder, about } = await openVectors(values.model);

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
  for await (const document of readRows(input)) {
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
writeFileSync(`${output}.json`, `${JSON.stringify(about, null, 2)}\n`);
process.stderr.write(`${output}: ${count} documents\n`);
await encoder.close();
