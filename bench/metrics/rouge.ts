/** Computes ROUGE-LSum of a system's text against a gold text, as the `rouge-score` package does. */
import { harmonicMean } from "./fractions.js";
import { placeTokens } from "./align/place.js";
import { tokenize, whitespaceTokens } from "./tokens.js";
import { countEach } from "./words.js";

/**
 * Limits on the LCS table of one sentence pair and on all tables of a document, in cells; beyond them an approximate
 * common subsequence is used.
 */
const MAX_PAIR_CELLS = 4_000_000;
const MAX_CELLS = 300_000_000;

/** How to split a text into sentences and a sentence into tokens. Scores are comparable only within one kind. */
export interface RougeKind {
  readonly tokens: (sentence: string) => readonly string[];
  readonly sentences: (text: string) => readonly string[];
}

export const ROUGE_KINDS = {
  /**
   * The defaults of rouge-score: each line is a sentence, and tokens are `[a-z0-9]+` in lower case. Text in any other
   * script yields no tokens.
   */
  package: { tokens: (sentence) => sentence.toLowerCase().match(/[a-z0-9]+/g) ?? [], sentences: splitLines },
  /**
   * As in Bevendorff et al. 2023 and its re-runs: tokens are split at whitespace and keep case and punctuation;
   * sentences are split by NLTK's Punkt. Punkt is a trained model, so `splitSentences` replaces it here.
   */
  bevendorff: { tokens: whitespaceTokens, sentences: splitSentences },
  /**
   * This project's own kind, for any script: each line is a sentence and words are tokens, or letters in scripts
   * without spaces.
   */
  words: { tokens: tokenize, sentences: splitLines },
} satisfies Record<string, RougeKind>;

export interface RougeScore {
  readonly precision: number;
  readonly recall: number;
  readonly f1: number;
  /** False if a limit on table size was reached: then the score may be slightly too low. */
  readonly exact: boolean;
}

/**
 * Computes summary-level LCS (Lin 2004, section 3.2) with the rule of ROUGE 1.5.5 and rouge-score that no token counts
 * twice. An empty gold gives recall 1, and an empty output then gives 1 for all three, as in Bevendorff et al.
 */
export function scoreRouge(goldText: string, output: string, kind: RougeKind): RougeScore {
  const gold = kind.sentences(goldText).map((sentence) => kind.tokens(sentence));
  const found = kind.sentences(output).map((sentence) => kind.tokens(sentence));
  const wanted = countAll(gold);
  const given = countAll(found);
  if (wanted === 0 || given === 0) {
    const bothEmpty = wanted === given ? 1 : 0;
    return { precision: bothEmpty, recall: wanted === 0 ? 1 : 0, f1: bothEmpty, exact: true };
  }
  const union = new UnionLcs(found);
  const [goldLeft, foundLeft] = [countEach(gold.flat()), countEach(found.flat())];
  let hits = 0;
  for (const sentence of gold) {
    for (const at of union.indicesIn(sentence)) {
      const token = sentence[at] ?? "";
      const [a, b] = [goldLeft.get(token) ?? 0, foundLeft.get(token) ?? 0];
      if (a === 0 || b === 0) continue;
      goldLeft.set(token, a - 1);
      foundLeft.set(token, b - 1);
      hits += 1;
    }
  }
  const [precision, recall] = [hits / given, hits / wanted];
  return { precision, recall, f1: harmonicMean(precision, recall), exact: union.isExact() };
}

function countAll(sentences: readonly (readonly string[])[]): number {
  return sentences.reduce((sum, { length }) => sum + length, 0);
}

function splitLines(text: string): string[] {
  return text.split("\n").filter((line) => line !== "");
}

/**
 * The sentence ends that Punkt finds in plain prose: a punctuation mark, closing quotes, whitespace, then no lower-case
 * letter.
 */
