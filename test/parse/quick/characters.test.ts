import { describe, expect, it } from "vitest";
import { createNames, FIRST_STATE, nextState } from "../../../src/parse/quick/characters.js";

describe("the lookup of names", () => {
  const { states, entries } = createNames(["h1", "h2", "head", "he", "data-x_y"].map((name) => [name, name]));
  const find = (name: string): string | undefined => {
    let state = FIRST_STATE;
    for (let at = 0; at < name.length; at += 1) state = nextState(states, state, name.charCodeAt(at));
    return entries[state];
  };

  it.each([
    ["h1", "h1"],
    ["H2", "h2"],
    ["hE", "he"],
    ["HEAD", "head"],
    ["Data-X_y", "data-x_y"],
  ])("finds %s in any case", (name, entry) => {
    expect(find(name)).toBe(entry);
  });

  it.each(["", "h", "h3", "hea", "heads", "ahead", "h\x11", "data\x0dx_y", "data-x\x7fy", "hé", "h\u0131"])(
    "finds nothing for %j",
    (name) => {
      expect(find(name)).toBeUndefined();
    },
  );
});
