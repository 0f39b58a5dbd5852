import { describe, expect, it } from "vitest";
import { mapOrdered } from "../src/ordered.js";
import { collectAll } from "./collect-all.js";

async function* count(to: number, onPull: (value: number) => void = () => undefined): AsyncGenerator<number> {
  for (let value = 1; value <= to; value += 1) {
    onPull(value);
    await Promise.resolve();
    yield value;
  }
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

describe("mapOrdered", () => {
  it("keeps the order when later work finishes first", async () => {
    const results = await collectAll(
      mapOrdered(count(12), 4, async (value) => {
        await sleep((13 - value) % 5);
        return value * 10;
      }),
    );
    expect(results).toEqual([10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 110, 120]);
  });

  it("never runs more than the limit at once", async () => {
    let running = 0;
    let most = 0;
    await collectAll(
      mapOrdered(count(50), 3, async () => {
        running += 1;
        most = Math.max(most, running);
        await sleep(1);
        running -= 1;
      }),
    );
    expect(most).toBeLessThanOrEqual(3);
    expect(most).toBeGreaterThan(1);
  });

  it("reads no further ahead of a waiting consumer than the limit", async () => {
    let pulled = 0;
    const results = mapOrdered(
      count(1000, (value) => (pulled = value)),
      5,
      (value) => Promise.resolve(value),
    );
    await results.next();
    await sleep(20);
    expect(pulled).toBeLessThanOrEqual(7);
    await results.return(undefined);
    await sleep(5);
    expect(pulled).toBeLessThanOrEqual(8);
  });

  it("yields a result before the next input arrives", async () => {
    async function* slow(): AsyncGenerator<number> {
      yield 1;
      await sleep(60_000);
      yield 2;
    }
    const results = mapOrdered(slow(), 4, (value) => Promise.resolve(value));
    expect((await results.next()).value).toBe(1);
  });

  it("passes on errors of the work and of the input, after the earlier results", async () => {
    const seen: number[] = [];
    const failing = async (): Promise<void> => {
      for await (const value of mapOrdered(count(5), 2, (n) =>
        n === 3 ? Promise.reject(new Error("three")) : Promise.resolve(n),
      ))
        seen.push(value);
    };
    await expect(failing()).rejects.toThrow("three");
    expect(seen).toEqual([1, 2]);

    async function* broken(): AsyncGenerator<number> {
      yield* count(2);
      throw new Error("input");
    }
    await expect(collectAll(mapOrdered(broken(), 2, (n) => Promise.resolve(n)))).rejects.toThrow("input");
  });

  it("begins no work when its consumer has left, and ends the input", async () => {
    let send = (): void => undefined;
    let isEnded = false;
    async function* slow(): AsyncGenerator<number> {
      try {
        yield 1;
        await new Promise<void>((resolve) => (send = resolve));
        yield 2;
      } finally {
        isEnded = true;
      }
    }
    const worked: number[] = [];
    const results = mapOrdered(slow(), 4, (value) => Promise.resolve(worked.push(value)));
    await results.next();
    await results.return(undefined);
    send();
    await sleep(5);
    expect(worked).toEqual([1]);
    expect(isEnded).toBe(true);
  });
});
