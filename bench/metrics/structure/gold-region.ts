/**
 * Finds the elements of a page that lie in its main content, from the labels of the gold lines that hold their words.
 */
import type { GoldLine } from "../../corpora/gold.js";
import { stripMarkdown } from "../tokens.js";
import { Placement } from "../align/place.js";
import { readSequence, type TokenSequence } from "../align/sequence.js";
import { ELEMENT_KINDS, type ElementName, type PageElement, type ReadElements } from "./elements.js";

/** An element is main content if this share of its words is on lines of main content. */
const INSIDE = 0.5;

/** Emphasis around more than this share of the main content is optional, since it sets no words apart from others. */
const WHOLE = 0.9;

/** The keys of elements, by kind. */
export type Keys = Readonly<Record<ElementName, readonly string[]>>;

export interface GoldElements {
  readonly wanted: Keys;
  /** The wanted elements themselves, with the positions of their words on the page. */
  readonly elements: readonly PageElement[];
  /** Elements on lines without a label, and optional ones: finding them is neither required nor wrong. */
  readonly unknown: Keys;
  /**
   * The share of the main-content words that are in the page's DOM tree; 1 if the gold has no main content. If many are
   * missing, the gold was made from another reading of the page, for example of a page with an unclosed `<iframe>`.
   */
  readonly cover: number;
}

/** The gold labels of the words of a page. */
export interface GoldTokens {
  readonly labelOf: (token: number) => GoldLine["label"];
  /** As in `GoldElements`. */
  readonly cover: number;
}

/**
 * Places the words of the page on the gold lines, like a system's text, and gives each word the label of its line. A
 * word that is on no gold line counts as boilerplate.
 */
export function labelTokens(page: ReadElements["lines"], lines: readonly GoldLine[]): GoldTokens {
  const gold = readSequence(lines.map(({ text }) => text));
  const placement = place(gold, joinLines(page));
  const labelOf = (token: number): GoldLine["label"] => {
    const at = placement.outputTo[token] ?? -1;
    return at < 0 ? 0 : (lines[gold.lineOf[at] ?? -1]?.label ?? null);
  };
  return { labelOf, cover: coverOf(placement, gold, lines) };
}

function place(gold: TokenSequence, output: TokenSequence): Placement {
  const placement = new Placement(gold, output);
  placement.placeInOrder();
  placement.placeMoved();
  return placement;
}

/** Sorts the elements of a page by the labels of their words: wanted, unknown, or outside the main content. */
export function findGoldElements(page: ReadElements, lines: readonly GoldLine[]): GoldElements {
  const { labelOf, cover } = labelTokens(page.lines, lines);
  const whole = findWholeEmphasis(page, labelOf);
  const places = new Map<PageElement, "wanted" | "unknown" | "outside">();
  for (const element of page.elements) {
    const place = placeElement(element, labelOf);
    const isOptional = element.isOptional === true || whole.has(element);
    places.set(element, place === "wanted" && isOptional ? "unknown" : place);
  }
  const at = (place: "wanted" | "unknown"): PageElement[] =>
    page.elements.filter((element) => places.get(element) === place);
  const { titles } = page;
  return {
    wanted: toKeys(at("wanted"), titles),
    elements: at("wanted").filter((element) => !isTitle(element, titles)),
    unknown: listKeys(at("unknown"), titles),
    cover,
  };
}

/** Returns the elements of a kind of emphasis (strong or not) that covers nearly all main content. */
function findWholeEmphasis(
  { lines, elements }: ReadElements,
  labelOf: (token: number) => GoldLine["label"],
): ReadonlySet<PageElement> {
  const isContent = (token: number): boolean => labelOf(token) === 1;
  const words = lines.flat().filter((_, token) => isContent(token)).length;
  const kinds = [false, true].map((strong) => elements.filter(({ isStrong }) => isStrong === strong));
  const whole = kinds.filter((emphasis) => {
    const inside = new Set(emphasis.flatMap(({ ranges }) => ranges.flatMap(tokensOf)).filter(isContent));
    return inside.size > words * WHOLE;
  });
  return new Set(whole.flat());
}

function tokensOf([from, to]: readonly [number, number]): readonly number[] {
  return Array.from({ length: to - from }, (_, index) => from + index);
}

function coverOf(placement: Placement, gold: TokenSequence, lines: readonly GoldLine[]): number {
  let [placed, all] = [0, 0];
  lines.forEach(({ label }, index) => {
    const range = [gold.starts[index] ?? 0, gold.starts[index + 1] ?? 0] as const;
    if (label !== 1) return;
    all += range[1] - range[0];
    placed += placement.countPlaced(range);
  });
  return all === 0 ? 1 : placed / all;
}

/**
 * Returns the keys by kind, without optional elements, and without headings that repeat the page's title: corpora
 * disagree on whether it is main content.
 */
export function toKeys(elements: readonly PageElement[], titles: ReadonlySet<string>): Keys {
  return listKeys(
    elements.filter(({ isOptional }) => isOptional !== true),
    titles,
  );
}

function listKeys(elements: readonly PageElement[], titles: ReadonlySet<string>): Keys {
  // fromEntries loses the names of the kinds
  const keys = Object.fromEntries(ELEMENT_KINDS.map(({ name }) => [name, []])) as unknown as Record<
    ElementName,
    string[]
  >;
  for (const element of elements) if (!isTitle(element, titles)) keys[element.kind].push(element.key);
  return keys;
}

function isTitle({ kind, words }: PageElement, titles: ReadonlySet<string>): boolean {
  return (kind === "heading" || kind === "heading-level") && titles.has(words);
}

function placeElement(
  { ranges }: PageElement,
  labelOf: (token: number) => GoldLine["label"],
): "wanted" | "unknown" | "outside" {
  let [inside, unknown, all] = [0, 0, 0];
  for (const [from, to] of ranges) {
    for (let token = from; token < to; token += 1) {
      const label = labelOf(token);
      all += 1;
      if (label === 1) inside += 1;
      else if (label === null) unknown += 1;
    }
  }
  if (inside >= all * INSIDE) return "wanted";
  return inside + unknown >= all * INSIDE ? "unknown" : "outside";
}

/** Counts, by kind, the elements whose words all appear in the output in place, in any markup. */
export function countPresent(
  page: ReadElements["lines"],
  elements: readonly PageElement[],
  output: ReadElements["lines"],
): ReadonlyMap<ElementName, number> {
  const placement = place(joinLines(page), joinLines(output));
  const counts = new Map<ElementName, number>();
  for (const { kind, ranges } of elements) {
    const words = ranges.reduce((sum, [from, to]) => sum + to - from, 0);
    const placed = ranges.reduce((sum, range) => sum + placement.countPlaced(range), 0);
    if (placed === words) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return counts;
}

/** Returns, for each word of a page, whether a system's text has it in place. */
export function findKept(page: ReadElements["lines"], text: string): readonly boolean[] {
  const lines = stripMarkdown(text).split(/\r\n?|[\n\u2028\u2029]/);
  const { goldTo } = place(joinLines(page), readSequence(lines));
  return Array.from(goldTo, (at) => at >= 0);
}

function joinLines(lines: ReadElements["lines"]): TokenSequence {
  const starts = new Int32Array(lines.length + 1);
  lines.forEach(({ length }, index) => (starts[index + 1] = starts[index]! + length));
  const lineOf = lines.flatMap(({ length }, index) => Array<number>(length).fill(index));
  return { tokens: lines.flat(), lineOf: Int32Array.from(lineOf), starts };
}
