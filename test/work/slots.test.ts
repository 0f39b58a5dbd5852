import { setTimeout } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { createBatches, createSlots } from "../../src/work/slots.js";

/** Jobs that say when they begin and end, and end when they are told to. */
function createJobs() {
  const log: string[] = [];
  const ends = new Map<string, (error?: Error) => void>();
  const job = (name: string) => (): Promise<string> => {
    log.push(`${name} begins`);
    return new Promise((resolve, reject) => {
      ends.set(name, (error) => {
        log.push(`${name} ends`);
        if (error === undefined) resolve(name);
        else reject(error);
      });
    });
  };
  /** Ends it, and lets what follows from that happen. */
  const end = async (name: string, error?: Error): Promise<void> => {
    ends.get(name)?.(error);
    await setTimeout(0);
  };
  return { log, job, end };
}

describe("slots", () => {
  it("are taken again one by one, as jobs end or fail", async () => {
    const { log, job, end } = createJobs();
    const slots = createSlots(2);
    const all = ["a", "b", "c", "d"].map((name) => slots(job(name)));
    const told = Promise.allSettled(all);
    await end("b", new Error("of b"));
    expect(log).toEqual(["a begins", "b begins", "b ends", "c begins"]);
    await end("a");
    for (const name of ["c", "d"]) await end(name);
    expect((await told).map(({ status }) => status)).toEqual([
      "fulfilled",
      "rejected",
      "fulfilled",
      "fulfilled",
    ]);
  });
});

describe("batches", () => {
  it("begin when the one before has ended as a whole, whatever became of its jobs", async () => {
    const { log, job, end } = createJobs();
    const batches = createBatches(3);
    const all = ["a", "b", "c", "d", "e", "f"].map((name) => batches(job(name)));
    const told = Promise.allSettled(all);
    await setTimeout(0);
    // Nobody else waited when the first one came.
    expect(log).toEqual(["a begins"]);
    await end("a", new Error("of a"));
    expect(log.slice(2)).toEqual(["b begins", "c begins", "d begins"]);
    await end("c");
    await end("b");
    expect(log).not.toContain("e begins");
    await end("d");
    expect(log.slice(-2)).toEqual(["e begins", "f begins"]);
    for (const name of ["e", "f"]) await end(name);
    expect((await told).map(({ status }) => status)).toEqual([
      "rejected",
      ...Array.from({ length: 5 }, () => "fulfilled"),
    ]);
  });

  it("take what comes later", async () => {
    const batches = createBatches(2);
    expect(await batches(() => Promise.resolve(1))).toBe(1);
    const two = [2, 3, 4].map((value) => batches(() => Promise.resolve(value)));
    expect(await Promise.all(two)).toEqual([2, 3, 4]);
    await expect(batches(() => Promise.reject(new Error("late")))).rejects.toThrow("late");
    expect(await batches(() => Promise.resolve(5))).toBe(5);
  });
});
