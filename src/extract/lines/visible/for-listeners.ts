/**
 * Finds words in a text that only screen readers read out, while sighted readers see the same or other words beside
 * them.
 */
import type { ElementNode, TreeNode } from "../../../document/tree.js";
import { isBlankText } from "../../around.js";
import { classOf, styleOf } from "../../bounded-attributes.js";
import { HIDDEN } from "../line-tags.js";
import { ANCHOR_CLASS } from "./anchor-sign.js";
import { smallTextOf } from "./small-text.js";

/**
 * Class names for text that only screen readers read out: of Bootstrap, WordPress, XenForo, Foundation, Drupal, the
 * USWDS, Stack Exchange and Amazon.
 */
const LISTENERS =
  /(?:^|\s)(?:\w+-){0,3}(?:sr-?only|screen-?reader(?:-text|-only)?|visually-?hidden|show-for-sr|visible-sr|element-invisible|assistive-text|a-offscreen)(?=\s|$)/i;
/** A style that clips an element to nothing, as React's libraries write it in place of a class name, and Reuters. */
const CLIPPED = /\bclip(?:-path\s*:\s*inset\(50%\)|\s*:\s*rect\((?:\s*[01](?:px)?\s*,?){4}\))/i;
/** Words that say how a link opens, in English and in other languages. */
const NEW_WINDOW = new RegExp(
  "\\bopens? (?:in )?(?:a )?new (?:window|tab)|" +
    "(?:nouvelle fenêtre|nouvel onglet|neue[mns]? (?:fenster|tab|registerkarte)|nueva (?:ventana|pestaña)|nova (?:janela|aba|guia)|nuova (?:finestra|scheda)|" +
    "nieuwe? (?:venster|tab|tabblad)|nytt (?:fönster|vindu)|nyt vindue|ny (?:flik|fane)|uu(?:teen|dessa) (?:ikkuna\\p{L}*|välileh\\p{L}*)|nov[éo]m okn[eě]|now(?:ym oknie|ej karcie)|" +
    "нов(?:ом окне|ой вкладке|ому вікні)|új ablak\\p{L}*|yeni (?:pencere|sekme)\\p{L}*|νέο παράθυρο)(?!\\p{L})|新しい(?:ウィンドウ|タブ)|新(?:窗口|視窗|标签|分頁)|새 ?(?:창|탭)|نافذة جديدة",
  "iu",
);
/** Nodes beside an element, and in it, that are read. */
const MAX_BESIDE = 20;
/** A parent with more children is not searched: it is not part of a text. */
const MAX_SIBLINGS = 2_000;
/** Words that are repeated are no longer than this. */
const WORDS = { maxText: 200, maxNodes: 20 };

/** Checks whether a class attribute says that only screen readers read a text out. */
export function isForScreenReaders(names: string): boolean {
  return LISTENERS.test(names);
}

/**
 * Checks whether a span is only for screen readers. It either goes on with the text around it and has a visible twin
 * that is not read out: "8<span class=sr-only> minutes</span> <span aria-hidden=true>min</span>"; or it repeats what is
 * beside it; or it says how a link opens. Other text for screen readers is judged as a line. `names` is the class
 * attribute, or "".
 */
