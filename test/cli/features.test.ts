import { existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { parseLines, thresher } from "./run.js";

const work = mkdtempSync(join(tmpdir(), "thresher-features-"));

function writeGold(name: string, ...rows: unknown[]): string {
  const path = join(work, name);
  writeFileSync(
    path,
    gzipSync(rows.map((row) => (typeof row === "string" ? row : JSON.stringify(row))).join("\n")),
  );
  return path;
}

const gold = writeGold(
  "gold.jsonl.gz",
  {
    id: "a",
    lang: "en",
    source: "made-up",
    lines: [
      { text: "Home", label: 0 },
      { text: "", label: 0 },
      { text: "A whole sentence.", label: 1 },
    ],
  },
  "",
  { lines: [{ text: "Ein Satz.", label: "content" }] },
);

describe("thresher features", () => {
  it("writes one row of numbers for each nonblank line", async () => {
    const out = join(work, "out");
    const { code, stderr, stdout } = await thresher(["features", gold, "-o", out]);
    expect([code, stdout]).toEqual([0, ""]);
    expect(stderr).toContain("2 documents, 3 lines");
    const about = JSON.parse(readFileSync(join(out, "columns.json"), "utf8")) as { columns: string[] };
    expect(readFileSync(join(out, "features.f32")).byteLength).toBe(3 * about.columns.length * 4);
    expect([...readFileSync(join(out, "labels.u8"))]).toEqual([0, 1, 1]);
    expect(parseLines(readFileSync(join(out, "documents.jsonl"), "utf8"))).toEqual([
      { id: "a", lang: "en", source: "made-up", start: 0, lines: 2 },
      { id: `${gold}:3`, lang: "", source: "", start: 2, lines: 1 },
    ]);
  });

  it.each([
    ["page.html", "<!doctype html><p>No vocabulary."],
    ["empty.bin", ""],
  ])("says which file it wants if the pieces are in another one: %s", async (name, content) => {
    const pieces = join(work, name);
    writeFileSync(pieces, content);
    const { code, stderr } = await thresher([
      ...["features", gold, "-o", join(work, "none")],
      ...["--pieces", pieces],
    ]);
    expect([code, stderr]).toEqual([
      2,
      `thresher: cannot read the pieces in ${pieces}: it is not the pieces.bin of a model, or it is cut short\n`,
    ]);
  });

  it("reads stdin, but only once", async () => {
    const out = join(work, "stdin");
    const stdin = [readFileSync(gold)];
    const { code, stderr } = await thresher(["features", "-", "-o", out], { stdin });
    expect([code, stderr]).toEqual([0, expect.stringContaining("2 documents, 3 lines")]);
    expect(readFileSync(join(out, "documents.jsonl"), "utf8")).toContain('"stdin:3"');
    const trained = await thresher(["train", "-", "-o", join(work, "model")], { stdin });
    expect([trained.code, trained.stderr]).toEqual([
      2,
      expect.stringContaining("training needs at least 10"),
    ]);
    const twice = await thresher(["features", "-", "-", "-o", out], { stdin });
    expect([twice.code, twice.stderr]).toEqual([2, expect.stringContaining("stdin can be read only once")]);
  });

  it("writes the same bytes in a second run", async () => {
    const outs = [join(work, "one"), join(work, "two")];
    for (const out of outs) await thresher(["features", gold, "-o", out]);
    const [one, two] = outs.map((out) => readFileSync(join(out, "features.f32")));
    expect(one?.equals(two ?? Buffer.alloc(0))).toBe(true);
  });

  it.each([
    ["not json", "{", /bad\.gz:1: not JSON/],
    ["no lines", { id: "x" }, /bad\.gz:1: no array "lines"/],
    ["an unknown label", { lines: [{ text: "x", label: 2 }] }, /bad\.gz:1: line 1: "label"/],
    ["a line without text", { lines: [{ label: 1 }] }, /bad\.gz:1: line 1: "text"/],
  ])("rejects %s with its position", async (_what, row, message) => {
    const { code, stderr } = await thresher(["features", writeGold("bad.gz", row), "-o", join(work, "bad")]);
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
  });

  it("says what is missing", async () => {
    expect((await thresher(["features", join(work, "nowhere"), "-o", work])).stderr).toContain("cannot read");
    expect((await thresher(["features", gold])).code).toBe(2);
    expect((await thresher(["features", gold, "-o", join(gold, "below")])).code).toBe(74);
    // Node's own function to make folders never returns here.
    if (existsSync("/proc"))
      expect((await thresher(["features", gold, "-o", "/proc/none/below"])).code).toBe(74);
  });
});
