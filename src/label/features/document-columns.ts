/** Turns what a line knows of the other lines of its document into columns. */
import * as columns from "./columns.js";
import * as known from "./facts.js";
import type { DocumentFacts } from "./facts.js";
import { logCount } from "./columns.js";

// Constants of this module, for the reason given in scan.ts.
const { AT } = columns;
const { KEY, KEYS, SHORT, WORD, WORD_FACTS } = known;

/** Lines from either end that are counted. No further: the two together would tell how long the document is. */
const EDGE_LINES = 12;

/** Fills the document's columns of one line into the row that begins at `base`. */
export function fillPlace(facts: DocumentFacts, line: number, row: Float32Array, base: number): void {
  const { lines, length } = facts;
  const own = 1 + (length[line] ?? 0);
  row[base + AT["position"]] = (line + 0.5) / lines;
  row[base + AT["lines-before"]] = logCount(Math.min(line, EDGE_LINES));
  row[base + AT["lines-after"]] = logCount(Math.min(lines - 1 - line, EDGE_LINES));
  row[base + AT["length-to-mean"]] = Math.log(own / (1 + facts.mean));
  row[base + AT["length-to-median"]] = Math.log(own / (1 + facts.median));
  row[base + AT["length-to-longest"]] = Math.log(own / (1 + facts.longest));
  row[base + AT["length-to-previous"]] = line === 0 ? 0 : Math.log(own / (1 + (length[line - 1] ?? 0)));
  row[base + AT["length-to-next"]] = line === lines - 1 ? 0 : Math.log(own / (1 + (length[line + 1] ?? 0)));
  fillCopies(facts, line, row, base);
  fillWords(facts, line, row, base);
}

function fillCopies(facts: DocumentFacts, line: number, row: Float32Array, base: number): void {
  const at = line * KEYS;
  const others = (key: number): number => (facts.keyCounts[facts.keyIds[at + key] ?? 0] ?? 1) - 1;
  const rank = (key: number): number => facts.keyRanks[at + key] ?? 0;
  row[base + AT["copy"]] = rank(KEY.same) > 0 ? 1 : 0;
  row[base + AT["copied-later"]] = others(KEY.same) > rank(KEY.same) ? 1 : 0;
  row[base + AT["copies"]] = logCount(others(KEY.same));
  row[base + AT["near-copy"]] = rank(KEY.near) > 0 ? 1 : 0;
  row[base + AT["near-copied-later"]] = others(KEY.near) > rank(KEY.near) ? 1 : 0;
  row[base + AT["near-copies"]] = logCount(others(KEY.near));
  row[base + AT["same-shape"]] = logCount(others(KEY.shape));
  row[base + AT["same-beginning"]] = logCount(others(KEY.beginning));
  row[base + AT["same-ending"]] = logCount(others(KEY.ending));
}

function fillWords(facts: DocumentFacts, line: number, row: Float32Array, base: number): void {
  const { wordIds, wordEnds, words: ofWords } = facts;
  const start = line === 0 ? 0 : (wordEnds[line - 1] ?? 0);
  const end = wordEnds[line] ?? 0;
  const self = facts.isLong[line] ?? 0;
  let words = 0;
  let elsewhere = 0;
  let longElsewhere = 0;
  let inLong = 0;
  let inFirst = 0;
  let spread = 0;
  for (let at = start; at < end; at++) {
    const entry = wordIds[at] ?? 0;
    const base = (entry & ~SHORT) * WORD_FACTS;
    const others = (ofWords[base + WORD.lines] ?? 1) - 1;
    if (others > 0) elsewhere += 1;
    if (entry < 0) continue;
    words += 1;
    if (others > 0) longElsewhere += 1;
    if ((ofWords[base + WORD.longLines] ?? 0) > self) inLong += 1;
    inFirst += ofWords[base + WORD.isInFirst] ?? 0;
    spread += others;
  }
  const all = Math.max(1, end - start);
  const long = Math.max(1, words);
  row[base + AT["words-seen-elsewhere"]] = elsewhere / all;
  row[base + AT["long-words-seen-elsewhere"]] = longElsewhere / long;
  row[base + AT["words-of-long-lines"]] = inLong / long;
  row[base + AT["words-of-first-line"]] = line === 0 ? 0 : inFirst / long;
  row[base + AT["word-spread"]] = spread / (long * Math.max(1, facts.lines - 1));
}
