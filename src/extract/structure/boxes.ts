/** Tells boxes of a text by what generators of pages call them: hints and warnings, pulled quotes, signatures, tasks. */
import { isHeadingTag, type Alert } from "../../document.js";
import type { ElementNode, TextNode, TreeNode } from "../../tree.js";
import { classOf } from "../bounded-attributes.js";
import { findElement } from "../elements.js";
import { isListing } from "../lines/generators/latexml.js";

/**
 * Sphinx and MkDocs ("admonition"), Docusaurus ("theme-admonition"), forges ("markdown-alert"), Asciidoctor
 * ("admonitionblock"), VuePress ("custom-block"), Confluence, GOV.UK ("application-notice"), mdBook ("blockquote-tag"), ArchWiki, Bootstrap
 * and what is made with it ("alert", "callout").
 */
export const ASIDE =
  /(?:^|\s)(?:admonition|theme-admonition|markdown-alert|admonitionblock|custom-block|notecard|confluence-information-macro|application-notice|blockquote-tag|archwiki-template-box|alert|callout)(?:$|\s)/;
/** Titles of such boxes. */
export const ASIDE_TITLE =
  /(?:^|\s)(?:admonition|markdown-alert|custom-block|blockquote-tag|alert|callout)-?(?:title|heading)(?:-container)?(?:$|[\s_])/i;
const MACRO = /(?:^|\s)confluence-information-macro(?:$|\s)/;
/** Quotes that a page pulls out of its own text. */
export const PULLED = /(?:^|\s)(?:pullquote|pull-quote|wp-block-pullquote)(?:$|\s)/;
/** Quotes of vBulletin and XenForo. */
export const QUOTED = /(?:^|\s)(?:bbcode_quote|bbCodeBlock--quote)(?:$|\s)/;

/** Names that shops and designers also give to any box that is to be seen. */
const LOOSE = /^(?:alert|callout)$/;
/** What a hint or a warning is called besides, alone or behind such a name: "alert-info", "callout--warning", "is-tip". */
const KIND =
  /(?:^|[\s_-])(note|tip|hint|info|information|important|warning|warn|danger|caution|attention|error|failure|bug|success|example|question|todo|primary|secondary|light|dark)(?:$|\s)/i;

/** Any other is a note. */
const ALERT_OF: ReadonlyMap<string, Alert> = new Map([
  ["tip", "tip"],
  ["hint", "tip"],
  ["success", "tip"],
  ["important", "important"],
  ["warning", "warning"],
  ["warn", "warning"],
  ["attention", "warning"],
  ["caution", "caution"],
  ["danger", "caution"],
  ["error", "caution"],
  ["failure", "caution"],
  ["bug", "caution"],
]);

const BOXES: ReadonlySet<string> = new Set(["div", "aside", "section", "blockquote", "figure"]);
const NOTION_BOX = /(?:^|\s)callout(?:$|\s)/;

export function isAside(element: ElementNode): boolean {
  const { tag, attributes } = element;
  if (!BOXES.has(tag)) return false;
  const names = classOf(element);
  if (tag === "figure") return NOTION_BOX.test(names);
  // rustdoc calls its boxes by nothing else.
  if (names === "warning" && element.parent !== null && classOf(element.parent) === "docblock") return true;
  if (DOCBOOK.has(names)) return tag === "div" && isDocBookBox(element);
  const name = ASIDE.exec(names)?.[0].trim();
  if (name === undefined || !LOOSE.test(name)) return name !== undefined;
  return tag === "aside" || KIND.test(names) || /^(?:alert|note)$/.test(attributes.get("role") ?? "");
}

/** How DocBook calls such boxes, by nothing else, and what stands first in them. */
export const DOCBOOK: ReadonlySet<string> = new Set(["note", "tip", "important", "warning", "caution"]);

function isDocBookBox({ children }: ElementNode): boolean {
  const first = children.slice(0, 3).find((child) => child.kind === "element");
  if (first === undefined) return false;
  return isHeadingTag(first.tag) ? classOf(first) === "title" : first.tag === "table" && holdsSign(first);
}

/** Whether a table begins with the picture or the word that stands for the kind of the box. */
function holdsSign(table: ElementNode): boolean {
  const cell = findElement(table, ({ tag }) => tag === "td" || tag === "th");
  if (cell === undefined) return false;
  return classOf(cell) === "icon" || findElement(cell, ({ tag }) => tag === "img") !== undefined;
}

/** Whether a table does no more than set such a picture beside the text of a box. */
export function isHintTable(table: ElementNode): boolean {
  return table.parent !== null && isAside(table.parent) && holdsSign(table);
}