const SENTENCE_END = /(?<=[.!?。！？]["'”’»)\]]{0,3})\s+(?=[^\p{Ll}\s])/u;

/**
 * Splits a text into sentences. Like Punkt, it does not split at line breaks. Unlike Punkt, it splits after an
 * abbreviation before a capital letter.
 */
export function splitSentences(text: string): string[] {
  return text.split(SENTENCE_END).filter((sentence) => sentence !== "");
}

/** Finds the tokens of a gold sentence that are in its LCS with any sentence of the output. */
class UnionLcs {
  private readonly numbers = new Map<string, number>();
  private readonly found: readonly Int32Array[];
  /**
   * For each token, the number of the last gold sentence and of the last pair that held it: sets that need no clearing.
   */
  private readonly inGold: Int32Array;
  private readonly inSentence: Int32Array;
  private goldCount = 0;
  private pairCount = 0;
  private table = new Uint16Array(1024);
  private readonly buffers: [Int32Array, Int32Array] = [new Int32Array(64), new Int32Array(64)];
  private cells = 0;
  private approximated = 0;

  constructor(private readonly sentences: readonly (readonly string[])[]) {
    this.found = sentences.map((sentence) =>
      Int32Array.from(sentence, (token) => {
        const number = this.numbers.get(token) ?? this.numbers.size + 1;
        this.numbers.set(token, number);
        return number;
      }),
    );
    this.inGold = new Int32Array(this.numbers.size + 1);
    this.inSentence = new Int32Array(this.numbers.size + 1);
  }

  isExact(): boolean {
    return this.approximated === 0;
  }

  indicesIn(gold: readonly string[]): number[] {
    const ids = Int32Array.from(gold, (token) => this.numbers.get(token) ?? 0);
    this.goldCount += 1;
    for (const id of ids) this.inGold[id] = this.goldCount;
    this.inGold[0] = 0; // 0 means that no sentence of the output has the token
    const union = new Set<number>();
    this.found.forEach((sentence, index) => {
      if (union.size === gold.length || !sentence.some((id) => this.inGold[id] === this.goldCount)) return;
      for (const at of this.indicesOfPair(gold, ids, index)) union.add(at);
    });
    return [...union].sort((a, b) => a - b);
  }

  /**
   * Returns the indices of the gold tokens in the LCS of one pair. Before filling the table it drops what cannot match:
   * gold tokens that the sentence lacks, and all but one of each row of sentence tokens that the gold lacks. Neither
   * changes which of several LCS is read back.
   */
  private indicesOfPair(gold: readonly string[], ids: Int32Array, index: number): number[] {
    const sentence = this.found[index]!;
    this.pairCount += 1;
    const columns = this.reserve(1, sentence.length);
    let width = 0;
    let isLastKnown = true;
    for (const id of sentence) {
      this.inSentence[id] = this.pairCount;
      const isKnown = this.inGold[id] === this.goldCount;
      if (isKnown || isLastKnown) columns[width++] = id;
      isLastKnown = isKnown;
    }
    const rows = this.reserve(0, ids.length);
    let height = 0;
    for (let at = 0; at < ids.length; at += 1) {
      if (ids[at] !== 0 && this.inSentence[ids[at]!] === this.pairCount) rows[height++] = at;
    }
    const cells = (height + 1) * (width + 1);
    this.cells += cells;
    if (cells > MAX_PAIR_CELLS || this.cells > MAX_CELLS) {
      this.approximated += 1;
      return placeTokens(gold, this.sentences[index]!);
    }
    this.fillTable(ids, height, width);
    return this.readLcs(ids, height, width);
  }

  /** Returns a buffer for the rows (gold positions) or columns (token numbers) of a pair, and enlarges it if needed. */
  private reserve(which: 0 | 1, length: number): Int32Array {
    if (this.buffers[which].length < length) this.buffers[which] = new Int32Array(2 * length);
    return this.buffers[which];
  }

  private fillTable(ids: Int32Array, height: number, width: number): void {
    const size = (height + 1) * (width + 1);
    if (this.table.length < size) this.table = new Uint16Array(2 * size);
    const [table, [rows, columns]] = [this.table, this.buffers];
    table.fill(0, 0, width + 1);
    for (let i = 0; i < height; i += 1) {
      const wanted = ids[rows[i]!]!;
      let at = (i + 1) * (width + 1);
      table[at] = 0;
      for (let j = 0; j < width; j += 1) {
        at += 1;
        const up = table[at - width - 1]!;
        const left = table[at - 1]!;
        if (columns[j] === wanted) table[at] = table[at - width - 2]! + 1;
        else table[at] = up > left ? up : left;
      }
    }
  }

  /** Reads the LCS back from the end of the table of LCS lengths; ties go up, as in rouge-score. */
  private readLcs(ids: Int32Array, height: number, width: number): number[] {
    const [table, [rows, columns]] = [this.table, this.buffers];
    const indices: number[] = [];
    let [i, j] = [height, width];
    while (i > 0 && j > 0) {
      const at = i * (width + 1) + j;
      if (ids[rows[i - 1]!] === columns[j - 1]) {
        indices.push(rows[i - 1]!);
        [i, j] = [i - 1, j - 1];
      } else if (table[at - 1]! > table[at - width - 1]!) j -= 1;
      else i -= 1;
    }
    return indices;
  }
}