export function isForListeners(element: ElementNode, names: string): boolean {
  const { parent } = element;
  if (parent === null) return false;
  if (!isForScreenReaders(names) && !CLIPPED.test(styleOf(element))) return false;
  if (element.children.some((node) => node.kind === "text" && NEW_WINDOW.test(node.value))) return true;
  // A link to a heading names it again: "Section titled …".
  if (parent.tag === "a" && ANCHOR_CLASS.test(classOf(parent)) && leadsIntoPage(parent)) return true;
  // Publishers of papers link an icon beside a name: "View ORCID Profile".
  if (parent.tag === "a" && /^https?:\/\/orcid\.org\//.test(parent.attributes.get("href") ?? "")) return true;
  // Recipes by WP Recipe Maker have the symbol of a checkbox.
  if (element.children.every((node) => node.kind === "text" && /^[\s\p{S}]*$/u.test(node.value))) return true;
  // Quarto draws an icon for the kind of a box.
  if (/^callout-title-container(?:$|\s)/.test(classOf(parent))) return true;
  // Starlight's caption of code without a title: "Terminal window".
  if (parent.tag === "figcaption" && !parent.children.some((node) => node !== element && isDrawn(node)))
    return true;
  if (isSaidBeside(element, parent)) return true;
  const isInText = parent.children
    .slice(0, MAX_BESIDE)
    .some((node) => node.kind === "text" && /\S/.test(node.value));
  if (!isInText) return false;
  return (
    hasMuteText(parent, element) ||
    (parent.tag === "span" && parent.parent !== null && hasMuteText(parent.parent, parent))
  );
}

function leadsIntoPage({ attributes }: ElementNode): boolean {
  return /^#./.test(attributes.get("href") ?? "");
}

/** Checks whether another child than `besides` is drawn, but not read out, and has text of its own. */
function hasMuteText({ children }: ElementNode, besides: ElementNode): boolean {
  if (children.length > MAX_SIBLINGS) return false;
  const at = children.indexOf(besides);
  return children
    .slice(Math.max(0, at - MAX_BESIDE), at + MAX_BESIDE)
    .some(
      (node) =>
        node.kind === "element" &&
        node !== besides &&
        isMute(node) &&
        node.children
          .slice(0, MAX_BESIDE)
          .some((child) => child.kind === "text" && /[\p{L}\p{N}]/u.test(child.value)),
    );
}

function isMute({ tag, attributes }: ElementNode): boolean {
  return attributes.get("aria-hidden") === "true" && !HIDDEN.has(tag);
}

/**
 * Checks whether what is right before or after an element shows its words: "24 <span class=sr-only>24 badges</span>".
 */
function isSaidBeside(element: ElementNode, { children }: ElementNode): boolean {
  if (children.length > MAX_SIBLINGS) return false;
  const words = wordsOf(smallTextOf(element, WORDS));
  if (words === "") return false;
  const at = children.indexOf(element);
  const before = children
    .slice(Math.max(0, at - MAX_BESIDE), at)
    .filter(isDrawn)
    .reverse();
  const behind = children.slice(at + 1, at + MAX_BESIDE).filter(isDrawn);
  if (isSaidBy(before[0], words, "before") || isSaidBy(behind[0], words, "behind")) return true;
  const muteBefore = wordsOf(muteText(before).reverse().join(""));
  return (
    muteBefore === words ||
    wordsOf(muteText(behind).join("")) === words ||
    (muteBefore.includes(" ") && holdsInOrder(words, muteBefore))
  );
}

/** Checks whether words have other words in the same order: "Price range: $20 through $30" has "$20 – $30". */
function holdsInOrder(words: string, others: string): boolean {
  let at = 0;
  const wanted = others.split(" ");
  for (const word of words.split(" ")) if (word === wanted[at]) at += 1;
  return at === wanted.length;
}

/** Returns the texts of the first nodes up to one that is read out. */
function muteText(nodes: readonly TreeNode[]): string[] {
  const texts: string[] = [];
  for (const node of nodes) {
    if (node.kind === "text" || !isMute(node)) break;
    texts.push(smallTextOf(node, WORDS));
  }
  return texts;
}

function isDrawn(node: TreeNode): boolean {
  return node.kind === "text" ? !isBlankText(node) : !HIDDEN.has(node.tag) && node.children.length > 0;
}

function isSaidBy(node: TreeNode | undefined, words: string, side: "before" | "behind"): boolean {
  if (node === undefined) return false;
  if (node.kind === "text") {
    const near = side === "before" ? node.value.slice(-WORDS.maxText) : node.value.slice(0, WORDS.maxText);
    const [first = ""] = words.split(" ", 1);
    if (!near.toLowerCase().includes(first)) return false;
    const text = ` ${wordsOf(near)} `;
    return side === "before" ? text.endsWith(` ${words} `) : text.startsWith(` ${words} `);
  }
  const shown = wordsOf(smallTextOf(node, WORDS));
  if (shown === words || shown === "") return shown === words;
  return isMute(node) && (words.startsWith(`${shown} `) || words.endsWith(` ${shown}`));
}

/** Returns the letters and digits of a text in lower case, with a space between words, and between "kr" and "10". */
function wordsOf(text: string): string {
  const lower = text.toLowerCase();
  const parted = /\p{N}/u.test(lower)
    ? lower.replace(/(?<=\p{L})(?=\p{N})|(?<=\p{N})(?=\p{L})/gu, " ")
    : lower;
  return parted.replace(/[^\p{L}\p{M}\p{N}]+/gu, " ").trim();
}
