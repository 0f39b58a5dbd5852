/** A title with the names of site and section at its ends into the title alone. */

const SEPARATOR = "\\s*(?:[|•·»«:_–—]|::|(?<=\\s)-(?=\\s)|(?<=[^\\w\\s])-)\\s*";
const SEPARATOR_AT_END = new RegExp(`${SEPARATOR}$`, "iu");
const SEPARATOR_HERE = new RegExp(SEPARATOR, "iuy");

/** Sections of a site are parted as a path is, too. */
const SECTION_SEPARATOR = `(?:${SEPARATOR}|\\s+[/>\\\\]\\s+)`;
const SECTION_AT_END = new RegExp(`${SECTION_SEPARATOR}$`, "iu");
const SECTION_HERE = new RegExp(SECTION_SEPARATOR, "iuy");

/**
 * Where a title begins or ends with the page's own heading, that is the title. A heading much shorter than the rest may
 * be the logo of the site, and then the rest is the title.
 */
export function cutToHeading(title: string, heading: string): string {
  const { length } = heading;
  if (length >= title.length || length * 2 < title.length) return title;
  const isHeading = (part: string): boolean => part.toLowerCase() === heading.toLowerCase();
  SECTION_HERE.lastIndex = length;
  if (isHeading(title.slice(0, length)) && SECTION_HERE.test(title)) return title.slice(0, length);
  const start = title.length - length;
  return isHeading(title.slice(start)) && SECTION_AT_END.test(title.slice(0, start))
    ? title.slice(start)
    : title;
}

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
