/** Splits text that has lost its line breaks into sentences, so that it is not judged as one line. */

/** A line with more UTF-16 code units than this is taken for text that has lost its line breaks. */
export const LONGEST_LINE = 10_000;
/** The note on a document that had such a line. */
export const NOTE_CUT = "long-lines-cut";

/**
 * Most UTF-16 code units of a piece. Longer sentences, such as a menu before the first full stop, are cut between
 * words. The segmenter also gets only this much text at once, because its time grows with the square of the length.
 */
const LONGEST_PIECE = 1000;

/**
 * Created for the first long text: creating it takes a tenth of a program's start time, and most texts do not need it.
 */
let segmenter: Intl.Segmenter | undefined;

/**
 * Yields the sentences of a text as [start, end) in UTF-16 code units. They cover all of the text, in order (UAX 29,
 * section 5).
 */
export function* cutSentences(text: string): Generator<readonly [start: number, end: number]> {
  for (let start = 0; start < text.length;) {
    for (const length of measureSentences(text, start)) {
      yield [start, start + length];
      start += length;
    }
  }
}

/** The lengths of at least one sentence from `start` on, without a last sentence that may continue after the piece. */
function measureSentences(text: string, start: number): number[] {
  const end = start + LONGEST_PIECE;
  segmenter ??= new Intl.Segmenter("und", { granularity: "sentence" });
  const lengths = Array.from(segmenter.segment(text.slice(start, end)), ({ segment }) => segment.length);
  if (end >= text.length) return lengths;
  lengths.pop();
  return lengths.length > 0 ? lengths : [findCut(text, start, end) - start];
}

/** The offset after the last space before `end`; without a space `end`, but never inside a surrogate pair. */
function findCut(text: string, start: number, end: number): number {
  const space = text.slice(start, end).lastIndexOf(" ");
  if (space > 0) return start + space + 1;
  return /[\udc00-\udfff]/.test(text.charAt(end)) ? end - 1 : end;
}
