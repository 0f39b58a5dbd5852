import { describe, expect, it } from "vitest";
import { judgeDead } from "../../../src/shard/attempt/suspects.js";

describe("the documents at which attempts died", () => {
  it("are all suspects, and no other document is", () => {
    const { judge, deaths } = judgeDead([
      { done: 3, begun: 6, isAlone: false },
      { done: 10, begun: 11, isAlone: false },
    ]);
    expect(deaths).toBe(2);
    const suspects = Array.from({ length: 14 }, (_, at) => at).filter((at) => judge(at) === "suspect");
    expect(suspects).toEqual([3, 4, 5, 10]);
  });

  it("are given up only after two deaths alone, not after one", () => {
    const alone = { done: 4, begun: 5, isAlone: true };
    expect(judgeDead([alone]).judge(4)).toBe("suspect");
    expect(judgeDead([alone, alone]).judge(4)).toBe("guilty");
    expect(judgeDead([alone, { ...alone, isAlone: false }]).judge(4)).toBe("suspect");
    expect(judgeDead([alone, { ...alone, done: 5, begun: 6 }]).judge(4)).toBe("suspect");
  });
});
