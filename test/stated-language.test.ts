/** Checks that the language stated by a record or by an archive header becomes the language of the text, from file to filter. */
import { describe, expect, it } from "vitest";
import { readRecords } from "../src/acquire/records/jsonl.js";
import { readWarc } from "../src/acquire/warc/warc.js";
import type { Page } from "../src/document.js";
import { DEFAULTS, type PipelineOptions } from "../src/options/options.js";
import type { Outcome } from "../src/outcome.js";
import { createPipeline } from "../src/pipeline.js";
import { inChunks, utf8 } from "./acquire/gather.js";
import { recordBytes } from "./acquire/warc/warc-file.js";
import { collectAll } from "./collect-all.js";

const OPTIONS = { input: "in", maxBytes: 100_000 };
const ENGLISH =
  "We picked blueberries all afternoon and made jam when we came home to the cottage by the lake, while the children swam.";

const readJson = (...records: readonly object[]): Promise<Outcome<Page>[]> =>
  collectAll(
    readRecords(inChunks(utf8(records.map((one) => JSON.stringify(one)).join("\n")), 1000), OPTIONS),
  );

const readWet = (header: string): Promise<Outcome<Page>[]> => {
  const more = `WARC-Identified-Content-Language: ${header}\r\n`;
  const record = recordBytes({ type: "conversion", contentType: "text/plain", block: ENGLISH, more });
  return collectAll(readWarc(inChunks(record, 1000), OPTIONS));
};

const langOf = (outcome: Outcome<Page> | undefined): string | undefined =>
  outcome?.ok === true ? outcome.value.lang : outcome?.reason;

/** For each page, its language or why it was rejected, and the language that the account names. */
async function clean(
  pages: readonly Outcome<Page>[],
  options: Partial<PipelineOptions> = {},
): Promise<string[]> {
  const pipeline = await createPipeline({ ...DEFAULTS, labeller: "rules", workers: 1, ...options });
  const told: string[] = [];
  try {
    const never = new AbortController().signal;
    const tagged = (async function* () {
      await Promise.resolve();
      for (const page of pages) yield { page, tag: undefined };
    })();
    for await (const { outcome, account } of pipeline.run(tagged, never)) {
      const what = outcome.ok
        ? [outcome.value.meta.lang ?? "none", ...outcome.value.notes].join(" ")
        : (outcome.detail ?? outcome.reason);
      told.push(`${what}; ${account.labelled?.lang ?? "unknown"}`);
    }
  } finally {
    await pipeline.close();
  }
  return told;
}

describe("the language of a record", () => {
  it.each<[name: string, fields: object, lang: string | undefined]>([
    ["an OSCAR label", { metadata: { identification: { label: "sv", prob: 0.9 } } }, "sv"],
    [
      "the header of OSCAR's archive",
      { warc_headers: { "warc-identified-content-language": "fin,eng" } },
      "fi",
    ],
    ["an OSCAR label on the hub", { meta: { identification: { label: "sv", prob: 0.9 } } }, "sv"],
    ["the metadata of RedPajama", { meta: { language: "sv", source: "c4" } }, "sv"],
    ["metadata that is JSON in a string", { metadata: '{"language":"sv"}', meta: "not JSON" }, "sv"],
    ["the metadata of TxT360", { meta: { lang: "sv" } }, "sv"],
    ["a label of GlotCC", { "identification-language": "swe-Latn" }, "sv"],
    ["HPLT 1 and CulturaY", { document_lang: "sv", langs: ["en", "sv"] }, "sv"],
    ["the header of an archive in the record", { "warc-identified-content-language": "fin,eng" }, "fi"],
    ["a label of fastText", { lang: "__label__en" }, "en"],
    ["a language with its main script", { lang: "eng_Latn" }, "en"],
    ["a language with an unusual script", { language: "srp_Latn" }, "sr-Latn"],
    ["a list whose first language is the main one", { lang: ["deu_Latn", "eng_Latn"] }, "de"],
    ["a tag of BCP 47", { lang: "pt-BR" }, "pt-BR"],
    ["a language without a short code", { lang: "smn" }, "smn"],
    ["a name of a language", { language: "English" }, undefined],
    ["no language", { lang: "und" }, undefined],
    ["a number", { lang: 7 }, undefined],
    ["null", { lang: null, language: "sv", metadata: null, warc_headers: "x" }, "sv"],
  ])("is read from %s", async (_, fields, lang) => {
    const [outcome] = await readJson({ text: ENGLISH, ...fields });
    expect(langOf(outcome)).toBe(lang);
  });

  it("is the language identified for the text rather than that of the whole page", async () => {
    const [outcome] = await readJson({
      content: ENGLISH,
      warc_headers: { "warc-identified-content-language": "eng" },
      metadata: { identification: { label: "sv", prob: 0.9 } },
    });
    expect(langOf(outcome)).toBe("sv");
  });

  it("is still carried in its original form", async () => {
    const [outcome] = await readJson({ text: ENGLISH, lang: "eng_Latn" });
    expect(outcome?.ok === true && outcome.value.carried).toBe('{"lang":"eng_Latn"}');
  });
});

describe("the language in the header of an archived text", () => {
  it.each([
    ["swe", "sv"],
    ["deu,eng", "de"],
    ["zho", "zh"],
    ["nob,nno", "nb"],
    ["und", undefined],
    ["", undefined],
  ])("is read from the header: %s", async (header, lang) => {
    const [outcome] = await readWet(header);
    expect(langOf(outcome)).toBe(lang);
  });
});

describe("the document of a text whose language is stated", () => {
  const oscar = { content: ENGLISH, metadata: { identification: { label: "sv" } } };

  it("has the stated language in the document and in the account", async () => {
    expect(await clean([...(await readJson(oscar, { text: ENGLISH })), ...(await readWet("swe"))])).toEqual([
      "sv; sv",
      "none; unknown",
      "sv; sv",
    ]);
  });

  it("is kept or rejected by the stated language, or by its text if none is stated", async () => {
    const pages = await readJson(oscar, { text: ENGLISH });
    expect(await clean(pages, { languages: ["sv"] })).toEqual(["sv; sv", "language: en, wanted sv; en"]);
    expect(await clean(pages, { languages: ["en"] })).toEqual(["language: sv, wanted en; sv", "en; en"]);
  });

  it("gets the language of its text if the option language is identified", async () => {
    const pages = await readJson({ ...oscar, content: `${ENGLISH} ${ENGLISH}` });
    const options = { languages: ["en"], language: "identified" } as const;
    expect(await clean(pages, options)).toEqual(["en lang-stated: sv; en"]);
  });

  it("is counted under the stated language if none of its lines is content", async () => {
    const pages = await readJson({ ...oscar, content: "Menu\nLogin" });
    expect(await clean(pages)).toEqual(["2 lines, all boilerplate; sv"]);
  });
});

describe("the document of a page whose record states a language", () => {
  it("has the language of the page, or that of the record if the page states none", async () => {
    const html = (attribute: string): string => `<html${attribute}><body><p>${ENGLISH}</p></body></html>`;
    const pages = await readJson(
      { html: html(' lang="en-GB"'), language: "fr" },
      { html: html(""), language: "fr" },
    );
    expect(await clean(pages)).toEqual(["en-GB; en-GB", "fr; fr"]);
  });
});
