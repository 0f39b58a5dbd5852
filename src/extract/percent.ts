/** Decodes the percent-encoding of a part of an address (RFC 3986, section 2.1). */

/** The part as it is where its escapes are no UTF-8. */
export function decodePercent(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch (error) {
    if (!(error instanceof URIError)) throw error;
    return part;
  }
}
