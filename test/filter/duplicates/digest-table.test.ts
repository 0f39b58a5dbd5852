import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { openLog } from "../../../src/filter/duplicates/byte-store.js";
import { createBudget } from "../../../src/filter/duplicates/byte-store.js";
import { KEY_BYTES, openTable } from "../../../src/filter/duplicates/digest-table.js";
import { leftBehind } from "../../left-behind.js";

const BUDGETS = [
  ["in memory", 1e9],
  ["first in memory, then on disk", 200_000],
  ["on disk", 0],
] as const;

const keyOf = (value: number): Buffer =>
  createHash("sha256").update(String(value)).digest().subarray(0, KEY_BYTES);

describe.each(BUDGETS)("a digest table %s", (_, bytes) => {
  it("holds the same entries as a map, through several growths", () => {
    const table = openTable(createBudget(bytes));
    const COUNT = 15_000;
    for (let value = 0; value < COUNT; value += 1) table.set(keyOf(value), value);
    for (let value = 0; value < COUNT; value += 7) table.set(keyOf(value), value + 2 ** 40);
    expect(table.size).toBe(COUNT);
    for (let value = 0; value < COUNT; value += 1)
      expect(table.get(keyOf(value))).toBe(value % 7 === 0 ? value + 2 ** 40 : value);
    for (let value = COUNT; value < COUNT + 1000; value += 1) expect(table.get(keyOf(value))).toBeUndefined();
    table.close();
  });

  it("distinguishes keys that collide, also at the end of the table", () => {
    const table = openTable(createBudget(bytes));
    const crowd = (place: number, value: number): Buffer => {
      const key = Buffer.alloc(KEY_BYTES, place);
      key.writeUInt32BE(value, KEY_BYTES - 4);
      return key;
    };
    for (const place of [0x00, 0xff]) {
      for (let value = 0; value < 600; value += 1) table.set(crowd(place, value), value);
    }
    for (const place of [0x00, 0xff]) {
      for (let value = 0; value < 600; value += 1) expect(table.get(crowd(place, value))).toBe(value);
      expect(table.get(crowd(place, 600))).toBeUndefined();
    }
    table.close();
  });

  it("keeps log entries of any length", () => {
    const lengths = fc.array(fc.oneof(fc.nat({ max: 200 }), fc.nat({ max: 200_000 })), { maxLength: 12 });
    fc.assert(
      fc.property(lengths, (all) => {
        const log = openLog(createBudget(bytes));
        const entries = all.map((length, number) => Buffer.alloc(length, number + 1));
        const offsets: number[] = [];
        for (const entry of entries) {
          offsets.push(log.append(entry));
          // Reading between writes must not change buffered entries.
          expect(log.read(offsets[0] ?? 0).length).toBe(all[0]);
        }
        expect(new Set(offsets).size).toBe(entries.length);
        for (const [at, offset] of offsets.entries())
          expect(log.read(offset).equals(entries[at] ?? Buffer.alloc(0))).toBe(true);
        log.close();
      }),
    );
  });
});

it("leaves no file behind, however the process ends", async () => {
  const left = await leftBehind((now) => {
    const table = openTable(createBudget(0));
    table.set(keyOf(1), 1);
    expect(now()).toEqual([]);
    table.close();
    table.close();
  });
  expect(left).toEqual([]);
});

it("releases its memory when it is closed", () => {
  const budget = createBudget(10_000_000);
  const table = openTable(budget);
  for (let value = 0; value < 20_000; value += 1) table.set(keyOf(value), value);
  expect(budget.take(9_500_000)).toBe(false);
  table.close();
  expect(budget.take(10_000_000)).toBe(true);
});