/** What kind of box an aside is, by the first of its names that says so. */
export function readAlert(aside: ElementNode): Alert {
  const kind = KIND.exec(classOf(aside))?.[1];
  return ALERT_OF.get(kind?.toLowerCase() ?? "") ?? "note";
}

export function isAsideTitle(element: ElementNode): boolean {
  const { tag, parent } = element;
  if (tag !== "div" && tag !== "p") return false;
  const names = classOf(element);
  // Asciidoctor has the title in a cell for a picture.
  const isInIcon = names === "title" && parent?.tag === "td" && classOf(parent) === "icon";
  const isInMacro = names === "title" && parent !== null && MACRO.test(classOf(parent));
  return isInIcon || isInMacro || ASIDE_TITLE.test(names);
}

/** A figure has its quote inside. */
export function isQuote(element: ElementNode): boolean {
  const { tag } = element;
  if (tag !== "div" && tag !== "aside") return false;
  const names = classOf(element);
  return PULLED.test(names) || QUOTED.test(names);
}

/** Boxes of lines of code of Crayon, a highlighter for WordPress, and of Urvanov, which goes on with it. */
export const CRAYON: ReadonlySet<string> = new Set(["crayon-pre", "urvanov-syntax-highlighter-pre"]);

/**
 * A box of lines of code, each a block: of SyntaxHighlighter and Crayon, beside a cell with their numbers, and of Doxygen, which
 * calls so what it fills in from other pages as well.
 */
export function isCodeBox({ tag, attributes, parent, children }: ElementNode): boolean {
  if (tag !== "div" || attributes.size === 0) return false;
  const names = attributes.get("class");
  if (names === "container") return parent?.tag === "td" && parent.attributes.get("class") === "code";
  if (names === "fragment") return children.some(isCodeLine);
  return names !== undefined && CRAYON.has(names);
}

function isCodeLine(node: TreeNode): boolean {
  return node.kind === "element" && /^line(?:$| )/.test(node.attributes.get("class") ?? "");
}

/** White space between the lines of a listing. */
export function isBetweenLines({ parent, value }: TextNode): boolean {
  return parent !== null && (isCodeBox(parent) || isListing(parent)) && value.trim() === "";
}

/** One line of code in a table: the style sheets of GitHub and Gitea keep the spaces in such cells. */
export function isCodeCell({ attributes }: ElementNode): boolean {
  const names = attributes.size === 0 ? undefined : attributes.get("class");
  return names !== undefined && /(?:^|\s)(?:blob-code|lines-code)(?:$|\s)/.test(names);
}

/** LaTeXML puts formulas that are set apart, and their numbers, into tables. */
export function isEquation(table: ElementNode): boolean {
  return /(?:^|\s)(?:ltx_eqn_table|ltx_equation|ltx_equationgroup)(?:$|\s)/.test(classOf(table));
}

/** What Sphinx and Javadoc call a name with its parameters. */
export const SIGNATURE = /(?:^|\s)sig(?:$|\s)|^(?:member|type)-signature$/;

/** The term of a list that is a name with its parameters, or a box of one. */
export function isSignature(element: ElementNode): boolean {
  const { tag } = element;
  return (tag === "dt" || tag === "div") && SIGNATURE.test(classOf(element));
}

/** What a box to tick says of its item; undefined where readers tick it themselves, as ingredients and filters. */
export function readTask(input: ElementNode): "done" | "open" | undefined {
  const { attributes } = input;
  if (attributes.get("type")?.toLowerCase() !== "checkbox") return undefined;
  const isShown = attributes.has("disabled") || /(?:^|[\s_-])task/i.test(classOf(input));
  if (!isShown) return undefined;
  return attributes.has("checked") ? "done" : "open";
}

/** What Notion calls the boxes of its tasks. */
export const TASK_CLASS = /(?:^|\s)checkbox-(on|off)(?:$|\s)/;

/** Confluence draws the boxes of a list of tasks by its style sheet. */
export function readListedTask({ parent, attributes }: ElementNode): "done" | "open" | undefined {
  if (parent?.tag !== "ul" || parent.attributes.get("class") !== "inline-task-list") return undefined;
  return attributes.get("class") === "checked" ? "done" : "open";
}

export function readNamedTask(element: ElementNode): "done" | "open" | undefined {
  const state = element.children.length === 0 ? TASK_CLASS.exec(classOf(element))?.[1] : undefined;
  return state === undefined ? undefined : state === "on" ? "done" : "open";
}
