/** The writers by name. */
import { createJsonlWriter } from "./jsonl.js";
import { createMarkdownWriter } from "./markdown.js";
import { createParquetWriter } from "./parquet.js";
import { createTeiWriter } from "./tei.js";
import { createTextWriter } from "./text.js";
import { createWetWriter } from "./wet.js";
import type { WriterFactory } from "./writer.js";

export interface Format {
  readonly create: WriterFactory;
  readonly extension: string;
  /** What one gzip member holds where the file name ends with `.gz`; "none" where the format packs its own data. */
  readonly gzip: "block" | "record" | "none";
}

export const writers = {
  text: { create: createTextWriter, extension: ".txt", gzip: "block" },
  markdown: { create: createMarkdownWriter, extension: ".md", gzip: "block" },
  jsonl: { create: createJsonlWriter, extension: ".jsonl", gzip: "block" },
  tei: { create: createTeiWriter, extension: ".xml", gzip: "block" },
  wet: { create: createWetWriter, extension: ".wet", gzip: "record" },
  parquet: { create: createParquetWriter, extension: ".parquet", gzip: "none" },
} satisfies Record<string, Format>;

export type WriterName = keyof typeof writers;
