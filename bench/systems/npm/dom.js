/** A page as linkedom reads it, as users of the rivals do. The rivals' door of linkedom. */
import { parseHTML } from "linkedom";
import { parse, serialize } from "parse5";

/**
 * linkedom makes no `html` and `body` where a page leaves out their tags, and rivals fail there that would not in a
 * browser: such a page is laid out by the standard's parser first.
 *
 * @param {string} html
 */
export function parsePage(html) {
  const { document } = parseHTML(html);
  return isWhole(document) ? document : parseHTML(serialize(parse(html))).document;
}

function isWhole({ documentElement: root }) {
  return root?.tagName === "HTML" && [...root.children].some(({ tagName }) => tagName === "BODY");
}
