import { setTimeout } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { TookTooLong } from "../../src/time/time-limit.js";
import { runWithin } from "../../src/work/watch-time.js";
import { collectGarbage } from "../collect-garbage.js";

/** Nothing that ends takes so long, even on a busy machine. */
const LONG_MS = 60_000;

const forever = (): never => {
  for (;;);
};
/** Runs an expression that tries all ways to split its text, which takes practically forever. */
const hopeless = (): boolean => /^(a+)+$/.test(`${"a".repeat(60)}b`);

describe("the watchdog", () => {
  it("returns whatever the work returns", () => {
    const made = { lines: [1, 2] };
    expect(runWithin(LONG_MS, () => made)).toBe(made);
    expect(runWithin<unknown>(LONG_MS, () => undefined)).toBeUndefined();
    expect(runWithin(1.5 * LONG_MS, () => "a part of a millisecond more")).toContain("part");
  });

  it("passes the work's own errors through", () => {
    const error = new RangeError("of the page");
    expect(() =>
      runWithin(LONG_MS, () => {
        throw error;
      }),
    ).toThrow(error);
  });

  it.each([
    ["a loop", forever],
    ["an expression", hopeless],
    [
      "a loop that catches all errors",
      () => {
        for (;;) {
          try {
            forever();
          } catch {
            // continues
          }
        }
      },
    ],
  ])("stops %s without an end, and works again after it", (_, work) => {
    for (let again = 0; again < 3; again += 1) {
      expect(() => runWithin(20, work)).toThrow(TookTooLong);
      expect(() => runWithin(20, work)).toThrow("20 ms");
      expect(runWithin(LONG_MS, () => again)).toBe(again);
    }
  });

  it("accepts the longest possible time, and leaves nothing behind after many calls", () => {
    for (let call = 0; call < 2_000; call += 1) expect(runWithin(2 ** 31 - 1, () => call)).toBe(call);
  });

  it("keeps no reference to a page", async () => {
    const read = (): WeakRef<object> => {
      const page = { html: "x".repeat(1000) };
      expect(runWithin(LONG_MS, () => page.html.length)).toBe(1000);
      return new WeakRef(page);
    };
    const page = read();
    // A weak reference keeps its target until the current task is over.
    await setTimeout(5);
    collectGarbage();
    expect(page.deref()).toBeUndefined();
  });
});
