/**
 * Recognises boxes in a text by the class names that page generators use: hints, warnings, pull quotes, signatures,
 * tasks.
 */
import { isHeadingTag, type Alert } from "../../document.js";
import type { ElementNode, TreeNode } from "../../document/tree.js";
import { classOf, styleOf } from "../bounded-attributes.js";
import { findElement } from "../elements.js";

/**
 * Class names of hints and warnings: Sphinx and MkDocs ("admonition"), Docusaurus ("theme-admonition"), forges
 * ("markdown-alert"), Gitea ("attention-header"), Asciidoctor ("admonitionblock"), VuePress ("custom-block", newer
 * "hint-container"), Confluence, its Cloud ("ak-editor-panel"), GOV.UK ("application-notice"), mdBook
 * ("blockquote-tag"), ArchWiki, Starlight, Ghost ("kg-callout-card"), Nextra, Help Scout ("callout-blue"), Freshdesk,
 * Chirpy, a theme of Jekyll ("prompt-tip"), NexT and Butterfly, themes of Hexo ("note info"), Bootstrap and sites made
 * with it ("alert", "callout").
 */
export const ASIDE =
  /(?:^|\s)(?:admonition|theme-admonition|markdown-alert|attention-header|admonitionblock|custom-block|(?:custom|hint)-container(?= (?:tip|info|note|important|warning|caution|danger)(?:$|\s))|notecard|confluence-information-macro|application-notice|blockquote-tag|archwiki-template-box|starlight-aside|kg-callout-card|nextra-callout|ak-editor-panel|callout-(?:blue|green|yellow|red)|prompt-(?:tip|info|warning|danger)|note (?:primary|success|info|warning|danger)|fd-callout|alert|callout)(?:$|\s)/;
/** Titles of such boxes. */
export const ASIDE_TITLE =
  /(?:^|\s)(?:admonition|markdown-alert|custom-block|(?:custom|hint)-container|blockquote-tag|starlight-aside_|alert|callout)[-_]?(?:title|heading)(?:-container)?(?:$|[\s_])/i;
const MACRO = /(?:^|\s)confluence-information-macro(?:$|\s)/;
/** Quotes that a page pulls out of its own text. */
export const PULLED = /(?:^|\s)(?:pullquote|pull-quote|wp-block-pullquote)(?:$|\s)/;
/** Quotes of vBulletin and XenForo. */
export const QUOTED = /(?:^|\s)(?:bbcode_quote|bbCodeBlock--quote)(?:$|\s)/;

/** Names that shops and designers also give to any box that should catch the eye. */
const LOOSE = /^(?:alert|callout)$/;
/**
 * Kinds of hints and warnings, as a class of their own or as the end of one: "alert-info", "callout--warning",
 * "is-tip".
 */
const KIND =
  /(?:^|[\s_-])(note|tip|hint|idea|info|information|important|warning|warn|danger|caution|attention|error|failure|bug|success|example|question|todo|primary|secondary|light|dark)(?:$|\s)/i;

