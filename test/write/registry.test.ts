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
  it("have file extensions of their own, except .xml, which stands for TEI", () => {
    expect(extensionsOf("xml")).toEqual(extensionsOf("tei"));
    expect(findWriter(".xml")).toBe("tei");
    expect(findWriter("xml")).toBe("xml");
    const ends = WRITER_NAMES.filter((name) => name !== "xml").flatMap((name) => extensionsOf(name));
    for (const end of ends) {
      expect(end).toMatch(/^\.[a-z]+$/);
      expect(ends.filter((other) => other.endsWith(end))).toEqual([end]);
    }
  });

  it.each(WRITER_NAMES)("include a writer named %s", (name) => {
    expect(writers[name].create(createMemorySink(), OPTIONS).name).toBe(name);
  });

  it.each(WRITER_NAMES.filter(isFormatted))(
    "write a document the same way if it was formatted before: %s",
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

  it("are binary and have records if they are packed at the end of a run", () => {
    const packed = WRITER_NAMES.filter((name) => writers[name].pack !== undefined);
    expect(packed).toEqual(["parquet"]);
    for (const name of packed) expect(writers[name]).toMatchObject({ gzip: "none", hasRecords: true });
  });
});
