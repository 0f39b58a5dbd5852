/** Writes the metadata of a page as the YAML front matter of a Markdown file. */
import type { Document, LabelledLine } from "../../document.js";

/** Formats the fields that the page states, and a blank line after them; "" if it states none and has no URL. */
export function formatFrontMatter({ url, meta }: Document<LabelledLine>): string {
  // The language of a record or a text is added after the other fields, but is written where pages have it.
  const { title, author, date, site, lang, ...others } = meta;
  const fields = { title, author, date, site, lang, ...others, url: url === "" ? undefined : url };
  const rows = Object.entries(fields).flatMap(([name, value]) => {
    const written = writeValue(value);
    return written === undefined ? [] : [`${name}: ${written}\n`];
  });
  return rows.length === 0 ? "" : `---\n${rows.join("")}---\n\n`;
}

/** Writes strings and lists of strings as JSON, which is valid YAML 1.2. Other values are skipped. */
function writeValue(value: unknown): string | undefined {
  if (typeof value === "string") return toJson(value);
  if (!Array.isArray(value) || value.length === 0) return undefined;
  return `[${value.map((item) => toJson(String(item))).join(", ")}]`;
}

function toJson(value: string): string {
  return JSON.stringify(value).replace(
    /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
