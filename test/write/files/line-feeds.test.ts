import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readLines } from "../../../src/write/files/growing-file.js";

describe("readLines", () => {
  it("parts at line feeds alone, wherever the pieces end", async () => {
    const text = fc.string({ unit: fc.constantFrom("a", "\n", "\r", "\u2028", "\u2029", "漢") });
    await fc.assert(
      fc.asyncProperty(fc.array(text), async (pieces) => {
        const lines = await collect(readLines(from(pieces)));
        const whole = pieces.join("");
        expect(lines).toEqual(
          (whole.endsWith("\n") ? whole.slice(0, -1) : whole).split("\n").slice(whole === "" ? 1 : 0),
        );
      }),
    );
  });
});

async function* from(pieces: readonly string[]): AsyncGenerator<string> {
  await Promise.resolve();
  yield* pieces;
}

async function collect(lines: AsyncIterable<string>): Promise<string[]> {
  const all: string[] = [];
  for await (const line of lines) all.push(line);
  return all;
}
