import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { createStoredSystem } from "../../../bench/systems/stored.js";
import { page } from "./broken/systems.js";

const folder = mkdtempSync(join(tmpdir(), "stored-"));

function write(name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

const rows = (...values: unknown[]): string => values.map((value) => `${JSON.stringify(value)}\n`).join("");

describe("stored outputs", () => {
  it("are read plain and gzipped, and have a digest", async () => {
    const plain = write("a@x.jsonl", rows({ id: "1", text: "eins" }));
    const gzipped = write("b@x.jsonl.gz", gzipSync(rows({ id: "2", text: "zwei", extra: 1 })));
    const system = await createStoredSystem("both", [plain, gzipped]);
    expect(await system.run(page("1", ""))).toEqual({ ok: true, text: "eins" });
    expect(await system.run(page("2", ""))).toEqual({ ok: true, text: "zwei" });
    expect(system.describe).toMatch(/sha256 of their lines [0-9a-f]{12} [0-9a-f]{12}$/);
    expect(system.audit()).toEqual({ missing: [], unknown: [], repeated: [], malformed: [] });
  });

  it("may state the type of a page", async () => {
    const path = write(
      "typed.jsonl",
      rows({ id: "1", text: "a", pageType: "forum" }, { id: "2", text: "b", pageType: 7 }),
    );
    const system = await createStoredSystem("typed", [path]);
    expect(await system.run(page("1", ""))).toEqual({ ok: true, text: "a", pageType: "forum" });
    expect(await system.run(page("2", ""))).toEqual({ ok: true, text: "b" });
    expect(system.audit().malformed).toEqual([]);
  });

  it("report missing, unknown, repeated and malformed outputs", async () => {
    const path = write(
      "bad.jsonl",
      `${rows({ id: "1", text: "first" }, { id: "1", text: "again" })}\n{"id":"2"\n${rows({ id: 3, text: "x" }, { id: "4", text: null }, { id: "5", text: "" }, ["6"])}`,
    );
    const system = await createStoredSystem("bad", [path]);
    expect(await system.run(page("1", ""))).toEqual({ ok: true, text: "first" });
    expect(await system.run(page("9", ""))).toMatchObject({ ok: false, failure: "missing" });
    expect(await system.run(page("9", ""))).toMatchObject({ ok: false, failure: "missing" });
    expect(system.audit()).toEqual({
      missing: ["9"],
      unknown: ["5"],
      repeated: ["1"],
      malformed: [4, 5, 6, 8].map((line) => `${path}:${line}`),
    });
    expect([system.has("5"), system.has("9")]).toEqual([true, false]);
  });

  it("distinguish an empty text from a missing one", async () => {
    const system = await createStoredSystem("e", [write("e.jsonl", rows({ id: "1", text: "" }))]);
    expect(await system.run(page("1", ""))).toEqual({ ok: true, text: "" });
  });

  it("are unavailable if the file is missing, truncated or not gzip", async () => {
    const whole = gzipSync(
      rows(...Array.from({ length: 999 }, (_, n) => ({ id: String(n), text: `${n * 7919}` }))),
    );
    const cut = write("cut.jsonl.gz", whole.subarray(0, whole.length - 100));
    const plain = write("plain.jsonl.gz", rows({ id: "1", text: "x" }));
    for (const path of [cut, plain, join(folder, "none.jsonl"), folder]) {
      await expect(createStoredSystem("s", [path]), path).rejects.toMatchObject({
        name: "SystemUnavailable",
      });
      await expect(createStoredSystem("s", [path]), path).rejects.toThrow(`s: cannot read ${path}`);
    }
  });
});
