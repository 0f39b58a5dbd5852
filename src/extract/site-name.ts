/** A title with the site's name at one end into the title alone. */

const SEPARATOR = "\\s*(?:[|•·»«:_–—]|::|(?<=\\s)-(?=\\s)|(?<=[^\\w\\s])-)\\s*";
const SEPARATOR_AT_END = new RegExp(`${SEPARATOR}$`, "iu");
const SEPARATOR_HERE = new RegExp(SEPARATOR, "iuy");

/** Cuts the site's name, and what parts it from the title, off either end. */
export function cutSite(title: string, site: string | undefined): string {
  if (site === undefined) return title;
  const cut = cutStart(cutEnd(title, site), site);
  return cut === "" ? title : cut;
}

function cutEnd(title: string, site: string): string {
  const end = title.length - site.length;
  if (end < 0 || !isSameName(title.slice(end), site)) return title;
  const separator = SEPARATOR_AT_END.exec(title.slice(0, end));
  return separator === null ? title : title.slice(0, separator.index);
}

function cutStart(title: string, site: string): string {
  if (!isSameName(title.slice(0, site.length), site)) return title;
  SEPARATOR_HERE.lastIndex = site.length;
  return SEPARATOR_HERE.test(title) ? title.slice(SEPARATOR_HERE.lastIndex) : title;
}

/** Whether two names of one length differ in case at most. */
function isSameName(a: string, b: string): boolean {
  if (a === b) return true;
  for (let index = 0; index < b.length; index += 1) {
    const one = a.charAt(index);
    const other = b.charAt(index);
    if (
      one !== other &&
      one.toLowerCase() !== other.toLowerCase() &&
      one.toUpperCase() !== other.toUpperCase()
    )
      return false;
  }
  // Only an expression folds case as Unicode says, and making one costs more than reading a small page.
  return new RegExp(`^${b.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&")}$`, "iu").test(a);
}
