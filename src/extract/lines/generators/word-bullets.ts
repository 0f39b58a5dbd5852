/**
 * Reads list items that Word exports as paragraphs, each with its bullet in a span that other programs should ignore.
 */
import type { ElementNode } from "../../../document/tree.js";
import { isBlankText } from "../../around.js";
import { classOf, styleOf } from "../../bounded-attributes.js";

/** An item that begins with a bullet. */
export interface Bullet {
  /** The nesting level of its list, from 1 on. */
  readonly level: number;
  /** The element that holds the bullet and the spaces after it. */
  readonly mark: ElementNode;
}

const ITEM_CLASS = /^MsoList/;
const LEVEL = /mso-list:\s*\S+\s+level(\d)/i;
const IGNORED = /mso-list:\s*Ignore/i;
/** Fonts that have bullets in place of letters, and the font of the second level's "o". */
const BULLET_FONT = /font-family:\s*["']?(?:Symbol|Wingdings|Webdings|Courier New)/i;
/** The character of a bullet: not a digit, and no letter but "o". */
const BULLET = /^(?:[^\p{L}\p{N}\s]|o)$/u;
/** The most spans around a bullet that are searched. */
const MAX_STEPS = 4;

/**
 * Returns the bullet of an item; undefined for any other element. Numbered items keep their numbers in the text and
 * stay paragraphs.
 */
export function readBullet(element: ElementNode): Bullet | undefined {
  if (element.tag !== "p" || element.attributes.size === 0 || !ITEM_CLASS.test(classOf(element)))
    return undefined;
  let open = element;
  for (let step = 0; step < MAX_STEPS; step += 1) {
    const first = open.children.find((child) => !isBlankText(child));
    if (first?.kind !== "element" || first.tag !== "span") return undefined;
    open = first;
    const style = styleOf(open);
    if ((IGNORED.test(style) || BULLET_FONT.test(style)) && BULLET.test(ownText(open)))
      return { level: Number(LEVEL.exec(styleOf(element))?.[1] ?? 1), mark: open };
  }
  return undefined;
}

function ownText({ children: [first] }: ElementNode): string {
  return first?.kind === "text" ? first.value.trim() : "";
}
