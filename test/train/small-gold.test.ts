/** Tests the small gold folder on which the trainers are tested end to end. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { hasPython, needs, python } from "./python.js";

function makeGold(rows: readonly string[]): { readonly gold: string; readonly out: string } {
  const folder = mkdtempSync(join(tmpdir(), "small-gold-"));
  const gold = join(folder, "gold");
  mkdirSync(join(gold, "lines", "a"), { recursive: true });
  writeFileSync(
    join(gold, "lines", "a", "de.train.jsonl.gz"),
    gzipSync(rows.map((row) => `${row}\n`).join("")),
  );
  writeFileSync(join(gold, "README.md"), "what it is");
  return { gold, out: join(folder, "out") };
}

const run = (gold: string, out: string, limit: string) =>
  python(["-m", "common.small_gold", gold, out, limit]);
const rowsOf = (out: string): string[] =>
  gunzipSync(readFileSync(join(out, "lines", "a", "de.train.jsonl.gz")))
    .toString()
    .trim()
    .split("\n");

describe("small_gold.py", () => {
  it("samples documents from the whole file, and no huge one", (context) => {
    needs(context, hasPython, "Python 3.9");
    const huge = JSON.stringify({ id: "huge", html: "a".repeat(200_001) });
    const ids = Array.from({ length: 10 }, (_, at) => JSON.stringify({ id: `d${at}` }));
    const { gold, out } = makeGold([huge, ...ids]);
    expect(run(gold, out, "5")).toEqual({ status: 0, text: "" });
    expect(rowsOf(out)).toEqual([0, 2, 4, 6, 8].map((at) => ids[at]));
    expect(readFileSync(join(out, "README.md"), "utf8")).toBe("what it is");
  });

  it("takes all of a small file, and the same in a second run", (context) => {
    needs(context, hasPython, "Python 3.9");
    const ids = ['{"id":"a"}', '{"id":"b"}'];
    const { gold, out } = makeGold(ids);
    expect(run(gold, out, "7").status).toBe(0);
    expect(run(gold, out, "7").status).toBe(0);
    expect(rowsOf(out)).toEqual(ids);
  });

  it("rejects a limit that leaves nothing, and a missing folder", (context) => {
    needs(context, hasPython, "Python 3.9");
    const { gold, out } = makeGold(['{"id":"a"}']);
    expect(run(gold, out, "0").status).toBe(1);
    expect(run(join(gold, "nowhere"), out, "3").text).toMatch(/nowhere is no folder/);
    expect(existsSync(out)).toBe(false);
  });
});
