import { describe, expect, it } from "vitest";
import { addCarried } from "../../src/core/carried.js";
import type { Document, LabelledLine } from "../../src/document.js";

const TEXT: Document<LabelledLine> = {
  ...{ id: "1", url: "", source: "text", meta: { lang: "sv" }, notes: [], lines: [] },
};

/** The fields that describe a run. */
const RUN = { words: 7, score: 0.9, source: "html", notes: [], fingerprint: "0123456789abcdef" };

function carry(record: object): Document<LabelledLine> {
  return addCarried(TEXT, JSON.stringify(record));
}

describe("a text from one of our own records", () => {
  const meta = {
    ...{ author: "Ada Lund", tags: ["bro"], canonical: "https://x.example/bro", type: "article" },
    from: { author: "meta author" },
  };

  it("has the record's page metadata with its origins, in the order of the record", () => {
    const { meta: said, carried } = carry({ title: "Bron", lang: "no", meta, ...RUN });
    expect(said).toEqual({ title: "Bron", lang: "sv", ...meta });
    expect(Object.keys(said)).toEqual(["title", "lang", ...Object.keys(meta)]);
    expect(carried).toBeUndefined();
  });

  it("ignores metadata of the wrong type", () => {
    expect(carry({ meta: { author: 7, date: "", tags: ["a", 1] }, ...RUN }).meta).toEqual({
      lang: "sv",
      tags: ["a"],
    });
  });

  it("carries the fields that the record carried, and fields that were added later", () => {
    const { carried } = carry({ ...RUN, carried: { crawl: "CC-MAIN" }, mine: 1.5 });
    expect(carried).toBe('{"crawl":"CC-MAIN","mine":1.5}');
  });

  it("leaves out the second format of the earlier run", () => {
    expect(carry({ ...RUN, formatted: "# Bron" }).carried).toBeUndefined();
  });
});

describe("a text from another record", () => {
  it("keeps all of its fields, and uses those that most tools name alike as metadata", () => {
    const record = { title: "Bron", sitename: "Broar", date: "2019-05-17", author: 7 };
    expect(carry(record)).toMatchObject({
      meta: { title: "Bron", site: "Broar", date: "2019-05-17", lang: "sv" },
      carried: JSON.stringify(record),
    });
  });

  it("writes a date with a space as ISO 8601 does", () => {
    expect(carry({ title: "Bron", date: "2017-05-01 12:00:00" }).meta.date).toBe("2017-05-01T12:00:00");
  });

  it("has no date if the record has neither title nor author", () => {
    expect(carry({ date: "2019-05-17" }).meta).toEqual({ lang: "sv" });
  });
});

it("leaves the metadata of an HTML page unchanged", () => {
  const page = { ...TEXT, source: "html" } as const;
  expect(addCarried(page, '{"title":"Bron"}')).toEqual({ ...page, carried: '{"title":"Bron"}' });
});
