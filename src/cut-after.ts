/** Cuts texts to a length without cutting a character in two. */

/** Returns the first `most` UTF-16 code units of a text, or one fewer where the last one is half of a surrogate pair. */
export function cutAfter(text: string, most: number): string {
  if (text.length <= most) return text;
  const last = text.charCodeAt(most - 1);
  return text.slice(0, last >= 0xd800 && last < 0xdc00 ? most - 1 : most);
}
