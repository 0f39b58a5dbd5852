/**
 * Finds elements that serve the program that made a page, not its readers: edit links, buttons, signs, tips, counts and
 * second copies. Style sheets or scripts hide them, or draw them beside the text. The programs document these names.
 */
import type { ElementNode } from "../../../document/tree.js";
import { findAround } from "../../around.js";
import { classOf } from "../../bounded-attributes.js";

type Test = (element: ElementNode) => boolean;

const always: Test = () => true;

/** Nodes beside an element that are read. */
const MAX_BESIDE = 20;

/** The class name of the MathML of KaTeX. */
const KATEX_TEXT = "katex-mathml";
/** MathML of MediaWiki, and the image of the same formula. */
const WIKI_PICTURE = /(?:^|\s)mwe-math-fallback-image-(?:inline|display)(?=\s|$)/;
const WIKI_MATH = /(?:^|\s)mwe-math-mathml-(?:inline|display|a11y)(?=\s|$)/;

/** The class attributes of such spans. */
const SPANS: ReadonlyMap<string, Test> = new Map([
  // MediaWiki's links for editing a section.
  ["mw-editsection", always],
  // An editor's comment on the text in Word.
  ["MsoCommentReference", always],
  // What plugins for notes and SciELO show beside a reference; the list below the text repeats it.
  ["footnote_tooltip", always],
  ["refCtt closed", always],
  // Numbers of paragraphs in the margins of OpenEdition.
  ["paragraphNumber", always],
  ["paranumber", always],
  // The countries that a provision applies to, on legislation.gov.uk: "E+W+S+N.I.".
  ["LegExtentRestriction", always],
  // What RDoc shows beside a signature while the pointer is there: "click to toggle source".
  ["method-click-advice", always],
  // Links to the source code of a declaration, in Sphinx and on pkg.go.dev; rustdoc has more beside them.
  ["viewcode-link", always],
  ["Documentation-declarationLink", always],
  ["rightside", ({ children }) => children.some((node) => node.kind === "element" && isToolOfDocs(node))],
  // What filters a table of Javadoc.
  ["tableTab", always],
  ["activeTableTab", always],
  // The sign in a box of Zenn, and the emoji in one of ReadMe.
  ["msg-symbol", always],
  ["callout-icon", always],
  // The page's title before each heading of Baidu Baike.
  ["title-prefix", always],
  // The score of a post after a vote for or against it, in Reddit's old pages.
  ["score likes", always],
  ["score dislikes", always],
  // The word "Title:" of arXiv.
  ["descriptor", ({ parent }) => parent?.tag === "h1"],
  // What KaTeX draws: it says what the MathML beside it says in order, from the first part of a fraction to the last.
  ["katex-html", (drawn) => isBeside(drawn, /^katex-mathml$/)],
  [KATEX_TEXT, isFlatFormula],
]);

/** Checks whether a span with the class attribute `names` is one of these. */
export function isMachinery(span: ElementNode, names: string): boolean {
  return (
    SPANS.get(names)?.(span) === true ||
    // A letter that Divi draws as an icon.
    names.includes("et-pb-icon") ||
    // The number of comments behind each paragraph of Wattpad.
    names.startsWith("comment-marker") ||
    (names.endsWith("speechify-ignore") && isImageHint(span))
  );
}

/** Checks whether a span is the hint for keyboards above an image of Medium, which is drawn only when it has the focus. */
function isImageHint({ children: [hint] }: ElementNode): boolean {
  return hint?.kind === "text" && hint.value === "Press enter or click to view image in full size";
}

/**
 * Checks whether the MathML of KaTeX is only text: CSDN drops the tags. It holds the text of all elements and then the
 * TeX, of which the walk shows the TeX.
 */
export function isFlatFormula(element: ElementNode): boolean {
  const { children } = element;
  return classOf(element) === KATEX_TEXT && children.length === 1 && children[0]?.kind === "text";
}

