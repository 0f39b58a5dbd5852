/**
 * Labels gold lines with the built program, end to end: one JSON object per document with gold labels, scores and labels. Unlabelled
 * lines are labelled with their neighbours, but left out of the output.
 *
 *     node models/train/text/predict_text.js INPUT.jsonl.gz OUTPUT.jsonl [MODEL_FOLDER]
 */
import { built, readRows, writeRows } from "../common/built.js";
import { plainDocument, saidOf } from "../common/plain_document.js";

const { labellers } = await built("label/registry.js");
const [input = "", output = "", modelDir] = process.argv.slice(2);
const text = await labellers.text.create({ focus: "balanced", ...(modelDir && { modelDir }) });
// Sets whose condition is given; other sets are raw pages.
const told = {};
for (const condition of ["raw", "extracted", "crawl"])
  told[condition] = await labellers.text.create({
    focus: "balanced",
    condition,
    ...(modelDir && { modelDir }),
  });
const rules = await labellers.rules.create({ focus: "balanced" });
const justext = await labellers.justext.create({ focus: "balanced" });

async function* labelAll() {
  for await (const gold of readRows(input)) {
    const lines = gold.lines.filter((one) => one.text.trim() !== "");
    const document = plainDocument({ id: gold.id }, lines);
    const [byText] = await text.label([document]);
    const [byTold] = await told[gold.condition ?? "raw"].label([document]);
    const [byRules] = await rules.label([document]);
    const [byJustext] = await justext.label([plainDocument(gold, lines)]);
    const known = (values) => values.filter((_, at) => lines[at].label !== null);
    const record = {
      id: gold.id,
      lang: gold.lang,
      source: gold.source,
      register: gold.register,
      condition: gold.condition,
      judged: byText.condition.name,
      gold: known(lines.map((one) => one.label)),
      scores: known(byText.lines.map((one) => one.score)),
      text: known(saidOf(byText)),
      told: known(saidOf(byTold)),
      toldScores: known(byTold.lines.map((one) => one.score)),
      rules: known(saidOf(byRules)),
      justext: known(saidOf(byJustext)),
      copies: byText.lines.filter((one) => one.why === "duplicate-line").length,
    };
    if (record.gold.length > 0) yield record;
  }
}
await writeRows(output, labelAll());
await text.close();
for (const labeller of Object.values(told)) await labeller.close();