/** The alert of each kind; a kind that is not listed here is a note. */
const ALERT_OF: ReadonlyMap<string, Alert> = new Map([
  ["tip", "tip"],
  ["hint", "tip"],
  ["idea", "tip"],
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

/** Whether an element is the box of a hint or a warning. */
export function isAside(element: ElementNode): boolean {
  const { tag, attributes } = element;
  if (tag === "dl") return DOXYGEN.test(classOf(element));
  if (!BOXES.has(tag)) return false;
  const names = classOf(element);
  if (EXDOC.has(names) && isTitledAlike(element, names)) return true;
  if (tag === "figure") return NOTION_BOX.test(names);
  // rustdoc gives its boxes no other class.
  if (names === "warning" && element.parent !== null && classOf(element.parent) === "docblock") return true;
  if (DOCBOOK.has(names)) return tag === "div" && isDocBookBox(element);
  if (DOCFX.has(names)) return tag === "div";
  if (MESSAGES.has(names)) return true;
  const name = ASIDE.exec(names)?.[0].trim();
  if (name?.startsWith("callout-") === true) return tag === "section";
  if (name === undefined || !LOOSE.test(name)) return name !== undefined;
  // Mintlify states the kind of a box in this attribute.
  if (attributes.has("data-callout-type")) return true;
  return tag === "aside" || KIND.test(names) || /^(?:alert|note)$/.test(attributes.get("role") ?? "");
}

/** The class names of the boxes of Doxygen, whose title is a term. */
export const DOXYGEN = /^section (?:note|remark|important|warning|attention)$/;

/** The only class names that ExDoc gives to its boxes and to the titles in them. */
export const EXDOC: ReadonlySet<string> = new Set(["neutral", "info", "tip", "warning", "error"]);

function isTitledAlike({ children }: ElementNode, names: string): boolean {
  const first = children.slice(0, 3).find((child) => child.kind === "element");
  return first !== undefined && isHeadingTag(first.tag) && classOf(first) === names;
}

/** The only class names that DocBook gives to its boxes. */
export const DOCBOOK: ReadonlySet<string> = new Set(["note", "tip", "important", "warning", "caution"]);

/** The only class names that DocFX gives to its boxes. */
export const DOCFX: ReadonlySet<string> = new Set([...DOCBOOK].map((name) => name.toUpperCase()));

/** Class names of the boxes of Zenn, Qiita and XWiki, and their kinds. */
export const MESSAGES: ReadonlyMap<string, Alert> = new Map([
  ["msg message", "note"],
  ["msg alert", "warning"],
  ["note info", "note"],
  ["note warn", "warning"],
  ["note alert", "caution"],
  ["box infomessage", "note"],
  ["box successmessage", "tip"],
  ["box warningmessage", "warning"],
  ["box errormessage", "caution"],
]);

/** The kinds of the boxes of Nextra and Help Scout by the colour behind them. */
const OF_COLOUR: ReadonlyMap<string, Alert> = new Map([
  ["green", "tip"],
  ["orange", "tip"],
  ["purple", "important"],
  ["yellow", "warning"],
  ["red", "caution"],
]);
const COLOUR = /(?:^|[\s:])bg-([a-z]+)-\d|^callout-([a-z]+)/;

function isDocBookBox({ children }: ElementNode): boolean {
  const first = children.slice(0, 3).find((child) => child.kind === "element");
  if (first === undefined) return false;
  return isHeadingTag(first.tag) ? classOf(first) === "title" : first.tag === "table" && holdsSign(first);
}

/** Whether the first cell of a table holds the icon of a hint or warning. */
function holdsSign(table: ElementNode): boolean {
  const cell = findElement(table, ({ tag }) => tag === "td" || tag === "th");
  if (cell === undefined) return false;
  return classOf(cell) === "icon" || findElement(cell, ({ tag }) => tag === "img") !== undefined;
}

/** Whether a table only sets the icon of a box beside its text. */
export function isHintTable(table: ElementNode): boolean {
  return table.parent !== null && isAside(table.parent) && holdsSign(table);
}

/** The kind of a box, from the first of its class names that states one. */
export function readAlert(aside: ElementNode): Alert {
  const names = classOf(aside);
  const kind =
    aside.attributes.get("data-callout-type") ??
    aside.attributes.get("data-panel-type") ??
    KIND.exec(names.replace(/^note(?= )/, ""))?.[1];
  const colour = /^(?:nextra-)?callout/.test(names) ? COLOUR.exec(names) : null;
  if (colour !== null) return OF_COLOUR.get(colour[1] ?? colour[2] ?? "") ?? "note";
  return MESSAGES.get(names) ?? ALERT_OF.get(kind?.toLowerCase() ?? "") ?? "note";
}

/** Whether an element is the title of such a box. */
export function isAsideTitle(element: ElementNode): boolean {
  const { tag, parent } = element;
  if (tag !== "div" && tag !== "p") return false;
  const names = classOf(element);
  // Asciidoctor sets the title in the cell of the icon.
  const isInIcon = names === "title" && parent?.tag === "td" && classOf(parent) === "icon";
  const isInMacro = names === "title" && parent !== null && MACRO.test(classOf(parent));
  return isInIcon || isInMacro || ASIDE_TITLE.test(names);
}

/**
 * Whether a block is a pull quote or a quote of a forum. A `figure` is left out, because it holds its quote as an
 * element.
 */
export function isQuote(element: ElementNode): boolean {
  const { tag } = element;
  if (tag !== "div" && tag !== "aside") return false;
  const names = classOf(element);
  return PULLED.test(names) || QUOTED.test(names);
}

/** Code boxes of Crayon, a highlighter for WordPress, and of its successor Urvanov. */
export const CRAYON: ReadonlySet<string> = new Set(["crayon-pre", "urvanov-syntax-highlighter-pre"]);

/** Inline styles of code: a style of Evernote, or a font in which spaces and line breaks of the source are drawn. */
const CODE_STYLE = /(?:^|[;\s])-{1,2}en-codeblock\s*:\s*true/i;
const MONOSPACE = /(?:^|[;\s])font(?:-family)?\s*:[^;]*monospace/i;
const SPACES_KEPT = /(?:^|[;\s])white-space\s*:\s*pre\s*(?:;|!|$)/i;

/** The class names of a box of code in Confluence Cloud, and in the editor of Naver. */
export const CODE_BLOCK = /^(?:code-block(?: css-|$)|__se_code_view(?: |$))/;

/** Lines of code that are looked at. */
const MAX_LINES = 50;

function isLineOfVsCode(node: TreeNode): boolean {
  return node.kind === "element" && (node.tag === "div" || node.tag === "br");
}

/**
 * Whether the inline style of a box says that it is code: in notes of Evernote, and in code that is copied from VS Code,
 * which has a colour behind it and nothing but a block for each line. Plain texts are also in such a font.
 */
export function isCodeByStyle(box: ElementNode): boolean {
  if (!box.attributes.has("style")) return false;
  const style = styleOf(box);
  if (CODE_STYLE.test(style)) return true;
  const isStyled =
    MONOSPACE.test(style) && SPACES_KEPT.test(style) && /background(?:-color)?\s*:/i.test(style);
  return isStyled && box.children.slice(0, MAX_LINES).every(isLineOfVsCode);
}

/**
 * A box of code with one block for each line: of SyntaxHighlighter and Crayon, beside a cell with line numbers, of
 * Discuz, and of Doxygen, which uses the class "fragment" for other content as well. Also code of Confluence Cloud and Naver.
 */
export function isCodeBox(box: ElementNode): boolean {
  const { tag, attributes, parent, children } = box;
  if (tag !== "div" || attributes.size === 0) return false;
  if (isCodeByStyle(box)) return true;
  const names = attributes.get("class");
  if (names === "container") return parent?.tag === "td" && parent.attributes.get("class") === "code";
  if (names === "fragment") return children.some(isCodeLine);
  if (names !== undefined && CODE_BLOCK.test(names)) return names.startsWith("__") || isCodeInSpan(children);
  // Discuz has an ordered list in it.
  if (names === "blockcode") return true;
  return names !== undefined && CRAYON.has(names);
}

/** Whether a box of Confluence Cloud holds a `span` with code, and no `pre`. */
function isCodeInSpan([span, other]: ElementNode["children"]): boolean {
  if (span?.kind !== "element" || span.tag !== "span" || other !== undefined) return false;
  return span.children.some((node) => node.kind === "element" && node.tag === "code");
}

/** Lists of definitions that hold code of phpBB 3.0 or DokuWiki under its name, or attachments of phpBB. */
const NO_LISTS: ReadonlySet<string> = new Set(["codebox", "code", "file", "thumbnail", "attachbox"]);

/** Whether a list of definitions is code or an attachment, or a box, whose term is the title. */
export function isNoList(list: ElementNode | null): boolean {
  return list?.tag === "dl" && (NO_LISTS.has(list.attributes.get("class") ?? "") || isAside(list));
}

function isCodeLine(node: TreeNode): boolean {
  return node.kind === "element" && /^line(?:$| )/.test(node.attributes.get("class") ?? "");
}

/** Whether a table cell holds one line of code: the CSS of GitHub and Gitea keeps the spaces in these cells. */
export function isCodeCell({ attributes }: ElementNode): boolean {
  const names = attributes.size === 0 ? undefined : attributes.get("class");
  return names !== undefined && /(?:^|\s)(?:blob-code|lines-code)(?:$|\s)/.test(names);
}

/** Whether a table holds display formulas: LaTeXML and PubMed Central set them and their numbers in tables. */
export function isEquation(table: ElementNode): boolean {
  return /(?:^|\s)(?:ltx_eqn_table|ltx_equation|ltx_equationgroup|disp-formula)(?:$|\s)/.test(classOf(table));
}

/**
 * Class names that Sphinx, Javadoc, Doxygen ("memproto"), pdoc ("attr"), ExDoc, RDoc, TypeDoc and Scaladoc give to a
 * signature: a name with its parameters.
 */
const SIGNATURE =
  /(?:^|\s)sig(?:$|\s)|^(?:(?:member|type)-signature|memproto|attr (?:class|function|variable)|summary-signature|method-heading(?: attribute-method-heading)?)$|^tsd-signature(?:$|\s)|^signature mono/;
/** Class names of headings that are signatures, in rustdoc, YARD and Scaladoc. */
const SIGNATURE_HEADING = /^(?:code-header|signature(?: first)?) ?$/;
/** Class names of all signatures. */
export const SIGNATURES = new RegExp(`${SIGNATURE.source}|${SIGNATURE_HEADING.source}`);

/** Whether an element is a signature: a term, box or heading with a name and its parameters. */
export function isSignature(element: ElementNode): boolean {
  const { tag } = element;
  if (isHeadingTag(tag)) return SIGNATURE_HEADING.test(classOf(element));
  return (tag === "dt" || tag === "div") && SIGNATURE.test(classOf(element));
}

/** Whether a table is a signature of Doxygen, which has a cell for each part of it. */
export function isSignatureTable({ tag, attributes, parent }: ElementNode): boolean {
  if (tag !== "table") return false;
  const names = attributes.get("class");
  return (names === "memname" || names === "mlabels") && parent?.attributes.get("class") === "memproto";
}

/**
 * Reads the state of a task from its checkbox; undefined for checkboxes that readers tick, as of ingredients and
 * filters.
 */
export function readTask(input: ElementNode): "done" | "open" | undefined {
  const { attributes } = input;
  if (attributes.get("type")?.toLowerCase() !== "checkbox") return undefined;
  const isShown = attributes.has("disabled") || /(?:^|[\s_-])task/i.test(classOf(input));
  if (!isShown) return undefined;
  return attributes.has("checked") ? "done" : "open";
}

/** The style of a task in Evernote. */
const EVERNOTE_TASK = /(?:^|[;\s])--en-checked\s*:\s*(true|false)/;

/** The class names of checkboxes in Notion. */
export const TASK_CLASS = /(?:^|\s)checkbox-(on|off)(?:$|\s)/;

/** Reads the state of a task in Confluence and Evernote, which draw the checkboxes of their task lists by CSS. */
export function readListedTask(item: ElementNode): "done" | "open" | undefined {
  const { parent, attributes } = item;
  const state = attributes.has("style") ? EVERNOTE_TASK.exec(styleOf(item))?.[1] : undefined;
  if (state !== undefined) return state === "true" ? "done" : "open";
  if (parent?.tag !== "ul" || parent.attributes.get("class") !== "inline-task-list") return undefined;
  return attributes.get("class") === "checked" ? "done" : "open";
}

/** Reads the state of a task in Notion from its empty checkbox. */
export function readNamedTask(element: ElementNode): "done" | "open" | undefined {
  const state = element.children.length === 0 ? TASK_CLASS.exec(classOf(element))?.[1] : undefined;
  return state === undefined ? undefined : state === "on" ? "done" : "open";
}
