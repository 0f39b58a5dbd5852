import { describe, expect, it } from "vitest";
import { createGate } from "../../src/serve/gate.js";
import { Problem } from "../../src/serve/problem.js";

describe("a gate", () => {
  it("admits as many as there are places, and others after somebody has left", () => {
    const gate = createGate(2);
    const leave = gate.enter();
    gate.enter();
    expect([gate.inside, gate.places]).toEqual([2, 2]);
    expect(() => gate.enter()).toThrow(Problem);
    leave();
    gate.enter();
    expect(gate.inside).toBe(2);
  });

  it("tells rejected clients when to try again", () => {
    try {
      createGate(0).enter();
      expect.unreachable();
    } catch (error) {
      expect(error).toMatchObject({ problem: "busy", status: 503, headers: { "Retry-After": "1" } });
    }
  });
});
