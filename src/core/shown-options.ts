/** Checks the options for Markdown and HTML output, and says how much structure they need. */
import { checkValues, oneOf, SWITCH, takeOptions } from "../options/option-rules.js";
import { STRUCTURE_OPTIONS, type StructureOption } from "../extract/extractor.js";

/** What HTML output shows besides the text; both default to "drop". */
export interface HtmlOptions {
  readonly links?: "drop" | "keep";
  readonly images?: "drop" | "keep";
}

/** What Markdown output shows besides the text. */
export interface MarkdownOptions extends HtmlOptions {
  /** Whether the output begins with the metadata of the page as YAML. */
  readonly frontMatter?: boolean;
}

const SHOWN = oneOf(["drop", "keep"]);
const HTML_RULES = { links: SHOWN, images: SHOWN };
const MARKDOWN_RULES = { ...HTML_RULES, frontMatter: SWITCH };

/** Checks the options. Throws UsageError. */
export function takeMarkdownOptions(given: MarkdownOptions): MarkdownOptions {
  const taken = takeOptions("markdown", given, MARKDOWN_RULES);
  checkValues(taken, MARKDOWN_RULES);
  return taken;
}

/** Checks the options. Throws UsageError. */
export function takeHtmlOptions(given: HtmlOptions): HtmlOptions {
  const taken = takeOptions("html", given, HTML_RULES);
  checkValues(taken, HTML_RULES);
  return taken;
}

/**
 * Returns the structure that the reader has to keep for all outputs, or more if `given` asks for more. The value of
 * `given` is checked with the other options.
 */
export function structureFor(
  written: readonly HtmlOptions[],
  given: StructureOption | undefined,
): { readonly structure?: StructureOption } {
  if (written.length === 0) return given === undefined ? {} : { structure: given };
  const needed = written.some(({ images }) => images === "keep") ? "keep" : "words";
  const isMore =
    given !== undefined && !STRUCTURE_OPTIONS.slice(0, STRUCTURE_OPTIONS.indexOf(needed)).includes(given);
  return { structure: isMore ? given : needed };
}
