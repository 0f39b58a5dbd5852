/** Charsets that chardet does not know, told by how their letters stand beside each other. */

/** The characters above ASCII of DOS in Western and in Central Europe, which the standard lacks. */
export const DOS: ReadonlyMap<string, string> = new Map([
  [
    "IBM850",
    "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐" +
      "└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0",
  ],
  [
    "IBM852",
    "ÇüéâäůćçłëŐőîŹÄĆÉĹĺôöĽľŚśÖÜŤťŁ×čáíóúĄąŽžĘę¬źČş«»░▒▓│┤ÁÂĚŞ╣║╗╝Żż┐" +
      "└┴┬├─┼Ăă╚╔╩╦╠═╬¤đĐĎËďŇÍÎě┘┌█▄ŢŮ▀ÓßÔŃńňŠšŔÚŕŰýÝţ´\u00ad˝˛ˇ˘§÷¸°¨˙űŘř■\u00a0",
  ],
]);

/** Charsets that chardet does not know. */
const MISSED = ["KOI8-U", "macintosh", "IBM866", "x-mac-cyrillic", "IBM850", "IBM852"];

/**
 * Finds a charset that chardet misses, if in it at most a quarter as many characters are strange as in the guess. Old
 * Western text often passes for Shift_JIS or GBK, in which an umlaut swallows the next letter; windows-1252 keeps all.
 *
 * @param decode - Reads a sample of the page in a charset.
 * @param isWide - Whether the guess has characters of several bytes.
 */
export function findMissed(
  decode: (name: string) => string,
  guess: string,
  isWide: boolean,
): string | undefined {
  const read = (name: string): Letters => countLetters(decode(name));
  const guessed = read(guess);
  if (guessed.strange < Math.max(2, isWide ? guessed.above / 4 : 0)) return undefined;
  const [best] = (isWide ? ["windows-1252", ...MISSED] : MISSED)
    .map((name) => ({ name, ...read(name) }))
    .filter(({ plain, above }) => plain >= 0.6 * above)
    .sort((a, b) => a.strange - b.strange || a.capitals - b.capitals);
  return best !== undefined && best.strange * 4 <= guessed.strange ? best.name : undefined;
}

/** Symbols and opening quotes above ASCII, which text has neither inside a word nor in rows. */
const SYMBOL = "(?![\\0-\\x7f])[\\p{S}\\p{Ps}\\p{Pi}\\p{No}†‡‰§¶¿¡]";
const CJK = "[\\p{scx=Han}\\p{scx=Hiragana}\\p{scx=Katakana}\\p{scx=Hangul}\\p{Co}\\uff00-\\uffef]";
/**
 * A capital after a small letter, a symbol inside a word, a control character, Latin beside Cyrillic, a single
 * Chinese, Japanese or Korean character beside a Latin letter.
 */
const STRANGE = new RegExp(
  [
    "(?![a-z][A-Z])\\p{Ll}(?=\\p{Lu})",
    `(?<=\\p{L}|${SYMBOL})${SYMBOL}(?=\\p{L}|${SYMBOL})`,
    "[\\x80-\\x9f]",
    "\\p{sc=Latin}(?=\\p{sc=Cyrillic})|\\p{sc=Cyrillic}(?=\\p{sc=Latin})",
    `(?<=[a-z])${CJK}(?!${CJK})`,
    `(?<!${CJK})${CJK}(?=[a-z])`,
  ].join("|"),
  "gu",
);
const PLAIN = /(?![\0-\x7f])[\p{L}\p{M}\u00a0‘’“”–—…«»„°]/gu;

interface Letters {
  readonly above: number;
  readonly plain: number;
  readonly capitals: number;
  readonly strange: number;
}

/** Counts the characters above ASCII, and the letters and usual marks, the capitals and the strange ones among them. */
function countLetters(text: string): Letters {
  const count = (pattern: RegExp): number => text.match(pattern)?.length ?? 0;
  return {
    above: count(/[^\0-\x7f]/gu),
    plain: count(PLAIN),
    capitals: count(/(?![A-Z])\p{Lu}/gu),
    strange: count(STRANGE),
  };
}
