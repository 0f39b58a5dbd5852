import { describe, expect, it } from "vitest";
import { toRecord } from "../../src/write/document-record.js";
import { writers } from "../../src/write/registry.js";
import type { WriterOptions } from "../../src/write/writer.js";
import { document, line } from "./documents.js";
import { createMemorySink, OPTIONS } from "./files/sinks.js";

const DOC = document([line('Grön "text"\u2028 \ud800'), line("Meny", { label: "boilerplate" })], { id: "a" });

async function write(docs: readonly (typeof DOC)[], options: Partial<WriterOptions>): Promise<string> {
  const sink = createMemorySink();
  const writer = writers.json.create(sink, { ...OPTIONS, ...options });
  for (const doc of docs) await writer.write(doc);
  await writer.close();
  return sink.bytes().toString();
}

describe("json", () => {
  it("is one object over many lines for one document", async () => {
    const text = await write([DOC], { documents: "one" });
    expect(text.split("\n").length).toBeGreaterThan(8);
    expect(text.endsWith("}\n")).toBe(true);
    expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(toRecord(DOC, OPTIONS))));
  });

  it.each([0, 1, 2, 3])("is an array of %i documents if there may be many", async (count) => {
    const parsed: unknown = JSON.parse(
      await write(Array<typeof DOC>(count).fill(DOC), { documents: "many" }),
    );
    expect(parsed).toHaveLength(count);
  });

  it("continues an array that was begun", async () => {
    const begun = await write([DOC, DOC], { documents: "many" });
    const rest = await write([DOC], { documents: "many", hasBegun: true });
    expect(JSON.parse(begun.replace(/\]\n$/, "") + rest)).toHaveLength(3);
  });

  it("keeps every digit of carried fields", async () => {
    const text = await write([{ ...DOC, carried: '{"n":9007199254740993,"x":1.50}' }], { documents: "one" });
    expect(text).toContain('"carried": {"n":9007199254740993,"x":1.50}\n}');
    expect(JSON.parse(text)).toHaveProperty("carried.x", 1.5);
  });
});
