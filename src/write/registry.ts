/** The writers by name. */
import { createJsonlWriter } from "./jsonl.js";
import { createMarkdownWriter } from "./markdown.js";
import { createTextWriter } from "./text.js";
import type { WriterFactory } from "./writer.js";

export const writers = {
  text: { create: createTextWriter, extension: ".txt" },
  markdown: { create: createMarkdownWriter, extension: ".md" },
  jsonl: { create: createJsonlWriter, extension: ".jsonl" },
} satisfies Record<string, { readonly create: WriterFactory; readonly extension: string }>;

export type WriterName = keyof typeof writers;
