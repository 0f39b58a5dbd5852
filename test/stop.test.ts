import { getEventListeners } from "node:events";
import { describe, expect, it } from "vitest";
import { followSignal } from "../src/stop.js";

describe("followSignal", () => {
  it("aborts all that follow with the reason, except those that were released, and leaves no listener", () => {
    const outer = new AbortController();
    const stops = Array.from({ length: 20 }, () => followSignal(outer.signal));
    expect(getEventListeners(outer.signal, "abort")).toHaveLength(1);
    for (const stop of stops.slice(10)) stop.release();
    stops[0]?.abort("alone");
    outer.abort("all");
    expect(stops.map(({ signal }) => signal.aborted)).toEqual(stops.map((_, at) => at < 10));
    expect(stops.slice(0, 2).map(({ signal }): unknown => signal.reason)).toEqual(["alone", "all"]);
    for (const stop of stops) stop.release();
    expect(getEventListeners(outer.signal, "abort")).toHaveLength(0);
  });

  it("follows a signal again after the last one was released", () => {
    const outer = new AbortController();
    followSignal(outer.signal).release();
    const again = followSignal(outer.signal);
    outer.abort();
    expect(again.signal.aborted).toBe(true);
    expect(followSignal(outer.signal).signal.aborted).toBe(true);
  });
});
