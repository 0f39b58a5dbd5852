/**
 * Decodes the bytes of a page into text, by BOM, header, meta, strict UTF-8, then a guess. The only file that imports
 * the charset libraries: Node 20's own TextDecoder turns the curly quotes and the euro of windows-1252 into control
 * characters.
 */
import { TextDecoder, isomorphicDecode, labelToName } from "@exodus/bytes/encoding.js";
import { analyse } from "chardet";
import sniffEncoding from "html-encoding-sniffer";
import { inFours } from "../bytes/fours.js";
import { findUtf16Mark, guessUtf16 } from "../bytes/utf16.js";
import { DOS, findMissed } from "./missed-charsets.js";

/** Bytes in which a `<meta>` or an XML declaration is searched; browsers also read on past their first 1024. */
const META_WINDOW = 65_536;
/** The sniffer reads no further than this from where it starts. */
const SNIFFER_WINDOW = 1024;
/** Bytes of markup and bytes of text that a guess may look at; chardet is slow and needs little. */
const GUESS_WINDOW = 1 << 20;
const GUESS_TEXT = 65_536;
/** Bytes that show whether a page without BOM is UTF-16. */
const WIDE_SAMPLE = 4096;
/** Damaged UTF-8 is still UTF-8 if there are so many good characters above ASCII for each bad place. */
const GOOD_PER_BAD_DECLARED = 2;
const GOOD_PER_BAD_FOUND = 10;
/** A legacy charset fits if at most one in so many characters above ASCII is undecodable. */
const LEGACY_PER_BAD = 30;
/** chardet gives 0..100; below this windows-1252 is the better guess. */
const MIN_CONFIDENCE = 5;

/** A page in text; `charset` is the name in the WHATWG Encoding Standard, or IBM850 or IBM852. */
export interface DecodedPage {
  readonly text: string;
  readonly charset: string;
  /**
   * `charset-lied`: the declared charset is not the real one; `charset-guessed`: no charset was declared and the page
   * is not UTF-8; `charset-errors`: U+FFFD replaces bytes that do not decode; `charset-unsupported`: the standard
   * forbids decoding the declared charset.
   */
  readonly notes: readonly string[];
}

interface Utf8Reading {
  readonly text: string;
  /**
   * Well-formed characters above ASCII (just 1 for any number if nothing is bad), and places that are not well-formed.
   */
  readonly good: number;
  readonly bad: number;
  /** Whether the last character is cut in the middle; it counts as bad. */
  readonly isCut: boolean;
}

/** Decodes a page; never fails. `contentType` is the header as the server sent it. */
export function decodePage(bytes: Uint8Array, contentType?: string): DecodedPage {
  const marked = findMark(bytes);
  if (marked?.startsWith("UTF-16")) return finish(marked, decode(bytes, marked), []);
  const declared = marked === undefined ? declaredCharsets(bytes, contentType) : [marked];
  const wide = findWide(bytes);
  if (wide !== undefined) {
    // A meta is read as ASCII, so in UTF-16 it must be wrong about itself; it says nothing here.
    const isLie = declared.length > 0 && !declared.includes(wide);
    return finish(wide, decode(bytes, wide), isLie ? ["charset-lied"] : []);
  }
  const utf8 = readUtf8(bytes);
  if (utf8.good === 0 && utf8.bad === 0 && hasJisEscapes(bytes))
    return decodeLegacy(bytes, ["ISO-2022-JP"], declared);
  if (isUtf8(utf8, declared[0])) {
    const isLie = declared.length > 0 && declared[0] !== "UTF-8";
    const lie = isLie ? ["charset-lied"] : [];
    // A U+FFFD in sound UTF-8 is the page's own.
    return { text: utf8.text, charset: "UTF-8", notes: utf8.bad > 0 ? [...lie, "charset-errors"] : lie };
  }
  return decodeLegacy(bytes, byLikelihood(bytes, declared), declared);
}

/**
 * Puts the likelier charset first. Many servers and editors declare their Latin default for every page, and all bytes
 * fit into that. So the letters decide if the page itself declares another charset, and if more letters are above ASCII
 * than in any language in Latin letters.
 */
function byLikelihood(bytes: Uint8Array, declared: readonly string[]): readonly string[] {
  const [header, page] = declared;
  if (header !== "windows-1252") return declared;
  if (page === undefined || page === "UTF-8")
    return isForeign(textBytes(bytes))
      ? [...guessCharsets(bytes).filter((name) => !LATIN.test(name)), ...declared]
      : declared;
  const guesses = guessCharsets(bytes);
  const likelier = guesses.find((name) => name === header || isKin(name, page));
  return likelier === undefined || likelier === header ? declared : [page, header];
}

