import { getEventListeners } from "node:events";
import { describe, expect, it } from "vitest";
import { followSignal, untilAborted } from "../../src/time/stop.js";

describe("untilAborted", () => {
  it("returns or throws what the work does, and leaves no listener", async () => {
    const { signal } = new AbortController();
    expect(await untilAborted(Promise.resolve(7), signal)).toBe(7);
    await expect(untilAborted(Promise.reject(new Error("broken")), signal)).rejects.toThrow("broken");
    expect(getEventListeners(signal, "abort")).toHaveLength(0);
  });

  it("abandons endless work with the reason, even if it was aborted before", async () => {
    const endless = new Promise<never>(() => undefined);
    const controller = new AbortController();
    const given = untilAborted(endless, controller.signal);
    controller.abort(new Error("enough"));
    await expect(given).rejects.toThrow("enough");
    await expect(untilAborted(endless, controller.signal)).rejects.toThrow("enough");
    const late = Promise.reject(new Error("nobody waits for this"));
    await expect(untilAborted(late, controller.signal)).rejects.toThrow("enough");
  });
});

describe("followSignal", () => {
  it("aborts all followers with the reason, except released ones, and leaves no listener", () => {
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

  it("is an independent signal if there is none to follow", () => {
    const stop = followSignal();
    expect(stop.signal.aborted).toBe(false);
    stop.abort("done");
    expect(stop.signal.reason).toBe("done");
    stop.release();
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
