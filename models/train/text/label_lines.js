/**
 * Labels gold lines with untrained labellers, to compare networks with: one JSON object per document, with the verdicts of
 * each labeller.
 *
 *     node models/train/text/label_lines.js INPUT.jsonl.gz OUTPUT.jsonl LABELLER,… [SOURCE,…]
 */
import { built, readRows, writeRows } from "../common/built.js";
import { plainDocument, saidOf } from "../common/plain_document.js";

const { labellers } = await built("label/registry.js");
const [input = "", output = "", names = "", sources] = process.argv.slice(2);
const wanted = sources?.split(",");
const started = new Map();
for (const name of names.split(",")) started.set(name, await labellers[name].create({ focus: "balanced" }));
async function* labelAll() {
  for await (const gold of readRows(input)) {
    if (wanted !== undefined && !wanted.includes(gold.source)) continue;
    const record = { id: gold.id };
    for (const [name, labeller] of started) {
      const [labelled] = await labeller.label([plainDocument(gold, gold.lines)]);
      record[name] = saidOf(labelled);
    }
    yield record;
  }
}
await writeRows(output, labelAll());
for (const labeller of started.values()) await labeller.close();