/** Charsets for the same letters, which a guess cannot distinguish. */
const KIN: readonly ReadonlySet<string>[] = [
  new Set(["GBK", "gb18030"]),
  new Set(["KOI8-R", "KOI8-U"]),
  new Set(["windows-1250", "ISO-8859-2"]),
  new Set(["windows-1253", "ISO-8859-7"]),
  new Set(["windows-1255", "ISO-8859-8", "ISO-8859-8-I"]),
  new Set(["windows-1256", "ISO-8859-6"]),
];

function isKin(name: string, other: string): boolean {
  return name === other || KIN.some((names) => names.has(name) && names.has(other));
}

/**
 * The share of letters above ASCII, in percent, from which a text is not in Latin letters: French has four, Vietnamese
 * twenty.
 */
const FOREIGN = 40;
/** Fewer letters are too little text to decide. */
const MIN_LETTERS = 40;

function isForeign(text: Uint8Array): boolean {
  let above = 0;
  let letters = 0;
  for (const byte of text) {
    if (byte >= 0xc0) above += 1;
    if (byte >= 0xc0 || (byte >= 0x41 && byte <= 0x5a) || (byte >= 0x61 && byte <= 0x7a)) letters += 1;
  }
  return letters >= MIN_LETTERS && above * 100 >= letters * FOREIGN;
}

/** Has the letters of ISO-8859-8 in the same places, and also the vowels. */
const HEBREW = "windows-1255";

/** Tries the candidates, then a guess, and takes the first that fits; else the best of those that do not. */
function decodeLegacy(
  bytes: Uint8Array,
  candidates: readonly string[],
  declared: readonly string[],
): DecodedPage {
  if (candidates[0] === "replacement")
    return { text: "\uFFFD", charset: "replacement", notes: ["charset-unsupported"] };
  const note = (name: string): string[] =>
    name === declared[0] ? [] : [declared.length > 0 ? "charset-lied" : "charset-guessed"];
  let best: { readonly name: string; readonly text: string; readonly errors: number } | undefined;
  const withVowels = candidates.some((name) => name.startsWith("ISO-8859-8")) ? [HEBREW] : [];
  for (const name of [...candidates, ...withVowels, ...guessCharsets(bytes)]) {
    if (name === "UTF-8" || name === "replacement") continue;
    const text = decode(bytes, name);
    const { above, errors } = countAbove(text);
    if (errors * LEGACY_PER_BAD <= above) return finish(name, text, note(name));
    if (best === undefined || errors < best.errors) best = { name, text, errors };
  }
  if (best !== undefined && candidates.some((name) => name !== "UTF-8")) {
    return finish(best.name, best.text, note(best.name));
  }
  return finish("windows-1252", decode(bytes, "windows-1252"), note("windows-1252"));
}

function finish(charset: string, text: string, notes: readonly string[]): DecodedPage {
  return { text, charset, notes: text.includes("\uFFFD") ? [...notes, "charset-errors"] : notes };
}

function decode(bytes: Uint8Array, name: string): string {
  const letters = DOS.get(name);
  if (letters === undefined) return new TextDecoder(name).decode(bytes);
  return isomorphicDecode(bytes).replace(/[\x80-\xff]/g, (byte) => letters[byte.charCodeAt(0) - 0x80] ?? "");
}

/** Returns the charset that a byte order mark names. */
function findMark(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return "UTF-8";
  return findUtf16Mark(bytes);
}

/** Returns the charsets that the header and the page itself declare, strongest first; leaves out unknown labels. */
function declaredCharsets(bytes: Uint8Array, contentType: string | undefined): string[] {
  const label = /;\s*charset\s*=\s*(?:"([^"]*)"|'([^']*)'|([^;\s"']+))/i.exec(contentType ?? "");
  const header = labelToName(label?.[1] ?? label?.[2] ?? label?.[3] ?? "");
  const page = sniffMeta(bytes) ?? findLateMeta(bytes) ?? findXmlDeclaration(bytes);
  return [...new Set([header, page].filter((name) => name !== null && name !== undefined))];
}

