/**
 * Unpacks the packed models that a browser loads: gzip around the files of a model's folder.
 *
 * Of the four bytes of a float only the highest compresses much, and only beside other highest bytes. So floats are
 * stored in planes, with all highest bytes first.
 */
import type { ModelBytes } from "thresher/core";

export interface PackedFile {
  readonly name: string;
  readonly bytes: number;
  /** Where the floats are, as [offset in bytes, number of floats], in order. */
  readonly floats: readonly (readonly [number, number])[];
}

/** The first line of a pack, as JSON. After it come, for each file, the bytes that are not floats, then the planes. */
export type PackHead = readonly PackedFile[];

export const FLOAT_BYTES = 4;
/** In bytes, far more than a head needs; a file that is not a pack has no newline within it. */
const MOST_HEAD = 1 << 20;

/** Returns the files of a model. Throws an Error when the bytes are not a packed model or are cut short. */
export async function unpackModel(pack: Uint8Array): Promise<ModelBytes> {
  const bytes = await gunzip(pack);
  const end = bytes.subarray(0, MOST_HEAD).indexOf(0x0a);
  if (end < 0) throw new Error("the file is not a packed model");
  const head = JSON.parse(new TextDecoder().decode(bytes.subarray(0, end))) as PackHead; // as the build wrote it; gzip has checked each byte
  let at = end + 1;
  const take = (count: number): Uint8Array => bytes.subarray(at, (at += count));
  return Object.fromEntries(head.map((file) => [file.name, restore(file, take)]));
}

function restore({ bytes, floats }: PackedFile, take: (count: number) => Uint8Array): Uint8Array {
  const count = floats.reduce((sum, [, many]) => sum + many, 0);
  const others = take(bytes - FLOAT_BYTES * count);
  const planes = [3, 2, 1, 0].map((byte) => ({ byte, values: take(count) }));
  const into = new Uint8Array(bytes);
  let from = 0;
  let last = 0;
  let float = 0;
  for (const [offset, many] of floats) {
    into.set(others.subarray(from, from + offset - last), last);
    from += offset - last;
    for (const { byte, values } of planes)
      for (let i = 0; i < many; i++) into[offset + FLOAT_BYTES * i + byte] = values[float + i] ?? 0;
    float += many;
    last = offset + FLOAT_BYTES * many;
  }
  into.set(others.subarray(from), last);
  return into;
}

async function gunzip(bytes: Uint8Array): Promise<Uint8Array> {
  const packed = new Blob([bytes.slice()]).stream();
  const plain = packed.pipeThrough(new DecompressionStream("gzip"));
  try {
    return new Uint8Array(await new Response(plain).arrayBuffer());
  } catch (cause) {
    throw new Error("the packed model is damaged or cut short", { cause });
  }
}
