/** Document ids into file names that are safe on every file system. */

/** The characters that a name keeps, extension and number left out: four bytes each still fit the 255 that file systems allow. */
const LAST_CHARS = /.{0,60}$/su;
const RESERVED = /^(con|prn|aux|nul|com\d|lpt\d)$/i;

/**
 * A function that gives each id a name of its own: letters, digits, dots and dashes, no leading dot, never a
 * path. Ids that would share a name get -2, -3 … in the order they come, ignoring case.
 */
export function createNamer(extension: string): (id: string) => string {
  /** For each name taken, in lower case, the next number to try when it is wanted again. */
  const taken = new Map<string, number>();
  return (id) => {
    const base = toName(id);
    let name = base;
    for (let copy = taken.get(base.toLowerCase()) ?? 1; taken.has(name.toLowerCase()); copy += 1) {
      name = `${base}-${copy}`;
      taken.set(base.toLowerCase(), copy + 1);
    }
    taken.set(name.toLowerCase(), 2);
    return `${name}${extension}`;
  };
}

function toName(id: string): string {
  const safe = id
    .normalize("NFC")
    .replace(/^[a-z]+:\/\//i, "")
    .replace(/\.(html?|xhtml|txt)(\.gz)?$/i, "")
    .replace(/[^\p{L}\p{N}\p{M}._-]+/gu, "_")
    .replace(/^[._-]+|[._-]+$/g, "");
  const short = (LAST_CHARS.exec(safe)?.[0] ?? "").replace(/^[._-]+/, "");
  return short === "" || RESERVED.test(short) ? `page_${short}` : short;
}
