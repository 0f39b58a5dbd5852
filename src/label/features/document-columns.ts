/** Fills the columns that compare a line with the other lines of its document. */
import * as columns from "./columns.js";
import * as known from "./facts.js";
import type { DocumentFacts } from "./facts.js";
import { logCount } from "./columns.js";

// Constants of this module, for the reason given in `scan-line.ts`.
const { AT } = columns;
const { KEY, KEYS, SHORT, WORD, WORD_FACTS } = known;

/** Lines before and after are counted up to this; unlimited, the two counts would reveal the document's length. */
const EDGE_LINES = 12;

/**
 * Other lines with the same key are counted up to this. That many show a list; more only show its length, and half of
 * the crawled training texts have fewer than 20 lines. Without the limit, a register of 300 births or more was
 * boilerplate, but its first 50 lines alone were content. With it no F1 changed by more than .0005 on turku-tq's dev,
 * CleanEval and the held-out sites of wcxb.
 */
const MOST_OTHERS = 16;

/** Fills the document columns of a line into the row that begins at `base`. */
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
  const same = line * KEYS + KEY.same;
  const near = line * KEYS + KEY.near;
  row[base + AT["copy"]] = hasEarlier(facts, same) ? 1 : 0;
  row[base + AT["copied-later"]] = hasLater(facts, same) ? 1 : 0;
  row[base + AT["copies"]] = countOthers(facts, same);
  row[base + AT["near-copy"]] = hasEarlier(facts, near) ? 1 : 0;
  row[base + AT["near-copied-later"]] = hasLater(facts, near) ? 1 : 0;
  row[base + AT["near-copies"]] = countOthers(facts, near);
  row[base + AT["same-shape"]] = countOthers(facts, line * KEYS + KEY.shape);
  row[base + AT["same-beginning"]] = countOthers(facts, line * KEYS + KEY.beginning);
  row[base + AT["same-ending"]] = countOthers(facts, line * KEYS + KEY.ending);
}

/* Other lines with the same key; `place` is the index of the line's key in `keyIds` and `keyRanks`. */

function hasEarlier({ keyRanks }: DocumentFacts, place: number): boolean {
  return (keyRanks[place] ?? 0) > 0;
}

function hasLater(facts: DocumentFacts, place: number): boolean {
  return othersOf(facts, place) > (facts.keyRanks[place] ?? 0);
}

function countOthers(facts: DocumentFacts, place: number): number {
  return logCount(Math.min(MOST_OTHERS, othersOf(facts, place)));
}

function othersOf({ keyCounts, keyIds }: DocumentFacts, place: number): number {
  return (keyCounts[keyIds[place] ?? 0] ?? 1) - 1;
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
