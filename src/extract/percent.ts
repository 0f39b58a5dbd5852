/** Decodes the percent-encoding of a part of a URL (RFC 3986, section 2.1). */

/** Returns the part unchanged if its escapes are not UTF-8. */
export function decodePercent(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch (error) {
    if (!(error instanceof URIError)) throw error;
    return part;
  }
}