function sniffMeta(bytes: Uint8Array): string | undefined {
  try {
    return sniffEncoding(bytes, { defaultEncoding: "" }) || undefined;
  } catch (error) {
    // The sniffer reads past the end of `content="… charset"` without a value; then that meta says nothing.
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

/** Finds a meta beyond the sniffer's window, as a browser's parser does; skips comments and scripts. */
function findLateMeta(bytes: Uint8Array): string | undefined {
  const head = isomorphicDecode(bytes.subarray(0, META_WINDOW));
  const opening = /<(?:!--|meta[\s/]|(script|style|title|textarea)\b)/gi;
  for (let found = opening.exec(head); found !== null; found = opening.exec(head)) {
    const element = found[1]?.toLowerCase();
    if (element === undefined && found[0] !== "<!--") {
      const name = sniffMeta(bytes.subarray(found.index, found.index + SNIFFER_WINDOW));
      if (name !== undefined) return name;
      continue;
    }
    const close = element === undefined ? /-->/g : new RegExp(`</${element}`, "gi");
    close.lastIndex = opening.lastIndex;
    if (!close.test(head)) return undefined;
    opening.lastIndex = close.lastIndex;
  }
  return undefined;
}

function findXmlDeclaration(bytes: Uint8Array): string | undefined {
  const head = isomorphicDecode(bytes.subarray(0, 256));
  const name = labelToName(/^\s*<\?xml\s[^>]*?encoding\s*=\s*["']([^"'>]+)["']/.exec(head)?.[1] ?? "");
  return name === null ? undefined : name.startsWith("UTF-16") ? "UTF-8" : name;
}

/** Detects UTF-16 without a BOM, by the zero bytes of its ASCII characters. */
function findWide(bytes: Uint8Array): "UTF-16LE" | "UTF-16BE" | undefined {
  const sample = bytes.subarray(0, Math.min(WIDE_SAMPLE, bytes.length & ~1));
  const name = guessUtf16(sample, 2);
  if (name === undefined) return undefined;
  // Numbers in binary data have the same zero bytes, but decode to control characters.
  const strange = decode(sample, name).match(/[\u0000-\u0008\u000e-\u001f\ufffd]/g)?.length ?? 0;
  return strange * 100 <= sample.length / 2 ? name : undefined;
}

function readUtf8(bytes: Uint8Array): Utf8Reading {
  // One page in five is ASCII, and copying it takes a fifth of the time of decoding.
  if (isAscii(bytes)) return { text: isomorphicDecode(bytes), good: 0, bad: 0, isCut: false };
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    // Characters above ASCII take more bytes than UTF-16 code units, so the lengths alone show whether there are any.
    const length = findMark(bytes) === undefined ? bytes.length : bytes.length - 3;
    return { text, good: text.length < length ? 1 : 0, bad: 0, isCut: false };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
  }
  const text = decode(bytes, "utf-8");
  const { above, replaced } = countAbove(text);
  // A U+FFFD that the page itself holds is well-formed.
  const own = isomorphicDecode(bytes).split("\u00ef\u00bf\u00bd").length - 1;
  const bad = Math.max(1, replaced - own);
  return { text, good: above - bad, bad, isCut: isCutUtf8(bytes) };
}

function isCutUtf8(bytes: Uint8Array): boolean {
  for (let back = 1; back <= 3; back += 1) {
    const byte = bytes.at(-back) ?? 0;
    if (byte >= 0xc2 && byte <= 0xf4) return back < (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2);
    if (byte < 0x80 || byte >= 0xc0) return false;
  }
  return false;
}

function isUtf8(reading: Utf8Reading, declared: string | undefined): boolean {
  const { text, good, bad, isCut } = reading;
  const badInside = isCut ? bad - 1 : bad;
  if (declared === undefined || declared === "UTF-8") {
    if (badInside === 0) return good > 0 || bad === 0 || declared === "UTF-8";
    return good >= badInside * (declared === undefined ? GOOD_PER_BAD_FOUND : GOOD_PER_BAD_DECLARED);
  }
  if (declared.startsWith("UTF-16")) return bad === 0;
  if (good === 0) return false;
  // Two bytes of GBK, Big5 or EUC-KR now and then look like one UTF-8 character, three bytes hardly ever do.
  if (MULTI_BYTE.has(declared)) return bad === 0 && /[\u0800-\uffff]/.test(text);
  return good >= badInside * GOOD_PER_BAD_FOUND;
}

const MULTI_BYTE: ReadonlySet<string> = new Set(["GBK", "gb18030", "Big5", "EUC-JP", "Shift_JIS", "EUC-KR"]);

/** Counts the characters above ASCII, the U+FFFD among them, and those that cannot be text: U+FFFD and C1 controls. */
function countAbove(text: string): {
  readonly above: number;
  readonly replaced: number;
  readonly errors: number;
} {
  let above = 0;
  let replaced = 0;
  let controls = 0;
  for (let i = 0; i < text.length; i += 1) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80 || (unit >= 0xdc00 && unit <= 0xdfff)) continue;
    above += 1;
    if (unit === 0xfffd) replaced += 1;
    else if (unit <= 0x9f) controls += 1;
  }
  return { above, replaced, errors: replaced + controls };
}

