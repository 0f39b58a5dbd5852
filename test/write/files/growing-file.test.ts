import { existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { openGrowing, readLines } from "../../../src/write/files/growing-file.js";
import { besides } from "../../../src/write/files/place.js";
import { collectAll } from "../../collect-all.js";

const newPath = (): string => join(mkdtempSync(join(tmpdir(), "thresher-growing-")), "file");

describe("a growing file", () => {
  it("is on disk after a sync, and continues at the given length", async () => {
    const path = newPath();
    const first = await openGrowing(path);
    await first.write("ä");
    await first.write(Buffer.from("b"));
    await first.write("cd");
    expect(await first.sync()).toBe(5);
    expect(readFileSync(path, "utf8")).toBe("äbcd");
    await first.write("what is lost");
    await first.close();
    await first.close();
    const second = await openGrowing(path, 4);
    await second.write("X");
    expect(await second.sync()).toBe(5);
    await second.close();
    expect(readFileSync(path, "utf8")).toBe("äbcX");
  });

  it("starts empty without a length, and throws if the file is shorter than the given length", async () => {
    const path = newPath();
    writeFileSync(path, "old");
    await expect(openGrowing(path, 4)).rejects.toThrow("3 bytes, but 4 were written");
    expect(readFileSync(path, "utf8")).toBe("old");
    await (await openGrowing(path)).close();
    expect(readFileSync(path, "utf8")).toBe("");
    await expect(openGrowing(`${path}-none`, 1)).rejects.toThrow("ENOENT");
    expect(existsSync(`${path}-none`)).toBe(false);
  });
});

describe("the path of a file beside an output", () => {
  it("is hidden, stable and short, and differs for long names that differ at the end", () => {
    expect(besides("a/out.jsonl", "lock")).toBe(join("a", ".out.jsonl.lock"));
    const long = "长".repeat(80);
    const [one, other] = [`${long}1`, `${long}2`].map((name) => besides(name, "partial"));
    expect(one).not.toBe(other);
    expect(Buffer.byteLength(one ?? "")).toBeLessThan(255);
    expect(besides(`${long}1`, "partial")).toBe(one);
  });
});

describe("readLines", () => {
  it("joins the many pieces of a long line", async () => {
    const pieces = Array.from(
      { length: 2000 },
      (_, at) => "x".repeat(10_000) + (at === 1998 ? "\nlast " : ""),
    );
    const lines = await collectAll(readLines(from(pieces)));
    expect(lines.map((line) => line.length)).toEqual([19_990_000, 10_005]);
  });

  it("splits only at line feeds, wherever the pieces end", async () => {
    const text = fc.string({ unit: fc.constantFrom("a", "\n", "\r", "\u2028", "\u2029", "漢") });
    await fc.assert(
      fc.asyncProperty(fc.array(text), async (pieces) => {
        const lines = await collectAll(readLines(from(pieces)));
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
