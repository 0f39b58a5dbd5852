/** Makes documents with copies of known similarity: numbers instead of words, and a random seed for each document. */

const WORDS = 120;
const RUN_WORDS = 5;
/** Percentages of documents that are exact copies of an earlier document, and copies with some words changed. */
const SAME_PER_CENT = 5;
const ALIKE_PER_CENT = 20;
/** The furthest distance between a copy and its original, so large that the two are often in different shards. */
const REACH = 400_000;

export interface Made {
  readonly words: Uint32Array;
  /** The number of the original; absent when the document is not a copy. */
  readonly of?: number;
}

type Random = () => number;

function mix(value: number): number {
  let mixed = Math.imul(value ^ (value >>> 16), 0x21f0aaad);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
  return (mixed ^ (mixed >>> 15)) >>> 0;
}

/** splitmix32 with a mixed start state; unmixed, neighbouring documents would draw the same numbers, shifted by one. */
function seed(number: number): Random {
  let state = mix(Math.imul(number, 0x85ebca6b) ^ 0x5bd1e995);
  return () => {
    state = (state + 0x9e3779b9) >>> 0;
    return mix(state) / 2 ** 32;
  };
}

/** Returns the number of the original of a document, and whether the copy is exact; undefined for an original. */
function copyOf(
  number: number,
  random: Random,
): { readonly of: number; readonly isSame: boolean } | undefined {
  const draw = random() * 100;
  if (draw >= SAME_PER_CENT + ALIKE_PER_CENT) return undefined;
  for (let tries = 0; tries < 20; tries += 1) {
    const of = number - 1 - Math.floor(random() * Math.min(number, REACH));
    if (of >= 0 && copyOf(of, seed(of)) === undefined) return { of, isSame: draw < SAME_PER_CENT };
  }
  return undefined;
}

/** Makes the words of document `number`, out of 2^20 words, so that two originals share no run of five words. */
export function makeDocument(number: number): Made {
  const random = seed(number);
  const copy = copyOf(number, random);
  if (copy === undefined) return { words: Uint32Array.from({ length: WORDS }, () => random() * 2 ** 20) };
  const words = makeDocument(copy.of).words.slice();
  if (!copy.isSame) {
    // Replaces 0 to 12 words, for Jaccard similarities from 1 down to about .35.
    const changes = Math.floor(random() * 13);
    for (let change = 0; change < changes; change += 1)
      words[Math.floor(random() * WORDS)] = random() * 2 ** 20;
  }
  return { words, of: copy.of };
}

/** Returns the exact Jaccard similarity of the sets of five-word runs. */
export function compareRuns(one: Uint32Array, other: Uint32Array): number {
  const [a, b] = [listRuns(one), listRuns(other)];
  let both = 0;
  for (const run of a) if (b.has(run)) both += 1;
  return both / (a.size + b.size - both);
}

function listRuns(words: Uint32Array): Set<string> {
  const runs = new Set<string>();
  for (let at = 0; at + RUN_WORDS <= words.length; at += 1)
    runs.add(words.subarray(at, at + RUN_WORDS).join(" "));
  return runs;
}
