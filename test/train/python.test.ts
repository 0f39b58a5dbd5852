import { expect, it } from "vitest";
import { nameOfPython } from "../../src/train/python.js";

it("calls Python as its installers do", () => {
  expect(nameOfPython("win32")).toBe("python");
  expect(nameOfPython("linux")).toBe("python3");
});
