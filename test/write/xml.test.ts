import { describe, expect, it } from "vitest";
import { writers } from "../../src/write/registry.js";
import { formatXml } from "../../src/write/xml.js";
import { document, line } from "./documents.js";
import { createMemorySink, OPTIONS } from "./files/sinks.js";

const NOTED = document(
  [
    line('Text 1 with xml:id="note-1"', { spans: [{ kind: "note", start: 5, end: 6, note: "n" }] }),
    line("The note.", { holder: 0 }),
  ],
  { id: "note-1", holders: [{ tag: "note", note: "n" }] },
);

async function write(ids: readonly string[], documents: "one" | "many"): Promise<string> {
  const sink = createMemorySink();
  const writer = writers.xml.create(sink, { ...OPTIONS, documents });
  for (const id of ids) await writer.write({ ...NOTED, id });
  await writer.close();
  return sink.bytes().toString();
}

describe("xml", () => {
  it("has no two notes with one id, and refers to those of the same document", async () => {
    const xml = await write(["note-1", "b"], "many");
    const ids = [...xml.matchAll(/ xml:id="([^"]*)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(2);
    expect([...xml.matchAll(/target="#([^"]*)"/g)].map(([, id]) => id)).toEqual(ids);
    expect(xml).toContain('<doc id="note-1"');
    expect(xml.split("xml:id=&quot;note-1&quot;")).toHaveLength(3);
  });

  it("counts the notes of a single document", async () => {
    const xml = await write(["a"], "one");
    expect(xml).toContain(formatXml({ ...NOTED, id: "a" }, { links: "drop" }));
    expect(xml).toContain('<note xml:id="note-1">');
    expect(xml).toContain('<ref target="#note-1">');
  });
});
