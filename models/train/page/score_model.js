/**
 * Scores prepared pages with the network of a model folder, as the built program does, and writes records like those of
 * score_pages.py, to fit numbers on a network that only exists as a folder.
 *
 *     node models/train/page/score_model.js MODEL INPUT.jsonl.gz OUTPUT.jsonl
 */
import { resolve } from "node:path";
import { built, readRows, writeRows } from "../common/built.js";

const { scorePage } = await built("label/page/page-labeller.js");
const { loadPageModel } = await built("label/page/page-folder.js");
const { chooseEngine } = await built("label/network/engines.js");
const { openModel } = await built("label/network/session.js");
const { createWorkspace } = await built("label/features/windows.js");
const { countLetters } = await built("label/features/chars.js");
const { excessOfWalls } = await built("label/features/page/wall-words.js");

/** Counts letters like the labeller. */
const MOST_LETTERS = 10_000;

const [folder = "", input = "", output = ""] = process.argv.slice(2);
const model = loadPageModel(resolve(folder));
const session = await openModel(model.network, resolve(folder), await chooseEngine());
const workspace = createWorkspace();
const rounded = (numbers) => Array.from(numbers, (number) => Number(number.toPrecision(7)));
async function* scoreAll() {
  for await (const { lines: all, ...page } of readRows(input)) {
    const { id, url = "", title = "" } = page;
    const document = { id, url, source: "html", meta: { title }, notes: [], lines: all };
    const { of, lines, page: judged } = await scorePage(document, { model, session, workspace });
    yield {
      variant: "base",
      pageType: null,
      ...page,
      goldText: undefined,
      labels: of.map(({ label }) => label),
      letters: of.map(({ text }) => countLetters(text, MOST_LETTERS)),
      walls: excessOfWalls(of),
      lines: rounded(lines),
      page: rounded(judged),
    };
  }
}
await writeRows(output, scoreAll());
await session.close();
