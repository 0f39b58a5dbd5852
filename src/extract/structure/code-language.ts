/** Finds the language of a code block from the class names and attributes that syntax highlighters write. */
import { CODE_LANGUAGES } from "../../language/code-languages.js";
import type { ElementNode, TreeNode } from "../../document/tree.js";
import { classOf } from "../bounded-attributes.js";
import { findElement, textOf } from "../elements.js";

/** The largest number of elements around a `pre` that are searched for its language. */
const MAX_OUTER = 3;
/** The largest number of child nodes of a `pre` that are searched for its `code` element. */
const MAX_BEFORE_CODE = 8;
/** The largest number of boxes in each other that are searched for it. */
const MAX_BOXES = 4;
const NUMBERING: ReadonlySet<string> = new Set(["table", "tbody", "tr", "td", "code", "pre"]);

const PREFIXED =
  /(?:^|\s)(?:(?:mw-highlight-lang|language|lang|highlight-source|highlight-text|highlight|code)[-:_]|brush:|language\s|ltx_lst_language_|sourceCode\s|prettyprint lang-)\s?([a-z][a-z0-9+#.-]{0,24})/i;
/** Codes of natural languages, which name the language of a text and not of code: `<div class="lang-en">`. */
const WRITTEN = /^(?:ar|da|de|en|es|fi|fr|he|it|ja|ko|nl|no|pt|ru|sv|tr|uk|zh)(?:-[a-z]+)?$/i;
const ATTRIBUTES = [
  "data-lang",
  "data-language",
  "data-code-language",
  "data-code-lang",
  "lang-name",
  "data-enlighter-language",
  // Mintlify
  "language",
  // Freshdesk
  "data-code-brush",
  "code-brush",
] as const;

/** Languages that a class names without a prefix: `<pre class="python">`, `<code class="hljs bash">`. */
const NAMES: ReadonlySet<string> = new Set([
  ...CODE_LANGUAGES,
  ..."bibtex console docker fortran golang less lisp makefile objectivec pycon rb rs scheme vim yml".split(
    " ",
  ),
]);
/** Names that highlighters use when there is no language, and other words that are no language. */
const NONE =
  /^(?:none|plain|plaintext|text|txt|nohighlight|auto|default|notranslate|block|box|snippet|wrapper|toolbar|copy|example|container|content|body|view|area|line|lines|inline|source|listing|editor|header|title)$/i;

/** The language of a code block; undefined if the page does not name it. */
export function findCodeLanguage(pre: ElementNode): string | undefined {
  const code = findCode(pre);
  let found = (code && readLanguage(code)) ?? readLanguage(pre) ?? readBarOf(pre);
  let outer = pre.parent;
  for (let step = 0; found === undefined && outer !== null && step < MAX_OUTER;) {
    // An element that holds more than this code block says nothing about its language.
    if (outer.tag === "body" || outer.tag === "article" || outer.tag === "main") return undefined;
    found = readLanguage(outer);
    // The elements of a table that sets line numbers beside the code do not count as steps.
    if (!NUMBERING.has(outer.tag)) step += 1;
    outer = outer.parent;
  }
  return found;
}

const BOXES: ReadonlySet<string> = new Set(["div", "span"]);

/** Finds the `code` or `samp` element of a `pre`, or the editor in it; some pages put their buttons before it, or boxes around it. */
function findCode({ children }: ElementNode, depth = 0): ElementNode | undefined {
  for (const child of children.slice(0, MAX_BEFORE_CODE)) {
    if (child.kind !== "element") continue;
    if (child.tag === "code" || child.tag === "samp" || isEditor(child)) return child;
    if (child.tag !== "button" && !BOXES.has(child.tag)) return undefined;
    const inner = BOXES.has(child.tag) && depth < MAX_BOXES ? findCode(child, depth + 1) : undefined;
    if (inner !== undefined) return inner;
  }
  return undefined;
}

/** The part of the editor CodeMirror that holds the code. */
function isEditor({ attributes }: ElementNode): boolean {
  return attributes.get("class")?.startsWith("cm-content") === true;
}

/** The name of a language, and the words of buttons beside it. */
const BAR = /^(\S+)(?:(?: copy| edit| run)(?: code| to clipboard)?)*$/i;
/** The largest length of a bar in characters. */
const MAX_BAR = 40;

/**
 * Whether a box in a `pre` is the bar above the code: the first one, with the name of a language and buttons, or with a
 * button to copy the code that comes right after it.
 */
export function isCodeBar(element: ElementNode): boolean {
  const { tag, parent } = element;
  // Code may have a box for each of its lines, of which only the first one is looked at.
  if (tag !== "div" || parent === null || findFirst(parent) !== element) return false;
  if (readBar(element) !== undefined && findCode(parent) !== undefined) return true;
  return parent.children.some(isCode) && findElement(element, isCopy) !== undefined;
}

/** Class names of buttons that copy code: "copy-code-btn" of Juejin, "copy-button", "btn-copy". */
export const COPY_CLASS = /copy[\w-]*(?:btn|button)|(?:btn|button)[\w-]*copy/i;

function isCode(node: TreeNode): boolean {
  return node.kind === "element" && node.tag === "code";
}

function isCopy(element: ElementNode): boolean {
  return element.tag === "button" || COPY_CLASS.test(classOf(element));
}

/** The language that the bar in a `pre` names. */
function readBarOf(pre: ElementNode): string | undefined {
  let box = findFirst(pre);
  for (let depth = 0; box?.tag === "div" && depth <= MAX_BOXES; depth += 1) {
    if (isCodeBar(box)) return readBar(box);
    box = findFirst(box);
  }
  return undefined;
}

function readBar(bar: ElementNode): string | undefined {
  const name = BAR.exec(textOf(bar, MAX_BAR))?.[1]?.toLowerCase();
  return name !== undefined && NAMES.has(name) ? name : undefined;
}

function findFirst({ children }: ElementNode): ElementNode | undefined {
  return children.find((child) => child.kind === "element");
}

function readLanguage(element: ElementNode): string | undefined {
  const { tag, attributes } = element;
  if (attributes.size === 0) return undefined;
  for (const name of ATTRIBUTES) {
    const value = attributes.get(name);
    if (value !== undefined && isLanguage(value)) return value.toLowerCase();
  }
  // GitLab
  if (attributes.has("data-math-style")) return "math";
  // Confluence keeps the parameters of its highlighter in this attribute.
  const told = /\bbrush:\s*([\w+#.-]{1,25})/.exec(attributes.get("data-syntaxhighlighter-params") ?? "")?.[1];
  if (told !== undefined && isLanguage(told)) return toLanguage(told);
  const names = classOf(element);
  const prefixed = PREFIXED.exec(names)?.[1];
  if (prefixed !== undefined && isLanguage(prefixed)) return toLanguage(prefixed);
  if (tag !== "pre" && tag !== "code" && !/(?:^|\s)(?:syntax)?highlight(?:er)?(?:$|\s)/i.test(names))
    return undefined;
  return names
    .toLowerCase()
    .split(/\s+/)
    .map((name) => toLanguage(name.replace(/^hl-/, "")))
    .find((name) => NAMES.has(name));
}

/**
 * Corrects names: notebooks name their console ("ipython3"), highlighters a version ("python3"), and GitHub names its
 * grammar ("html-basic").
 */
function toLanguage(name: string): string {
  return name
    .toLowerCase()
    .replace(/^(?:ipython\d?|python3|py3)$/, "python")
    .replace(/^html-basic$/, "html");
}

function isLanguage(value: string): boolean {
  return /^[a-z][a-z0-9+#.-]{0,24}$/i.test(value) && !NONE.test(value) && !WRITTEN.test(value);
}
