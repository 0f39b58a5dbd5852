/**
 * Computes the program's input for each text: its columns, and the numbers of its word pieces.
 *
 *     node registers/register_features.js TEXTS.jsonl(.gz) PIECES.bin OUT.jsonl.gz
 *
 * Each line has the fields of its text without the text itself, and "columns", "tells" (whether it gets an answer, apart from the check
 * for two languages), "pieces", "words" (the pieces that are words), "different" (the number of distinct words),
 * and "first": how many of the pieces are in the first words, which are pooled again. OUT.jsonl.gz.columns.json names the columns.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { built, readRows, writeRows } from "../common/built.js";

const { scanText, TEXT_COLUMNS } = await built("label/registers/scan-text.js");
const { FIRST_WORDS } = await built("label/registers/register-pool.js");
const { tellsEnough } = await built("label/registers/telling.js");
const { readVocabulary, WORD_START } = await built("label/features/pieces/vocabulary.js");

const [textsPath, piecesPath, outPath] = process.argv.slice(2);
if (outPath === undefined) throw new Error("usage: node register_features.js TEXTS PIECES OUT");
const vocabulary = readVocabulary(readFileSync(piecesPath));
const known = new Map();
const room = new Uint16Array(4096);

function cutWord(word) {
  const found = known.get(word);
  if (found !== undefined) return found;
  const pieces = [...room.subarray(0, vocabulary.cut(WORD_START + word.normalize("NFKC"), room, 0))];
  known.set(word, pieces);
  return pieces;
}

function describe({ text, ...others }) {
  const pieces = [];
  const words = [];
  const met = new Set();
  let first = 0;
  let place = 0;
  let count = 0;
  const { columns, ...signs } = scanText(text, (of, start, end) => {
    const word = of.slice(start, end);
    const cut = cutWord(word);
    pieces.push(...cut);
    count += Math.max(cut.length, 1);
    if (cut.length === 1) words.push(cut[0]);
    place += 1;
    if (place <= FIRST_WORDS) first = pieces.length;
    const isRepeated = met.has(word);
    met.add(word);
    return isRepeated;
  });
  return {
    ...others,
    tells: tellsEnough(signs, count),
    first,
    columns: [...columns],
    pieces,
    words,
    different: met.size,
  };
}

async function* describeAll() {
  for await (const one of readRows(textsPath)) yield describe(one);
}

await writeRows(outPath, describeAll());
writeFileSync(`${outPath}.columns.json`, JSON.stringify(TEXT_COLUMNS));
