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

/**
 * Other lines of a kind that are counted. So many say that a list goes on; more say only how long it does, and half of the crawled
 * texts that train have fewer than 20 lines: a register of 300 births and all longer ones were boilerplate, the first 50
 * of them content. On turku-tq's dev, CleanEval and the held-out sites of wcxb no F1 changed by more than .0005.
 */
const MOST_OTHERS = 16;

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
  const countOf = (key: number): number => logCount(Math.min(MOST_OTHERS, others(key)));
  const rank = (key: number): number => facts.keyRanks[at + key] ?? 0;
  row[base + AT["copy"]] = rank(KEY.same) > 0 ? 1 : 0;
  row[base + AT["copied-later"]] = others(KEY.same) > rank(KEY.same) ? 1 : 0;
  row[base + AT["copies"]] = countOf(KEY.same);
  row[base + AT["near-copy"]] = rank(KEY.near) > 0 ? 1 : 0;
  row[base + AT["near-copied-later"]] = others(KEY.near) > rank(KEY.near) ? 1 : 0;
  row[base + AT["near-copies"]] = countOf(KEY.near);
  row[base + AT["same-shape"]] = countOf(KEY.shape);
  row[base + AT["same-beginning"]] = countOf(KEY.beginning);
  row[base + AT["same-ending"]] = countOf(KEY.ending);
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
