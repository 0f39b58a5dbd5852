/**
 * Measures the signs of prepared texts like the program.
 *
 *     node models/train/text/condition_signs.js INPUT.jsonl.gz OUTPUT.jsonl
 */
import { built, readRows, writeRows } from "../common/built.js";

const { CONDITION_SIGNS, measureSigns } = await built("label/text/condition-signs.js");
const { isBlank } = await built("label/label-line.js");

const [input = "", output = ""] = process.argv.slice(2);
const rows = [];
for await (const { lines, ...about } of readRows(input)) {
  const texts = lines.map(({ text }) => text).filter((text) => !isBlank(text));
  if (texts.length > 0) rows.push({ ...about, signs: measureSigns(texts) });
}
await writeRows(output, rows);
process.stderr.write(`${rows.length} texts, ${CONDITION_SIGNS.length} signs\n`);
