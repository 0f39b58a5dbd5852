/** Finds the licence of a page in the links of its footer, as most pages do not mark the link as that of the licence. */
import type { ElementNode } from "../../document/tree.js";
import { isOrIsIn } from "../around.js";
import { namesOf } from "./dates/date-places.js";

/** The number of elements around a link that are checked. */
const MAX_STEPS = 8;

/** A licence of Creative Commons with its version: "licenses/by-sa/4.0". */
const LICENSE = /creativecommons\.org\/((?:licenses|publicdomain)\/[a-z][a-z+-]*(?:\/\d\.\d)?)/i;

/** Parts of class names and ids of elements that hold the licence of the whole page. */
const FOOT = /foot(?!note)|copyright|licen[sc]e/i;

/** The address of the only licence that the footer, or a note on copyright, links to. Captions name that of a picture. */
export function findLicense(links: readonly ElementNode[]): string | undefined {
  const found = new Map<string, string>();
  for (const link of links) {
    const href = link.attributes.get("href") ?? "";
    const license = LICENSE.exec(href)?.[1]?.toLowerCase();
    if (license !== undefined && !found.has(license) && isInFoot(link)) found.set(license, href);
  }
  const [only, other] = found.values();
  return other === undefined ? only : undefined;
}

function isInFoot({ parent }: ElementNode): boolean {
  const isFoot = (open: ElementNode): boolean =>
    open.tag !== "body" && (open.tag.includes("footer") || FOOT.test(namesOf(open)));
  const isCaption = ({ tag }: ElementNode): boolean => tag === "figure" || tag === "figcaption";
  return isOrIsIn(parent, isFoot, MAX_STEPS) && !isOrIsIn(parent, isCaption, MAX_STEPS);
}
