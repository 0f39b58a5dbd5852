/** Packs a model for browsers, with fewer bits per weight and in an order that compresses well. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { FLOAT_BYTES, type PackedFile } from "../model-pack.js";

/** How many of the 23 bits of a weight's mantissa are kept; docs/browser.md shows the effect on scores. */
const KEPT_BITS = 11;
/** Shorter runs of floats are not worth an entry in the head. */
const LEAST_FLOATS = 250;

interface Packed {
  readonly bytes: Uint8Array;
  /** The files as they come out of the pack. */
  readonly files: Readonly<Record<string, Uint8Array>>;
}

/** Packs `model.json`, with the new digest of the rounded network, and the files that it names. */
export function packModel(folder: string): Packed {
  const about = JSON.parse(readFileSync(join(folder, "model.json"), "utf8")) as Manifest; // our own file
  const network = Uint8Array.from(readFileSync(join(folder, about.network.file)));
  const floats = findFloats(network);
  roundFloats(network, floats);
  const digest = createHash("sha256").update(network).digest("hex");
  const json = JSON.stringify({ ...about, network: { ...about.network, sha256: digest } });
  const others = Object.values(about).flatMap((part) =>
    isFile(part) && part.file !== about.network.file ? [part.file] : [],
  );
  const files = {
    "model.json": Uint8Array.from(Buffer.from(json)),
    [about.network.file]: network,
    ...Object.fromEntries(others.map((name) => [name, Uint8Array.from(readFileSync(join(folder, name)))])),
  };
  const head: PackedFile[] = Object.entries(files).map(([name, bytes]) => ({
    name,
    bytes: bytes.length,
    floats: bytes === network ? floats : [],
  }));
  const parts = head.flatMap((file) => layOut(files[file.name] ?? network, file.floats));
  const plain = Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), ...parts]);
  return { bytes: gzipSync(plain, { level: 9 }), files };
}

interface Manifest extends Readonly<Record<string, unknown>> {
  readonly network: { readonly file: string };
}

function isFile(part: unknown): part is { readonly file: string } {
  return typeof part === "object" && part !== null && "file" in part && typeof part.file === "string";
}

type Runs = readonly (readonly [number, number])[];

/** Returns the bytes that are not floats, then the planes of the floats, with the highest bytes first. */
function layOut(bytes: Uint8Array, floats: Runs): Uint8Array[] {
  const others: Uint8Array[] = [];
  let last = 0;
  for (const [offset, count] of floats) {
    others.push(bytes.subarray(last, offset));
    last = offset + FLOAT_BYTES * count;
  }
  others.push(bytes.subarray(last));
  const plane = (byte: number): Uint8Array[] =>
    floats.map(([offset, count]) =>
      Uint8Array.from({ length: count }, (_, i) => bytes[offset + FLOAT_BYTES * i + byte] ?? 0),
    );
  return [...others, ...plane(3), ...plane(2), ...plane(1), ...plane(0)];
}

/** Rounds each float in place to the nearest number with `KEPT_BITS` mantissa bits. */
function roundFloats(bytes: Uint8Array, floats: Runs): void {
  const view = new DataView(bytes.buffer);
  const dropped = 23 - KEPT_BITS;
  if (dropped === 0) return;
  for (const [offset, count] of floats)
    for (let i = 0; i < count; i++) {
      const at = offset + FLOAT_BYTES * i;
      const bits = view.getUint32(at, true) + 2 ** (dropped - 1);
      view.setUint32(at, bits - (bits % 2 ** dropped), true);
    }
}

// Field numbers of onnx.proto3.
const GRAPH = 7;
const INITIALIZER = 5;
const DATA_TYPE = 2;
const RAW_DATA = 9;
const FLOAT = 1;

/** Finds the weights: the raw data of a graph's float initializers, as [offset in bytes, number of floats]. */
function findFloats(model: Uint8Array): Runs {
  const graphs = fieldsOf(model, 0, model.length).filter(({ number }) => number === GRAPH);
  const tensors = graphs
    .flatMap(({ from, to }) => fieldsOf(model, from, to))
    .filter(({ number }) => number === INITIALIZER)
    .map(({ from, to }) => fieldsOf(model, from, to));
  return tensors.flatMap((fields) => {
    const isFloat = fields.some(({ number, value }) => number === DATA_TYPE && value === FLOAT);
    return fields.flatMap(({ number, from, to }) => {
      const count = (to - from) / FLOAT_BYTES;
      return isFloat && number === RAW_DATA && count >= LEAST_FLOATS ? [[from, count] as const] : [];
    });
  });
}

interface Field {
  readonly number: number;
  readonly value: number;
  readonly from: number;
  readonly to: number;
}

function fieldsOf(bytes: Uint8Array, from: number, to: number): Field[] {
  const fields: Field[] = [];
  let at = from;
  const varint = (): number => {
    let value = 0;
    for (let scale = 1; at < to; scale *= 128) {
      const byte = bytes[at++] ?? 0;
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) break;
    }
    return value;
  };
  while (at < to) {
    const key = varint();
    const number = Math.floor(key / 8);
    const wire = key % 8;
    const value = wire === 0 ? varint() : 0;
    const size = wire === 0 ? 0 : wire === 1 ? 8 : wire === 5 ? 4 : varint();
    fields.push({ number, value, from: at, to: at + size });
    at += size;
  }
  return fields;
}
