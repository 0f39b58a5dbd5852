/** Computes the accuracy of labels by a line's position in its document and by its length. */
import { ratio, type Score } from "./fractions.js";
import { tokenize } from "./tokens.js";

export interface JudgedLine {
  readonly text: string;
  readonly gold: 0 | 1 | null;
  /** null if the line is not scored. */
  readonly said: 0 | 1 | null;
}

export interface BucketAccuracy {
  readonly bucket: string;
  readonly lines: number;
  readonly accuracy: Score;
}

/** The upper limits of the length buckets, in words, inclusive. */
const LENGTHS = [1, 3, 6, 12, 25, 50, 100];

/**
 * Returns the accuracy on the first line, then on each tenth of the document. The first line is also in the first
 * tenth.
 */
export function accuracyByPosition(documents: readonly (readonly JudgedLine[])[]): BucketAccuracy[] {
  const names = [
    "first line",
    ...Array.from({ length: 10 }, (_, tenth) => `${tenth * 10}–${tenth * 10 + 10} %`),
  ];
  return tally(names, documents, (_, index, { length }) => [
    ...(index === 0 ? ["first line"] : []),
    names[1 + Math.floor((index * 10) / length)] ?? "",
  ]);
}

/** Returns the accuracy by the number of words in a line; the last bucket holds all longer lines. */
export function accuracyByLength(documents: readonly (readonly JudgedLine[])[]): BucketAccuracy[] {
  const names = LENGTHS.map((most, index) => bucketName(index === 0 ? 0 : LENGTHS[index - 1]! + 1, most));
  names.push(`over ${LENGTHS.at(-1)}`);
  return tally(names, documents, ({ text }) => {
    const words = tokenize(text).length;
    const at = LENGTHS.findIndex((most) => words <= most);
    return [names.at(at) ?? ""]; // -1 is the last
  });
}

function bucketName(from: number, to: number): string {
  return `${from}–${to}`;
}

function tally(
  names: readonly string[],
  documents: readonly (readonly JudgedLine[])[],
  bucketsOf: (line: JudgedLine, index: number, document: readonly JudgedLine[]) => readonly string[],
): BucketAccuracy[] {
  const counts = new Map(names.map((name) => [name, { lines: 0, right: 0 }]));
  for (const document of documents) {
    document.forEach((line, index) => {
      if (line.said === null) return;
      for (const name of bucketsOf(line, index, document)) {
        const count = counts.get(name);
        if (count === undefined) throw new RangeError(`no bucket ${name}`);
        count.lines += 1;
        count.right += line.said === line.gold ? 1 : 0;
      }
    });
  }
  return names.map((bucket) => {
    const { lines, right } = counts.get(bucket) ?? { lines: 0, right: 0 };
    return { bucket, lines, accuracy: ratio(right, lines) };
  });
}
