/** Maps digests of ten bytes to numbers, in a hash table that is in memory within a budget and on disk beyond it. */
import { createHash } from "node:crypto";
import { openStore, type Budget, type Store } from "./byte-store.js";

/**
 * 80 bits of a digest: among a thousand million keys, two different texts share one with a probability below one in a
 * million.
 */
export const KEY_BYTES = 10;
/** A number of up to 2^48 − 2, stored plus one, because 0 marks a free record. */
const VALUE_BYTES = 6;
const RECORD_BYTES = KEY_BYTES + VALUE_BYTES;

const FIRST_RECORDS = 4096;
/** The share of used records beyond which searches take long. */
const MOST_FULL = 0.7;
const GROWTH = 2;

interface Table {
  readonly size: number;
  get(key: Uint8Array): number | undefined;
  set(key: Uint8Array, value: number): void;
  close(): void;
}

export function openTable(budget: Budget): Table {
  let records = FIRST_RECORDS;
  let store = openStore(records * RECORD_BYTES, budget);
  let size = 0;

  const grow = (): void => {
    const larger = openStore(records * GROWTH * RECORD_BYTES, budget);
    // Records are in the order of their keys, except for neighbours, so both stores are read from start to end.
    for (let at = 0; at < records; at += 1) {
      const record = Buffer.from(store.read(at * RECORD_BYTES, RECORD_BYTES));
      if (record.readUIntLE(KEY_BYTES, VALUE_BYTES) === 0) continue;
      larger.write(findRecord(larger, records * GROWTH, record) * RECORD_BYTES, record);
    }
    store.close();
    store = larger;
    records *= GROWTH;
  };

  return {
    get size() {
      return size;
    },
    get(key) {
      const at = findRecord(store, records, key) * RECORD_BYTES;
      const value = store.read(at, RECORD_BYTES).readUIntLE(KEY_BYTES, VALUE_BYTES);
      return value === 0 ? undefined : value - 1;
    },
    set(key, value) {
      let at = findRecord(store, records, key);
      const isNew = store.read(at * RECORD_BYTES, RECORD_BYTES).readUIntLE(KEY_BYTES, VALUE_BYTES) === 0;
      if (isNew && size + 1 > records * MOST_FULL) {
        grow();
        at = findRecord(store, records, key);
      }
      const record = Buffer.alloc(RECORD_BYTES);
      record.set(key.subarray(0, KEY_BYTES));
      record.writeUIntLE(value + 1, KEY_BYTES, VALUE_BYTES);
      store.write(at * RECORD_BYTES, record);
      if (isNew) size += 1;
    },
    close() {
      store.close();
    },
  };
}

/** Finds the index of the record with this key, or of the free record where it belongs. The table is never full. */
function findRecord(store: Store, records: number, key: Uint8Array): number {
  const [a = 0, b = 0, c = 0, d = 0] = key;
  // The index follows the first 32 bits of the key in their order, so growing keeps the order.
  let at = Math.floor(((a * 2 ** 24 + b * 2 ** 16 + c * 2 ** 8 + d) / 2 ** 32) * records);
  while (true) {
    const record = store.read(at * RECORD_BYTES, RECORD_BYTES);
    if (record.readUIntLE(KEY_BYTES, VALUE_BYTES) === 0 || isSame(record, key)) return at;
    at = at + 1 === records ? 0 : at + 1;
  }
}

function isSame(record: Buffer, key: Uint8Array): boolean {
  for (let byte = 0; byte < KEY_BYTES; byte += 1) if (record[byte] !== key[byte]) return false;
  return true;
}

/** Whitespace other than a single space. Most lines have none, and one line may have millions of spaces. */
const ODD_SPACE = /[^\S ]\s*| \s+/g;

/** Normalises a line to NFC, with single spaces inside and none around: what a reader does not see must not count. */
export function normalise(line: string): string {
  return line.normalize("NFC").replace(ODD_SPACE, " ").trim();
}

/** Returns the digest of a text; undefined if it is blank. Case, diacritics and the order of the lines count. */
export function digestText(lines: readonly string[]): Uint8Array | undefined {
  const text = lines
    .map(normalise)
    .filter((line) => line !== "")
    .join("\n");
  return text === "" ? undefined : digest(text);
}

export function digestLine(line: string): Uint8Array {
  return digest(normalise(line));
}

/** Encodes digests, or other parts, one after another in base64. */
export function encodeParts(parts: readonly Uint8Array[]): string {
  return Buffer.concat(parts).toString("base64");
}

/** Splits bytes into digests, which all have the same length. */
export function splitDigests(bytes: Uint8Array): Uint8Array[] {
  return Array.from({ length: bytes.length / KEY_BYTES }, (_, number) =>
    bytes.subarray(number * KEY_BYTES, (number + 1) * KEY_BYTES),
  );
}

/** Returns the key of a text or of bytes: the first ten bytes of its SHA-256 hash. */
export function digest(of: string | Uint8Array): Uint8Array {
  return createHash("sha256").update(of).digest().subarray(0, KEY_BYTES);
}
