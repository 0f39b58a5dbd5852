/** Turns bytes into a page, or says why they are not one: too many, empty, binary, or text in another format. */
import type { Page, PageFormat } from "../document.js";
import { inFours } from "../bytes/fours.js";
import { decodeLatin1 } from "../bytes/latin1.js";
import { accept, reject, type Outcome, type PageName } from "../outcome.js";
import { findUtf16Mark, guessUtf16 } from "../bytes/utf16.js";
import { findForeignMarkup, findJson, hasHtmlRoot, mayBeJson } from "./foreign.js";
import { readableHead, SHORT_HEAD_BYTES, chooseFormat, isBareXml } from "./kind.js";
import { readMhtml } from "./saved/mhtml.js";
import { readWebArchive } from "./saved/webarchive.js";

export interface PageBytes {
  readonly id: string;
  readonly url: string;
  readonly format: PageFormat;
  readonly contentType?: string;
  /** Whether it is text that a program extracted, which may begin like a file of another kind. */
  readonly isExtracted?: boolean;
}

/** Bytes of the page that are checked to distinguish text from binary data. */
const SAMPLE_BYTES = 65_536;
/** Bytes within which a file of another kind shows its magic number. A PDF may have whitespace before it. */
const MAGIC_BYTES = 1024;
/**
 * The highest shares of control characters in text; compressed data has 11 %. A page with visible tags may have more
 * NULs, because real pages do and an HTML parser drops them.
 */
const MAX_CONTROLS = 0.05;
const MAX_NULS_IN_HTML = 0.3;

const OFFICE = "Word, Excel or PowerPoint document; save it as HTML first";
/**
 * The first bytes of files that are not text, in Latin-1. Patterns whose first bytes could also begin a text check more
 * bytes.
 */
const MAGIC: readonly (readonly [name: string, pattern: RegExp])[] = [
  ["PDF", /^\s*%PDF-\d/],
  ["PNG image", /^\x89PNG\r\n/],
  ["GIF image", /^GIF8[79]a[^]{4}[\x00-\x1f\x80-\xff]/],
  ["JPEG image", /^\xff\xd8\xff/],
  ["WebP image, WAV or AVI", /^RIFF[^]{4}(?:WEBP|WAVE|AVI )/],
  ["TIFF image", /^(?:II\*\0|MM\0\*)/],
  [
    "EPUB book; unpack it first: unzip FILE -d BOOK && thresher BOOK",
    /^PK\x03\x04[^]{26}mimetypeapplication\/epub\+zip/,
  ],
  ["OpenDocument; save it as HTML first", /^PK\x03\x04[^]{26}mimetypeapplication\/vnd\.oasis\.opendocument/],
  [OFFICE, /^PK\x03\x04[^]{26}(?:\[Content_Types\]\.xml|_rels\/\.rels|docProps\/|(?:word|xl|ppt)\/)/],
  ["zip archive; unpack it first: unzip FILE -d DIR && thresher DIR", /^PK(?:\x03\x04|\x05\x06)/],
  ["gzip inside gzip", /^\x1f\x8b\x08/],
  ["zstd", /^\x28\xb5\x2f\xfd/],
  ["bzip2; unpack it first: bzip2 -dc FILE | thresher -", /^BZh[1-9]1AY&SY/],
  ["xz; unpack it first: xz -dc FILE | thresher -", /^\xfd7zXZ\0/],
  [
    "ARC archive; convert it to WARC first: warcio recompress FILE.arc.gz FILE.warc.gz",
    /^filedesc:\/\/\S+ [\d.]+ \d{14} /,
  ],
  ["tar archive; unpack it first", /^[^]{257}ustar/],
  ["7z archive", /^7z\xbc\xaf\x27\x1c/],
  ["RAR archive", /^Rar!\x1a\x07/],
  ["Ogg media", /^OggS\0/],
  ["MP3 sound", /^(?:ID3[\x02-\x04]\0|\xff\xfb[\x90-\xef])/],
  ["AVIF or HEIC image", /^\0\0\0[^]ftyp(?:avi[fs]|hei[cfsx]|mif1)/],
  ["MP4 media", /^\0\0\0[^]ftyp/],
  ["program", /^(?:\x7fELF|\xca\xfe\xba\xbe|\xcf\xfa\xed\xfe|\0asm)/],
  ["font", /^(?:wOFF|wOF2|OTTO|\0\x01\0\0)\0/],
  [OFFICE, /^\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1/],
  ["binary property list", /^bplist0\d/],
  ["SQLite database", /^SQLite format 3\0/],
  ["Parquet", /^PAR1[\x00-\x1f]/],
  ["UTF-32 text, which no browser reads", /^(?:\xff\xfe\0\0|\0\0\xfe\xff)/],
];

/** Brotli has no magic number, so only the name of a file shows it. */
const BROTLI_NAME = /\.(?:x?html?|txt|jsonl?)\.br$/i;
const BROTLI_ADVICE = "Brotli; unpack it first: brotli -dc FILE | thresher -";

/** Makes a page of bytes, or a reject. `bytes` is undefined if there are more than `maxBytes`. */
export function toPage(of: PageBytes, bytes: Uint8Array | undefined, maxBytes: number): Outcome<Page> {
  if (bytes === undefined) return reject(of, "acquire", "too-large", `more than ${maxBytes} bytes`);
  if (isBlank(bytes))
    return reject(of, "acquire", "empty", bytes.length === 0 ? "no bytes" : "only white space");
  const saved = readMhtml(bytes) ?? readWebArchive(bytes);
  if (saved === undefined) return judgePage(of, bytes);
  const { url = "", contentType } = saved;
  return judgePage(
    { id: of.id, url: of.url === "" ? url : of.url, format: "html", contentType },
    saved.bytes,
  );
}

