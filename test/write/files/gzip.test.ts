import { spawnSync } from "node:child_process";
import { gunzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { openGzip } from "../../../src/write/files/gzip.js";
import { anyText } from "../arbitrary.js";
import { createMemorySink } from "./sinks.js";

async function pack(chunks: readonly (string | Uint8Array)[], member: "block" | "record"): Promise<Buffer[]> {
  const sink = createMemorySink();
  const gzip = openGzip(sink, { member });
  for (const chunk of chunks) await gzip.write(chunk);
  await gzip.close();
  return sink.chunks.map((chunk) => Buffer.from(chunk));
}

describe("openGzip", () => {
  it("packs so that unpacking gives the same bytes, in blocks or records", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyText), fc.constantFrom("block", "record"), async (chunks, member) => {
        const members = await pack(chunks, member);
        expect(gunzipSync(Buffer.concat(members))).toEqual(
          Buffer.concat(chunks.map((text) => Buffer.from(text))),
        );
      }),
    );
  });

  it("ends a block at the write that fills it, and does so reproducibly", async () => {
    const chunks = Array.from({ length: 50 }, (_, i) => `${i}`.repeat(40_000));
    const members = await pack(chunks, "block");
    expect(members.length).toBeGreaterThan(2);
    for (const member of members.slice(0, -1))
      expect(gunzipSync(member).length).toBeGreaterThanOrEqual(1 << 20);
    expect(await pack(chunks, "block")).toEqual(members);
  });

  it("makes a valid file even if nothing was written", async () => {
    expect(gunzipSync(Buffer.concat(await pack([], "block"))).length).toBe(0);
    expect(gunzipSync(Buffer.concat(await pack([], "record"))).length).toBe(0);
  });

  it.skipIf(spawnSync("zcat", ["--version"]).status !== 0)(
    "makes files that zcat reads (needs zcat)",
    async () => {
      const chunks = ["a\n", "ü".repeat(2_000_000), "\nb\n"];
      const input = Buffer.concat(await pack(chunks, "block"));
      const { stdout, status } = spawnSync("zcat", { input, maxBuffer: 1 << 26 });
      expect(status).toBe(0);
      expect(stdout.equals(Buffer.from(chunks.join("")))).toBe(true);
    },
  );

  it("continues another gzip stream with the same bytes as an uninterrupted one", async () => {
    const words = Array.from({ length: 40 }, (_, number) => `${number} `.repeat(20_000));
    const whole = createMemorySink();
    const one = openGzip(whole, { member: "block" });
    for (const word of words) await one.write(word);
    await one.close();
    expect(whole.chunks.length).toBeGreaterThan(1);
    for (const cut of [0, 1, 13, words.length]) {
      const both = createMemorySink();
      const first = openGzip(both, { member: "block" });
      for (const word of words.slice(0, cut)) await first.write(word);
      const second = openGzip(both, {
        member: "block",
        held: await first.held(),
        hasBegun: both.chunks.length > 0,
      });
      for (const word of words.slice(cut)) await second.write(word);
      await second.close();
      expect(both.bytes().equals(whole.bytes())).toBe(true);
    }
  });

  it("reports a failed write at the next write or at the end", async () => {
    const broken = { ...createMemorySink(), write: () => Promise.reject(new Error("no space left")) };
    const one = openGzip(broken, { member: "record" });
    await one.write("a");
    await expect(one.write("b")).rejects.toThrow("no space left");
    await one.discard();
    const other = openGzip(broken, { member: "record" });
    await other.write("a");
    await expect(other.close()).rejects.toThrow("no space left");
    const third = openGzip(broken, { member: "block" });
    await third.write("a".repeat(2_000_000));
    await expect(third.held()).rejects.toThrow("no space left");
  });
});
