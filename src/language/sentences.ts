/** Cuts texts that have lost their line breaks into sentences, so that not all of a text is judged as one line. */

/** Characters of a line (UTF-16 code units) beyond which it is taken for a text that has lost its line breaks. */
export const LONGEST_LINE = 10_000;
/** Told of a document that had such lines. */
export const NOTE_CUT = "long-lines-cut";

/**
 * Characters of a piece. Longer sentences, such as a menu before the first full stop, are cut between words. So many are looked
 * at in one go: the time of the segmenter grows with the square of its text.
 */
const LONGEST_PIECE = 1000;

/** Made for the first long text: to make it takes a tenth of the start of a program, and most texts have none. */
let segmenter: Intl.Segmenter | undefined;

/** The sentences of a text as [start, end) in UTF-16 code units: all of it, in order (UAX 29, section 5). */
export function* cutSentences(text: string): Generator<readonly [start: number, end: number]> {
  for (let start = 0; start < text.length;) {
    for (const length of measureSentences(text, start)) {
      yield [start, start + length];
      start += length;
    }
  }
}

/** The lengths of some sentences from `start` on: one at least, and none that may go on. */
function measureSentences(text: string, start: number): number[] {
  const end = start + LONGEST_PIECE;
  segmenter ??= new Intl.Segmenter("und", { granularity: "sentence" });
  const lengths = Array.from(segmenter.segment(text.slice(start, end)), ({ segment }) => segment.length);
  if (end >= text.length) return lengths;
  lengths.pop();
  return lengths.length > 0 ? lengths : [findCut(text, start, end) - start];
}

/** Behind the last space before `end`, else there, but not inside of a pair of surrogates. */
function findCut(text: string, start: number, end: number): number {
  const space = text.slice(start, end).lastIndexOf(" ");
  if (space > 0) return start + space + 1;
  return /[\udc00-\udfff]/.test(text.charAt(end)) ? end - 1 : end;
}
