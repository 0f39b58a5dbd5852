import { describe, expect, it } from "vitest";
import {
  extensionsOf,
  findWriter,
  formatDocument,
  isFormatted,
  WRITER_NAMES,
  writers,
} from "../../src/write/registry.js";
import { document, line } from "./documents.js";
import { createMemorySink, OPTIONS } from "./files/sinks.js";

const DOC = document([line("Grön text"), line("Meny", { label: "boilerplate" })], { id: "a" });

describe("the formats", () => {
  it("end their files differently, and none with another's end, but for the two of XML, of which .xml asks for TEI", () => {
    expect(extensionsOf("xml")).toEqual(extensionsOf("tei"));
    expect(findWriter(".xml")).toBe("tei");
    expect(findWriter("xml")).toBe("xml");
    const ends = WRITER_NAMES.filter((name) => name !== "xml").flatMap((name) => extensionsOf(name));
    for (const end of ends) {
      expect(end).toMatch(/^\.[a-z]+$/);
      expect(ends.filter((other) => other.endsWith(end))).toEqual([end]);
    }
  });

  it.each(WRITER_NAMES)("have a writer of their name: %s", (name) => {
    expect(writers[name].create(createMemorySink(), OPTIONS).name).toBe(name);
  });

  it.each(WRITER_NAMES.filter(isFormatted))(
    "write what their formatter made of a document: %s",
    async (to) => {
      const write = async (formatted?: string): Promise<Buffer> => {
        const sink = createMemorySink();
        const writer = writers[to].create(sink, OPTIONS);
        await writer.write(formatted === undefined ? DOC : { ...DOC, lines: [] }, formatted);
        await writer.close();
        return sink.bytes();
      };
      const whole = await write();
      expect(whole.length).toBeGreaterThan(0);
      expect((await write(formatDocument(DOC, { ...OPTIONS, to }, 2))).equals(whole)).toBe(true);
    },
  );

  it("that are packed at the end of a run are binary, and have records to be packed", () => {
    const packed = WRITER_NAMES.filter((name) => writers[name].pack !== undefined);
    expect(packed).toEqual(["parquet"]);
    for (const name of packed) expect(writers[name]).toMatchObject({ gzip: "none", hasRecords: true });
  });
});