function judgePage(of: PageBytes, bytes: Uint8Array): Outcome<Page> {
  const { id, url, format, contentType, isExtracted = false } = of;
  const binary = isExtracted ? findControls(bytes) : findBinary(bytes);
  if (binary !== undefined)
    return reject(of, "acquire", "binary", BROTLI_NAME.test(id) ? BROTLI_ADVICE : binary);
  const foreign = findForeignBytes(bytes, format);
  if (foreign !== undefined) return reject(of, "acquire", "not-a-page", foreign);
  const type = contentType === undefined ? {} : { contentType };
  return accept({ id, url, content: { kind: "bytes", bytes, format, ...type } });
}

/** The body of an HTTP response, from a server or from an archive. */
export interface Payload {
  readonly bytes: Uint8Array;
  readonly contentType?: string;
}

/**
 * Makes a page of the body of a response. The caller has checked its size, and whether its type may be that of a page.
 */
export function judgePayload({ id, url }: PageName, { bytes, contentType }: Payload): Outcome<Page> {
  const format = chooseFormat(bytes, contentType);
  if (isBareXml(format, contentType))
    return reject({ id, url }, "acquire", "unsupported-type", `${contentType ?? ""} that is not XHTML`);
  const type = contentType === undefined ? {} : { contentType };
  return toPage({ id, url, format, ...type }, bytes, Infinity);
}

/** Returns what the bytes hold instead of HTML, or undefined. Bytes labelled as plain text are not checked. */
function findForeignBytes(bytes: Uint8Array, format: PageFormat): string | undefined {
  if (format === "text" || hasHtmlRoot(readableHead(bytes, SHORT_HEAD_BYTES))) return undefined;
  const head = readableHead(bytes);
  const markup = findForeignMarkup(head);
  if (markup !== undefined || !mayBeJson(head)) return markup;
  return findJson(new TextDecoder().decode(bytes));
}

/** Describes in a few words what the bytes are, if they are not text; undefined if they are text. */
export function findBinary(bytes: Uint8Array): string | undefined {
  if (bytes.length === 0) return undefined;
  const head = decodeLatin1(bytes.subarray(0, MAGIC_BYTES));
  for (const [name, pattern] of MAGIC) {
    if (pattern.test(head)) return name;
  }
  return findUtf16Mark(bytes) === undefined ? findControls(bytes) : undefined;
}

function findControls(bytes: Uint8Array): string | undefined {
  const sample = bytes.subarray(0, SAMPLE_BYTES);
  const { nuls, others } = shareOfControls(sample);
  if (nuls + others <= MAX_CONTROLS) return undefined;
  if (others <= MAX_CONTROLS && nuls <= MAX_NULS_IN_HTML && isTagged(sample)) return undefined;
  return `${Math.round((nuls + others) * 100)} % control characters`;
}

function isTagged(sample: Uint8Array): boolean {
  return /<(?:!doctype|html|head|body|p|div|a|br|table|title)[\s>]/i.test(
    decodeLatin1(sample).replaceAll("\0", ""),
  );
}

interface Controls {
  readonly nuls: number;
  readonly others: number;
}

/** Returns control characters per byte, or per code unit if the NULs show that the text is UTF-16. */
function shareOfControls(bytes: Uint8Array): Controls {
  const controls = countControls(bytes);
  const wide = controls.nuls === 0 ? undefined : guessUtf16(bytes, 1);
  if (wide === undefined) return controls;
  const text = new TextDecoder(wide).decode(bytes);
  const count = (pattern: RegExp): number => (text.match(pattern)?.length ?? 0) / text.length;
  return { nuls: count(/\0/g), others: count(/[\x01-\x08\x0e-\x1a\x1c-\x1f\ufffd]/g) };
}

/** Holds 1 for each control character except NUL. Escape (0x1b) does not count, because ISO-2022-JP text uses it. */
const CONTROLS = Uint8Array.from({ length: 0x20 }, (_, byte) =>
  byte > 0 && byte !== 0x1b && (byte < 0x09 || byte > 0x0d) ? 1 : 0,
);

/** Four bytes of 0x20, and the highest bit of each of four bytes. */
const FOUR_SPACES = 0x20202020;
const FOUR_HIGHEST = 0x80808080;

/**
 * Runs on every page. So it reads by index (an iterator takes ten times as long), does not decode all bytes into a
 * string, and checks four bytes at a time for any below 0x20 (half the time of one by one).
 */
function countControls(bytes: Uint8Array): Controls {
  let nuls = 0;
  let others = 0;
  const count = (from: number, to: number): void => {
    for (let at = from; at < to; at += 1) {
      const byte = bytes[at] ?? 0;
      if (byte === 0) nuls += 1;
      else others += CONTROLS[byte] ?? 0;
    }
  };
  const { fours, start, end } = inFours(bytes);
  count(0, start);
  for (let at = 0; at < fours.length; at += 1) {
    const four = fours[at] ?? 0;
    if (((four - FOUR_SPACES) & ~four & FOUR_HIGHEST) !== 0) count(start + 4 * at, start + 4 * at + 4);
  }
  count(end, bytes.length);
  return { nuls: nuls / bytes.length, others: others / bytes.length };
}

/** Checks whether there is only whitespace, perhaps after a byte order mark. The NULs are those of UTF-16. */
function isBlank(bytes: Uint8Array): boolean {
  const mark =
    /^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)/.exec(decodeLatin1(bytes.subarray(0, 3)))?.[0].length ?? 0;
  for (let i = mark; i < bytes.length; i += 1) {
    const byte = bytes[i];
    const isSpace = byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0c || byte === 0x0d;
    if (!isSpace && !(byte === 0 && mark === 2)) return false;
  }
  return true;
}
