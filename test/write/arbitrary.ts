/** Makes random documents, for properties that every format must have. */
import fc from "fast-check";
import { BLOCK_TAGS, type Document, type LabelledLine } from "../../src/document.js";

/** Any UTF-16 code units, including controls, lone surrogates and noncharacters, and strings that are special in a format. */
export const anyText: fc.Arbitrary<string> = fc.oneof(
  fc
    .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 30 })
    .map((codes) => String.fromCharCode(...codes)),
  fc
    .array(
      fc.constantFrom("<", "&", ">", '"', "'", "]]>", "\r\n", "\n", "\t", "\0", "\ud800", "WARC/1.0", " "),
      {
        maxLength: 12,
      },
    )
    .map((parts) => parts.join("")),
  fc.lorem(),
);

const PATHS = [
  "",
  "body>p",
  "body>ul>li",
  "body>ul>li>ol.a>li",
  "body>ol>li>ul>li>ul>li",
  "body>blockquote>p",
  "body>table>tr",
  "body>pre",
] as const;

const anyLine: fc.Arbitrary<LabelledLine> = fc.record({
  text: anyText,
  block: fc.constantFrom(...BLOCK_TAGS, "li", "li", "h2", "h3", "pre", "tr"),
  path: fc.constantFrom(...PATHS),
  linkChars: fc.nat(100),
  breakBefore: fc.constantFrom("line", "block"),
  score: fc.integer({ min: 0, max: 1000 }).map((n) => n / 1000),
  label: fc.constantFrom("content", "boilerplate"),
});

const optional = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.option(value, { nil: undefined });

/** Omits undefined fields, as the types require. */
function compact<T extends object>(value: { [K in keyof T]: T[K] | undefined }): T {
  // The remaining fields have values.
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined)) as T;
}

export const anyDocument: fc.Arbitrary<Document<LabelledLine>> = fc
  .record({
    id: anyText,
    url: fc.oneof(anyText, fc.webUrl()),
    source: fc.constantFrom("html" as const, "text" as const),
    meta: fc
      .record({
        title: optional(anyText),
        author: optional(anyText),
        date: optional(
          fc.oneof(anyText, fc.constantFrom("2024-05-02", "2024-02-30", "2024-05-02T10:00:00Z")),
        ),
        site: optional(anyText),
        lang: optional(fc.oneof(anyText, fc.constantFrom("sv", "zh-Hans-CN"))),
        modified: optional(anyText),
        description: optional(anyText),
        license: optional(fc.oneof(anyText, fc.webUrl())),
        tags: optional(fc.array(anyText, { maxLength: 2 })),
        canonical: optional(anyText),
      })
      .map((meta) => compact<Document["meta"]>(meta)),
    notes: fc.array(anyText, { maxLength: 2 }),
    lines: fc.array(anyLine, { maxLength: 12 }),
    carried: optional(
      fc
        .dictionary(anyText, fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 })
        .map((fields) => JSON.stringify(fields)),
    ),
  })
  .map((doc) => compact<Document<LabelledLine>>(doc));