/** Detects ISO-2022-JP, which looks like ASCII, by its escape sequences for kanji. */
function hasJisEscapes(bytes: Uint8Array): boolean {
  for (let at = bytes.indexOf(0x1b); at !== -1; at = bytes.indexOf(0x1b, at + 1)) {
    if (bytes[at + 1] === 0x24 && (bytes[at + 2] === 0x40 || bytes[at + 2] === 0x42)) return true;
  }
  return false;
}

/**
 * Returns chardet's guesses that a browser would decode, at most three, best first, from the text without its markup.
 */
function guessCharsets(bytes: Uint8Array): string[] {
  const sample = textBytes(bytes);
  const guesses: { readonly name: string; readonly weight: number }[] = [];
  for (const { name: label, confidence } of analyse(sample)) {
    const name = labelToName(label);
    if (name === null || name.startsWith("UTF-") || name === "replacement") continue;
    // chardet counts only letter triples, so bytes without a letter in the charset lower the weight.
    const { above, errors } = countAbove(decode(sample, name));
    guesses.push({
      name,
      weight: confidence * Math.max(0, 1 - (LEGACY_PER_BAD * errors) / Math.max(1, above)),
    });
  }
  const names = guesses
    .filter(({ weight }) => weight >= MIN_CONFIDENCE)
    .sort((a, b) => b.weight - a.weight)
    .map(({ name }) => name);
  const isBaltic = names.includes(BALTIC) && LATIN.test(names[0] ?? "") && saysBaltic(bytes);
  const guess = names[0] ?? "windows-1252";
  const best = findMissed((name) => decode(sample, name), guess, MULTI_BYTE.has(guess));
  if (best !== undefined) return [best];
  return (isBaltic ? [BALTIC, ...names] : names).slice(0, 3);
}

/** Charsets that chardet finds as likely for a Baltic page, because of its names and English words. */
const LATIN = /^windows-125[024]$/;
const BALTIC = "windows-1257";

/** Checks whether a page says that it is in Lithuanian or Latvian. */
function saysBaltic(bytes: Uint8Array): boolean {
  const head = isomorphicDecode(bytes.subarray(0, SNIFFER_WINDOW));
  return /<html\s[^>]*?\blang\s*=\s*["']?(?:lt|lv)\b/i.test(head);
}

/** The bytes outside tags, scripts and styles: markup is English in every language. */
function textBytes(bytes: Uint8Array): Uint8Array {
  const source = isomorphicDecode(bytes.subarray(0, GUESS_WINDOW));
  const tag = /<(?:(script|style)\b|[a-z/!?])/gi;
  const kept: Uint8Array[] = [];
  let length = 0;
  let from = 0;
  while (length < GUESS_TEXT && from < source.length) {
    tag.lastIndex = from;
    const found = tag.exec(source);
    const until = Math.min(found?.index ?? source.length, from + GUESS_TEXT - length);
    kept.push(bytes.subarray(from, until));
    length += until - from;
    if (found === null) break;
    const close = found[1] === undefined ? />/g : new RegExp(`</${found[1]}`, "gi");
    close.lastIndex = tag.lastIndex;
    if (!close.test(source)) break;
    from = close.lastIndex;
  }
  const text = new Uint8Array(length);
  let filled = 0;
  for (const part of kept) {
    text.set(part, filled);
    filled += part.length;
  }
  return text;
}

/** Checks whether all bytes are ASCII, four at a time. */
function isAscii(bytes: Uint8Array): boolean {
  const { fours, start, end } = inFours(bytes);
  for (let at = 0; at < fours.length; at++) if (((fours[at] ?? 0) & 0x80808080) !== 0) return false;
  const isPlain = (byte: number): boolean => byte < 0x80;
  return bytes.subarray(0, start).every(isPlain) && bytes.subarray(end).every(isPlain);
}
