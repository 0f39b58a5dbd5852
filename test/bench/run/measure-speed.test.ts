import { describe, expect, it } from "vitest";
import { measureSpeed, type SpeedEntry } from "../../../bench/run/measure-speed.js";
import { SystemUnavailable } from "../../../bench/systems/errors.js";
import type { Cost, SystemOutput } from "../../../bench/systems/system.js";
import { createBrokenSystem, page } from "../systems/broken/systems.js";

const asked: string[] = [];

/** Makes a system whose n-th page costs what the n-th output states. */
function plan(name: string, outputs: readonly SystemOutput[], start?: Cost): SpeedEntry {
  let next = 0;
  return {
    name,
    create: () =>
      Promise.resolve({
        name,
        describe: `${name} 1`,
        takes: "pages",
        ...(start === undefined ? {} : { start }),
        run: ({ id }) => {
          asked.push(`${name} ${id}`);
          next += 1;
          return Promise.resolve(outputs[next - 1]!);
        },
        close: () => {
          asked.push(`${name} closed`);
          return Promise.resolve();
        },
      }),
  };
}

const costs = (times: readonly number[]): SystemOutput[] =>
  times.map((cpuMs) => ({ ok: true, text: "", cost: { cpuMs, wallMs: cpuMs + 1 } }));
const pages = (count: number) => Array.from({ length: count }, (_, n) => page(String(n + 1), ""));

describe("speed", () => {
  it("runs all systems page by page, in rotating order, after a warm-up", async () => {
    asked.length = 0;
    const times = costs([1, 1, 1, 1]);
    await measureSpeed([plan("a", times), plan("b", times), plan("c", times)], pages(3), { warmUp: 1 });
    expect(asked.join(", ")).toBe(
      "a 1, b 1, c 1, b 1, c 1, a 1, c 2, a 2, b 2, a 3, b 3, c 3, a closed, b closed, c closed",
    );
  });

  it("warms up on pages of all sizes, repeatedly if there are few", async () => {
    const wantedBy = async (warmUp: number, count: number): Promise<string> => {
      asked.length = 0;
      await measureSpeed([plan("a", costs(Array(20).fill(1) as number[]))], pages(count), { warmUp });
      return asked.slice(0, warmUp).join(" ");
    };
    expect(await wantedBy(3, 9)).toBe("a 1 a 4 a 7");
    expect(await wantedBy(5, 2)).toBe("a 1 a 2 a 1 a 2 a 1");
    const none = await measureSpeed([plan("a", [])], []);
    expect(none).toMatchObject({ pages: 0, warmUp: 0 });
  });

  it("requests only the text", async () => {
    const wanted: unknown[] = [];
    const entry = plan("a", costs([1]));
    const create: SpeedEntry["create"] = (options) => {
      wanted.push(options);
      return entry.create();
    };
    await measureSpeed([{ name: "a", create }], pages(1), { warmUp: 0, timeoutMs: 5 });
    expect(wanted).toEqual([{ textOnly: true, timeoutMs: 5 }]);
  });

  it("computes mean, quantiles, pages per second, core-hours and ratios", async () => {
    const times = Array.from({ length: 200 }, (_, n) => n + 1);
    const slow = plan("slow", costs([9999, ...times]), {
      wallMs: 70,
      cpuMs: 60,
      rssBytes: 100,
      peakBytes: 120,
    });
    const fast = plan("fast", costs([0, ...times.map(() => 10)]));
    const report = await measureSpeed([slow, fast], pages(200), { warmUp: 1, relativeTo: "fast" });
    expect(report).toMatchObject({ pages: 200, warmUp: 1, relativeTo: "fast", clock: "cpu" });
    expect(report.systems[0]).toMatchObject({
      name: "slow",
      describe: "slow 1",
      pages: 200,
      cpu: { mean: 100.5, p50: 100, p99: 198, max: 200 },
      wall: { mean: 101.5, max: 201 },
      startWallMs: 70,
      startCpuMs: 60,
      startBytes: 100,
      peakAboveStartBytes: 20,
    });
    expect(report.systems[0]?.ratio).toBeCloseTo(10.05, 10);
    expect(report.systems[1]).toMatchObject({ ratio: 1, pagesPerSecond: 100 });
    // 10 ms a page, 2.5 billion pages: 25 million seconds.
    expect(report.systems[1]?.coreHours).toBeCloseTo(25e6 / 3600, 6);
  });

  it("records the peak memory of the worst process, and counts failures with their time", async () => {
    const start = { wallMs: 1, rssBytes: 1000, peakBytes: 1000 };
    const outputs: SystemOutput[] = [
      { ok: true, text: "x", cost: { cpuMs: 2, wallMs: 2, peakBytes: 5000 } },
      { ok: false, failure: "timeout", detail: "", cost: { wallMs: 600 } },
      { ok: false, failure: "crash", detail: "", cost: { cpuMs: 4, wallMs: 4, peakBytes: 3000 } },
      { ok: false, failure: "reject", detail: "", cost: { cpuMs: 6, wallMs: 6 } },
    ];
    const { systems } = await measureSpeed([plan("a", outputs, start)], pages(4), { warmUp: 0 });
    expect(systems[0]).toMatchObject({
      pages: 4,
      timeouts: 1,
      crashes: 1,
      rejects: 1,
      peakAboveStartBytes: 4000,
    });
    expect(systems[0]?.cpu.mean).toBe(612 / 4);
  });

  it("skips an unavailable system, and has no ratio to it", async () => {
    const absent: SpeedEntry = {
      name: "absent",
      create: () => Promise.reject(new SystemUnavailable("absent: not installed")),
    };
    const report = await measureSpeed([absent, plan("a", costs([1]))], pages(1), {
      warmUp: 0,
      relativeTo: "absent",
    });
    expect(report.unavailable).toEqual([{ name: "absent", why: "absent: not installed" }]);
    expect(report.systems.map(({ name, ratio }) => [name, ratio])).toEqual([["a", undefined]]);
  });

  it("stops every system when one throws or the caller aborts", async () => {
    asked.length = 0;
    const bug: SpeedEntry = { name: "bug", create: () => Promise.reject(new TypeError("a bug")) };
    await expect(measureSpeed([plan("a", []), bug], pages(1))).rejects.toThrow("a bug");
    const signal = AbortSignal.abort();
    await expect(measureSpeed([plan("b", [])], pages(1), { signal })).rejects.toThrow();
    const stop = new AbortController();
    const onPage = (): void => {
      stop.abort();
    };
    const running = measureSpeed([plan("c", costs([1, 1]))], pages(2), {
      warmUp: 0,
      signal: stop.signal,
      onPage,
    });
    await expect(running).rejects.toThrow();
    expect(asked.filter((event) => event.endsWith("closed"))).toEqual(["a closed", "c closed"]);
  });

  it("measures real processes", async () => {
    const entries = (["works", "hangs"] as const).map((way): SpeedEntry => ({
      name: way,
      create: () => createBrokenSystem(way, 300),
    }));
    const html = "<p>word</p>".repeat(20_000);
    const { systems } = await measureSpeed(entries, [page("1", html), page("2", html, { url: "fine" })], {
      warmUp: 0,
    });
    expect(systems.map(({ timeouts }) => timeouts)).toEqual([0, 1]);
    expect(systems[0]?.cpu.mean).toBeGreaterThan(0);
    expect(systems[0]?.startBytes).toBeGreaterThan(10_000_000);
    expect(systems[1]?.cpu.max).toBe(300);
  });
});
