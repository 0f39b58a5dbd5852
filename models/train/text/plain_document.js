/** Turns gold lines into a document without markup for a labeller, and labels into numbers. */

export const plainDocument = ({ id, lang }, lines) => ({
  id,
  url: "",
  source: "text",
  meta: lang ? { lang } : {},
  notes: [],
  lines: lines.map(({ text }) => ({ text, block: "text", path: "", linkChars: 0, breakBefore: "line" })),
});

/** Returns 1 for content, 0 for boilerplate. */
export const saidOf = ({ lines }) => lines.map(({ label }) => (label === "content" ? 1 : 0));
