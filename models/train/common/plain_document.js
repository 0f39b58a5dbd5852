/** Turns gold lines into lines and documents without markup, and labels into numbers. */

export const plainLines = (lines) =>
  lines.map(({ text }) => ({ text, block: "text", path: "", linkChars: 0, breakBefore: "line" }));

export const plainDocument = ({ id, lang }, lines) => ({
  id,
  url: "",
  source: "text",
  meta: lang ? { lang } : {},
  notes: [],
  lines: plainLines(lines),
});

/** Returns 1 for content, 0 for boilerplate. */
export const saidOf = ({ lines }) => lines.map(({ label }) => (label === "content" ? 1 : 0));
