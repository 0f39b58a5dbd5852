import { expect, it } from "vitest";
import { grade } from "../../src/write/shown-lines.js";

it("divides the boilerplate score into ten letters, a = 0.0–0.1 (Schäfer 2016)", () => {
  expect([1, 0.95, 0.901].map(grade)).toEqual(["a", "a", "a"]);
  expect([0.9, 0.801, 0.8, 0.7, 0.5].map(grade)).toEqual(["b", "b", "c", "d", "f"]);
  expect([0.1, 0.099, 0].map(grade)).toEqual(["j", "j", "j"]);
});

it("gives later letters to lower scores, and uses all ten letters", () => {
  const letters = Array.from({ length: 1001 }, (_, index) => grade(index / 1000));
  expect([...letters].sort().reverse()).toEqual(letters);
  expect(new Set(letters).size).toBe(10);
});
