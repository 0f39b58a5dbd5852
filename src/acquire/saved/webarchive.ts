/**
 * Extracts the page from a web archive, in which Safari saves it with its images and styles: a binary property list
 * (Apple, CFBinaryPList.c), which is a table of value offsets, and values that refer to others by table index.
 */
import { decodeLatin1 } from "../../bytes/latin1.js";
import { isHtmlType } from "../kind.js";
import type { SavedPage } from "./mhtml.js";

const MAGIC = "bplist00";
const TRAILER_BYTES = 32;
/** The most entries of a dictionary that are read: an archive has three, and its page six. */
const MOST_ENTRIES = 32;
/** The most characters of a string: a name, type or address. */
const MOST_CHARACTERS = 8_192;

const DATA = 0x4;
const ASCII = 0x5;
const UTF16 = 0x6;
const DICTIONARY = 0xd;

interface PropertyList {
  readonly bytes: Uint8Array;
  readonly view: DataView;
  /**
   * Bytes of an offset in the table, bytes of a reference to a table entry, the table's offset, and its number of
   * entries.
   */
  readonly offsetBytes: number;
  readonly placeBytes: number;
  readonly table: number;
  readonly count: number;
}

/** A value with a length; `at` is the offset of its data, after the length. */
interface Value {
  readonly kind: number;
  readonly at: number;
  readonly length: number;
}

/** Returns the page in the bytes; undefined if they are not a web archive, are damaged, or hold no page. */
export function readWebArchive(bytes: Uint8Array): SavedPage | undefined {
  if (decodeLatin1(bytes.subarray(0, MAGIC.length)) !== MAGIC) return undefined;
  try {
    return readPage(bytes);
  } catch (error) {
    // An offset outside of the file.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function readPage(bytes: Uint8Array): SavedPage | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const trailer = view.byteLength - TRAILER_BYTES;
  const list: PropertyList = {
    bytes,
    view,
    offsetBytes: view.getUint8(trailer + 6),
    placeBytes: view.getUint8(trailer + 7),
    count: readNumber(view, trailer + 8, 8),
    table: readNumber(view, trailer + 24, 8),
  };
  const archive = readDictionary(list, readNumber(view, trailer + 16, 8));
  const main = archive.get("WebMainResource");
  if (main === undefined) return undefined;
  const page = readDictionary(list, main);
  const text = (name: string): string => readText(list, page.get(name));
  const type = text("WebResourceMIMEType");
  const data = readValue(list, page.get("WebResourceData"));
  if (!isHtmlType(type) || data?.kind !== DATA) return undefined;
  const charset = text("WebResourceTextEncodingName");
  const url = text("WebResourceURL");
  return {
    bytes: bytes.subarray(data.at, data.at + data.length),
    contentType: charset === "" ? type : `${type}; charset="${charset}"`,
    ...(/^https?:/i.test(url) && { url }),
  };
}

/** Returns the references to the values of a dictionary, by key. */
function readDictionary(list: PropertyList, place: number): Map<string, number> {
  const { view, placeBytes } = list;
  const dictionary = readValue(list, place);
  const found = new Map<string, number>();
  if (dictionary?.kind !== DICTIONARY) return found;
  const { at, length } = dictionary;
  for (let entry = 0; entry < Math.min(length, MOST_ENTRIES); entry += 1) {
    const name = readText(list, readNumber(view, at + entry * placeBytes, placeBytes));
    found.set(name, readNumber(view, at + (length + entry) * placeBytes, placeBytes));
  }
  return found;
}

function readText(list: PropertyList, place: number | undefined): string {
  const value = readValue(list, place);
  if (value === undefined || value.length > MOST_CHARACTERS) return "";
  const { bytes } = list;
  const { kind, at, length } = value;
  if (kind === ASCII) return decodeLatin1(bytes.subarray(at, at + length));
  return kind === UTF16 ? new TextDecoder("utf-16be").decode(bytes.subarray(at, at + 2 * length)) : "";
}

/** A length of 15 or more is stored as a number after the first byte. */
function readValue(list: PropertyList, place: number | undefined): Value | undefined {
  const { view, offsetBytes, table, count } = list;
  if (place === undefined || place >= count) return undefined;
  const at = readNumber(view, table + place * offsetBytes, offsetBytes);
  const marker = view.getUint8(at);
  const kind = marker >> 4;
  if ((marker & 0xf) !== 0xf) return { kind, at: at + 1, length: marker & 0xf };
  const lengthBytes = 1 << (view.getUint8(at + 1) & 0xf);
  return { kind, at: at + 2 + lengthBytes, length: readNumber(view, at + 2, lengthBytes) };
}

/** Reads a big-endian number of up to eight bytes. One that is not a safe integer lies outside of any file. */
function readNumber(view: DataView, at: number, bytes: number): number {
  let number = 0;
  for (let byte = 0; byte < Math.min(bytes, 8); byte += 1) number = number * 256 + view.getUint8(at + byte);
  return number;
}
