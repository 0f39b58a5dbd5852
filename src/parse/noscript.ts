/** A page into the page that a reader without scripts sees, with every other character where it was. */

/** As long as the tag's own name, so that positions in the source stay. A division is what browsers draw it as. */
const OPENED = "div     ";
const TAG = /(<\/?)noscript(?=[\s/>])/gi;

/** Forums and shops that draw themselves with scripts put what they say into `noscript`. Undefined where there is none. */
export function openNoscript(html: string): string | undefined {
  const opened = html.replace(TAG, `$1${OPENED}`);
  return opened === html ? undefined : opened;
}