/** The class attributes of such boxes. */
const BOXES: ReadonlyMap<string, Test> = new Map([
  // Opens a long quote of XenForo: "Click to expand...".
  ["quoteExpand", always],
  // The name of a picture's file in Discourse.
  ["meta", ({ parent }) => parent?.attributes.get("class") === "lightbox"],
  // The sign in a box of Ghost.
  ["kg-callout-emoji", always],
  // A tip in code of Doxygen.
  ["ttc", always],
  // What filters a table of Javadoc.
  ["table-tabs", always],
  // The short copy of a text in Scaladoc.
  ["documentableBrief", (brief) => isBeside(brief, /^cover$/)],
  // The source code that pdoc folds, and the buttons below code on pkg.go.dev.
  ["pdoc-code codehilite", (code) => isBeside(code, /^view-source-toggle-state$/)],
  ["Documentation-exampleButtonsContainer", always],
  // The score of a post after a vote for or against it, in Reddit's old pages.
  ["score likes", always],
  ["score dislikes", always],
  // The price that themes of Shopify do not show: the one of a sale, or the one without it.
  ["price__sale", (price) => isOnSale(price) === false],
  ["price__regular", (price) => isOnSale(price) === true],
]);

/** Class names of the numbers that Jupyter writes beside code and its output: "In [1]:". */
const PROMPT_CLASS = /(?:^|\s)(?:jp-(?:In|Out)putPrompt|(?:in|out)put_prompt)(?=\s|$)/;

/** Checks whether a `div` with the class attribute `names` is one of these. */
export function isUnusedBox(box: ElementNode, names: string): boolean {
  return (
    BOXES.get(names)?.(box) === true ||
    (names.endsWith("rompt") && PROMPT_CLASS.test(names)) ||
    // Webflow has all boxes of a template in a page, and hides those whose condition is not met.
    names.endsWith("w-condition-invisible") ||
    // What opens and closes a long quote of XenForo 2.
    names.startsWith("bbCodeBlock-expandLink") ||
    names.startsWith("bbCodeBlock-shrinkLink") ||
    (names.includes("select-none") && isSignOfNextra(box))
  );
}

/** Checks whether a box is the sign in a box of Nextra. */
function isSignOfNextra({ parent }: ElementNode): boolean {
  return parent !== null && /^nextra-callout /.test(classOf(parent));
}

/** Elements around a price that are looked at. */
const MAX_PRICE = 3;

/** Whether a product of Shopify is on sale; undefined for any other price. */
function isOnSale({ parent }: ElementNode): boolean | undefined {
  const price = findAround(parent, (outer) => /(?:^|\s)price(?=\s|$)/.test(classOf(outer)), MAX_PRICE);
  return price && /(?:^|\s)price--on-sale(?=\s|$)/.test(classOf(price));
}

/** Checks whether a link folds a part of a page of YARD, or leads from a page of rustdoc or ExDoc to its source code. */
export function isToolOfDocs({ attributes }: ElementNode): boolean {
  const names = attributes.get("class") ?? "";
  if (names.endsWith("summary_toggle") || names === "icon-action") return true;
  return names.startsWith("src") && /\.rs\.html(?:#|$)/.test(attributes.get("href") ?? "");
}

/** Such elements with other tags. */
export const OTHER_MACHINERY: ReadonlyMap<string, Test> = new Map([
  // Discuz puts letters without sense between the words of a post, so that copies of it have them.
  ["font", ({ attributes }) => attributes.get("class") === "jammer"],
  // Themes of Shopify repeat the title of a product in a link, for where it is beside others.
  ["h2", ({ parent }) => parent?.tag === "a" && parent.attributes.get("class") === "product__title"],
  // AO3 names its sections in these headings, for screen readers alone.
  ["h3", ({ attributes }) => attributes.get("class") === "landmark heading"],
  ["img", (image) => WIKI_PICTURE.test(classOf(image)) && isBeside(image, WIKI_MATH)],
  ["joomla-hidden-mail", always],
  // A button of pdoc for the source code that it folds, and what the editor of Substack says about a poem.
  ["label", ({ attributes }) => /^(?:view-source-button|hide-text)$/.test(attributes.get("class") ?? "")],
  ["small", ({ attributes }) => attributes.get("class") === "unit-price caption hidden"],
  // OpenEdition repeats the beginnings of notes in the margin.
  ["ul", ({ attributes }) => attributes.get("class") === "sidenotes"],
] satisfies [string, Test][]);

/** Checks whether an element is the MathML of MediaWiki, which hides it and shows an image; here the image is hidden. */
export function isWikiMath(element: ElementNode): boolean {
  return WIKI_MATH.test(classOf(element));
}

/** Checks whether one of the first siblings has a class attribute that matches. */
function isBeside({ parent }: ElementNode, name: RegExp): boolean {
  const beside = parent?.children.slice(0, MAX_BESIDE) ?? [];
  return beside.some((node) => node.kind === "element" && name.test(classOf(node)));
}
