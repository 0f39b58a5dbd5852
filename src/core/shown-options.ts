/** Checks what programs want to see in Markdown or HTML besides the text, and says what structure that takes. */
import { checkValues, oneOf, SWITCH, takeOptions } from "../options/option-rules.js";
import { STRUCTURE_OPTIONS, type StructureOption } from "../extract/extractor.js";

/** What HTML shows besides the text; both are left out by default. */
export interface HtmlOptions {
  readonly links?: "drop" | "keep";
  readonly images?: "drop" | "keep";
}

/** What Markdown shows besides the text. */
export interface MarkdownOptions extends HtmlOptions {
  /** Begins with what the page says of itself (YAML). */
  readonly frontMatter?: boolean;
}

const SHOWN = oneOf(["drop", "keep"]);
const HTML_RULES = { links: SHOWN, images: SHOWN };
const MARKDOWN_RULES = { ...HTML_RULES, frontMatter: SWITCH };

/** Throws UsageError for what makes no sense. */
export function takeMarkdownOptions(given: MarkdownOptions): MarkdownOptions {
  const taken = takeOptions("markdown", given, MARKDOWN_RULES);
  checkValues(taken, MARKDOWN_RULES);
  return taken;
}

/** Throws UsageError for what makes no sense. */
export function takeHtmlOptions(given: HtmlOptions): HtmlOptions {
  const taken = takeOptions("html", given, HTML_RULES);
  checkValues(taken, HTML_RULES);
  return taken;
}

/**
 * What of the page has to be kept for all that is written of it, and more where `given` asks for more. What `given` is, is
 * checked with the other options.
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
