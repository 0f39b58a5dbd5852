/** Computes ROUGE-LSum of a gold text and a system's text, as the `rouge-score` package does. */
import { harmonicMean } from "./fractions.js";
import { placeTokens } from "./align/place.js";
import { tokenize, whitespaceTokens } from "./tokens.js";
import { countEach } from "./words.js";

/** Cells of one pair's table, and of all tables of a document; beyond them a long common subsequence must do. */
const MAX_PAIR_CELLS = 4_000_000;
const MAX_CELLS = 300_000_000;

/** How a text becomes sentences, and a sentence tokens. Published numbers are only comparable within one kind. */
export interface RougeKind {
  readonly tokens: (sentence: string) => readonly string[];
  readonly sentences: (text: string) => readonly string[];
}

export const ROUGE_KINDS = {
  /** The defaults of rouge-score: a line is a sentence, `[a-z0-9]+` in lower case are tokens. Any other script vanishes. */
  package: { tokens: (sentence) => sentence.toLowerCase().match(/[a-z0-9]+/g) ?? [], sentences: splitLines },
  /**
   * Bevendorff et al. 2023 and its re-runs: tokens between white space, case and punctuation kept, sentences by NLTK's
   * Punkt. Punkt is a trained model; `splitSentences` takes its place.
   */
  bevendorff: { tokens: whitespaceTokens, sentences: splitSentences },
  /** Ours, for any script: a line is a sentence, words are tokens, letters where a script has no spaces. */
  words: { tokens: tokenize, sentences: splitLines },
} satisfies Record<string, RougeKind>;

export interface RougeScore {
  readonly precision: number;
  readonly recall: number;
  readonly f1: number;
  /** False if the bound on cost was met: then the score may be a little low. */
  readonly exact: boolean;
}

/**
 * Summary-level LCS (Lin 2004, section 3.2) with the rule of ROUGE 1.5.5 and rouge-score that no token counts twice.
 * An empty gold gives recall 1, and all 1 if the output is empty too, as Bevendorff et al. have it.
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

/** Sentence ends that Punkt finds in plain prose: a mark, closing quotes, white space, no lower-case letter. */
const SENTENCE_END = /(?<=[.!?。！？]["'”’»)\]]{0,3})\s+(?=[^\p{Ll}\s])/u;

/** Like Punkt, line breaks are no ends. Unlike it, abbreviations before capitals are. */
export function splitSentences(text: string): string[] {
  return text.split(SENTENCE_END).filter((sentence) => sentence !== "");
}

/** Which tokens of a gold sentence are in the LCS with any sentence of the output. */
class UnionLcs {
  private readonly numbers = new Map<string, number>();
  private readonly found: readonly Int32Array[];
  /** For each token the last gold sentence, and the last pair, that it was seen in: sets that need no clearing. */
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
    this.inGold[0] = 0; // 0 means tokens that no sentence has
    const union = new Set<number>();
    this.found.forEach((sentence, index) => {
      if (union.size === gold.length || !sentence.some((id) => this.inGold[id] === this.goldCount)) return;
      for (const at of this.indicesOfPair(gold, ids, index)) union.add(at);
    });
    return [...union].sort((a, b) => a - b);
  }

  /**
   * Leaves out what cannot match before it fills the table: gold tokens that the sentence lacks, and all but one of
   * the sentence's tokens in a row that the gold lacks. Neither changes which of several LCS is read back.
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

  /** Room for the rows (gold positions) or columns (token numbers) of a pair. */
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

  /** The table of LCS lengths, read back from its end; ties go up, as in rouge-score. */
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
