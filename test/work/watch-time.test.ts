import { setTimeout } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { TookTooLong } from "../../src/time/time-limit.js";
import { runWithin } from "../../src/work/watch-time.js";
import { collectGarbage } from "../collect-garbage.js";

/** Nothing that ends takes so long, on a busy machine neither. */
const LONG_MS = 60_000;

const forever = (): never => {
  for (;;);
};
/** An expression that tries all ways to part its text, which are more than anybody can wait for. */
const hopeless = (): boolean => /^(a+)+$/.test(`${"a".repeat(60)}b`);

describe("the watchdog", () => {
  it("gives what the work gives, whatever that is", () => {
    const made = { lines: [1, 2] };
    expect(runWithin(LONG_MS, () => made)).toBe(made);
    expect(runWithin<unknown>(LONG_MS, () => undefined)).toBeUndefined();
    expect(runWithin(1.5 * LONG_MS, () => "a part of a millisecond more")).toContain("part");
  });

  it("lets the work's own errors through", () => {
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
            // goes on
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

  it("takes the longest time that there is, and has nothing left over from many calls", () => {
    for (let call = 0; call < 2_000; call += 1) expect(runWithin(2 ** 31 - 1, () => call)).toBe(call);
  });

  it("holds on to no page", async () => {
    const read = (): WeakRef<object> => {
      const page = { html: "x".repeat(1000) };
      expect(runWithin(LONG_MS, () => page.html.length)).toBe(1000);
      return new WeakRef(page);
    };
    const page = read();
    // A weak reference holds on until the task at hand is over.
    await setTimeout(5);
    collectGarbage();
    expect(page.deref()).toBeUndefined();
  });
});
