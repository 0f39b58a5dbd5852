/** Parses pages with linkedom, as users of the rivals do. */
import { parseHTML } from "linkedom";
import { parse, serialize } from "parse5";

/**
 * Returns the document of a page. If a page leaves out the tags `html` and `body`, linkedom does not add the elements,
 * and rivals fail that would work in a browser, so a standard parser adds them first.
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
