/** Makes a document without markup of gold lines, as a labeller takes it, and says what it labelled as numbers. */

export const plainDocument = ({ id, lang }, lines) => ({
  id,
  url: "",
  source: "text",
  meta: lang ? { lang } : {},
  notes: [],
  lines: lines.map(({ text }) => ({ text, block: "text", path: "", linkChars: 0, breakBefore: "line" })),
});

/** 1 for content, 0 for boilerplate. */
export const saidOf = ({ lines }) => lines.map(({ label }) => (label === "content" ? 1 : 0));
