import { describe, expect, it } from "vitest";
import { checkRange, parseRange } from "../../../src/cli/shard/row-range.js";
import type { Job } from "../../../src/shard/job.js";

const jobOf = (shards: number): Job => ({ shards }) as unknown as Job; // only this field is read

describe("the rows of a command", () => {
  it("are one or several", () => {
    expect(parseRange("7")).toEqual({ first: 7, last: 7 });
    expect(parseRange("0-9")).toEqual({ first: 0, last: 9 });
    expect(() => parseRange("9-0")).toThrow("rows as in 0-9");
  });

  it("must be rows of the job, and the error states how many there are", () => {
    checkRange({ first: 0, last: 3 }, jobOf(4), "job");
    expect(() => {
      checkRange({ first: 0, last: 9 }, jobOf(4), "job");
    }).toThrow("there is no row 9: job has 4 shards, numbered from 0 to 3");
    expect(() => {
      checkRange({ first: 1, last: 1 }, jobOf(1), "job");
    }).toThrow("there is no row 1: job has 1 shard, number 0");
  });
});
