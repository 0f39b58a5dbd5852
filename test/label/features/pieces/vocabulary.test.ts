/** Tests how words are cut into pieces, and which bytes are rejected as a vocabulary. */
import { describe, expect, it } from "vitest";
import {
  createVocabulary,
  readVocabulary,
  SCORE_STEPS,
} from "../../../../src/label/features/pieces/vocabulary.js";

const PIECES = ["▁", "a", "b", "c", "▁ab", "bc", "▁a", "ü", "東京"];
const SCORES = [-3, -4, -4, -4, -6, -5, -4, -9, -7];

function cutBy(pieces: readonly string[], scores: readonly number[]): (word: string) => string[] {
  const vocabulary = createVocabulary(pieces, Float32Array.from(scores));
  const into = new Uint16Array(100);
  return (word) => {
    const end = vocabulary.cut(word, into, 3);
    return Array.from(into.subarray(3, end), (number) => pieces[number] ?? "?");
  };
}

/** Writes pieces as a model's pieces.bin contains them. */
function bytesOf(pieces: readonly string[], scores: readonly number[]): Buffer {
  const head = Buffer.alloc(4 + 2 * scores.length);
  head.writeUInt32LE(scores.length);
  for (const [at, score] of scores.entries())
    head.writeUInt16LE(Math.round(-score * SCORE_STEPS), 4 + 2 * at);
  return Buffer.concat([head, Buffer.from(pieces.map((piece) => `${piece}\n`).join(""))]);
}

/** Tries all ways to cut a word, and returns the best sum of scores. */
function bestSum(word: string): number {
  if (word === "") return 0;
  const ways = PIECES.flatMap((piece, at) =>
    word.startsWith(piece) ? [(SCORES[at] ?? 0) + bestSum(word.slice(piece.length))] : [],
  );
  return Math.max(-Infinity, ...ways);
}

describe("a vocabulary", () => {
  const cut = cutBy(PIECES, SCORES);

  it("cuts a word so that the sum of scores is highest, not so that the first piece is longest", () => {
    expect(cut("▁abc")).toEqual(["▁a", "bc"]);
    expect(cut("▁ab")).toEqual(["▁ab"]);
  });

  it("finds the best way to cut every word of its letters", () => {
    const letters = ["a", "b", "c", "ü"];
    let words = ["▁"];
    for (let length = 0; length < 5; length++)
      words = words.flatMap((word) => letters.map((letter) => word + letter));
    for (const word of words) {
      const pieces = cut(word);
      expect(pieces.join("")).toBe(word);
      const sum = pieces.reduce((all, piece) => all + (SCORES[PIECES.indexOf(piece)] ?? 0), 0);
      expect(sum, word).toBe(bestSum(word));
    }
  });

  it("leaves out only characters that no piece has", () => {
    expect(cut("▁a語b")).toEqual(["▁a", "b"]);
    expect(cut("東京")).toEqual(["東京"]);
    expect(cut("東")).toEqual([]);
    expect(cut("")).toEqual([]);
  });

  it("cuts a word of any length", () => {
    expect(cutBy(["x"], [-1])("x".repeat(90))).toHaveLength(90);
  });

  it("is read from bytes as it was written", () => {
    const vocabulary = readVocabulary(bytesOf(PIECES, SCORES));
    const into = new Uint16Array(9);
    expect(vocabulary.size).toBe(PIECES.length);
    expect([...into.subarray(0, vocabulary.cut("▁abc", into, 0))]).toEqual([6, 5]);
  });

  it("is rejected if its bytes are truncated, or contain more pieces than announced", () => {
    const bytes = bytesOf(PIECES, SCORES);
    for (const size of [2, 12, bytes.length - 1, bytes.length - 8])
      expect(() => readVocabulary(bytes.subarray(0, size)), `${size} bytes`).toThrow(RangeError);
    expect(() => readVocabulary(Buffer.concat([bytes, Buffer.from("d\n")]))).toThrow(
      /9 pieces are announced, but there are 10/,
    );
  });
});
