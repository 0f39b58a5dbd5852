/** Keeps a hash table from digests of ten bytes to numbers, in memory within a budget and on disk beyond it; makes the digests. */
import { createHash } from "node:crypto";
import { openStore, type Budget, type Store } from "./byte-store.js";

/** 80 bits of a digest: among a thousand million keys, two that differ meet with a probability below one in a million. */
export const KEY_BYTES = 10;
/** A number of up to 2^48 − 2; 0 marks a free record, so each is kept as one more. */
const VALUE_BYTES = 6;
const RECORD_BYTES = KEY_BYTES + VALUE_BYTES;

const FIRST_RECORDS = 4096;
/** The share of records in use beyond which searches get long. */
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
    // Records lie in the order of their keys, save for neighbours: both stores are gone through from start to end.
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

/** The number of the record with this key, or of the free one where it belongs. The table is never full. */
function findRecord(store: Store, records: number, key: Uint8Array): number {
  const [a = 0, b = 0, c = 0, d = 0] = key;
  // The place follows the key's first 32 bits in their order, so that growing keeps it.
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

/** White space that is more than one space. Most lines have none, and one line may have millions of spaces. */
const ODD_SPACE = /[^\S ]\s*| \s+/g;

/** One Unicode form, one space where there is white space, none around it: what a reader does not see makes no difference. */
function normalise(line: string): string {
  return line.normalize("NFC").replace(ODD_SPACE, " ").trim();
}

/** The digest of a text; undefined where there is none. Case, marks and the order of the lines count. */
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

/** The key of a text or of bytes. */
export function digest(of: string | Uint8Array): Uint8Array {
  return createHash("sha256").update(of).digest().subarray(0, KEY_BYTES);
}
