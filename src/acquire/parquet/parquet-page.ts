/** Decodes the values of one page of a Parquet column. */
import { crc32 } from "node:zlib";
import { toNumber } from "../../json.js";
import { decodeHybrid, decodeLengths, decodePrefixes, openCursor, type Cursor } from "./parquet-encodings.js";
import { ask, countValues, MAX_PAGE_BYTES, ParquetError, type Leaf } from "./parquet-format.js";
import {
  assembleLists,
  byteStreamSplit,
  codecs,
  convert,
  convertWithDictionary,
  deltaBinaryUnpack,
  readPlain,
  type DecodedArray as Values,
  type PageHeader,
} from "./parquet-library.js";

/** Decodes the values of a dictionary page. Throws ParquetError. */
export function decodeDictionary(leaf: Leaf, page: PageHeader, packed: Uint8Array): Values {
  return askPage(leaf, page, packed, () => {
    const plain = unpack(leaf, packed, page.uncompressed_page_size);
    const { type, element } = leaf.decoder;
    return toRich(readPlain(openCursor(plain), type, countValues(page), element.type_length), leaf);
  });
}

/**
 * Decodes the values of a data page. If the column is not flat, they are appended to `before`, whose last row may
 * continue in this page. Throws ParquetError.
 */
export function decodeValues(
  leaf: Leaf,
  page: PageHeader,
  packed: Uint8Array,
  known: { readonly dictionary: Values | undefined; readonly before: Values },
): Values {
  const values = askPage(leaf, page, packed, () => {
    const { levels, encoded } =
      page.data_page_header_v2 === undefined ? openFirst(leaf, page, packed) : openSecond(leaf, page, packed);
    const { definition, repetition } = levels;
    const count = countValues(page);
    const present =
      leaf.maxDefinition === 0 ? count : definition.filter((level) => level === leaf.maxDefinition).length;
    const decoded = decodeEncoded(leaf, encoded, present, known.dictionary);
    const before = leaf.isFlat ? [] : Array.from(known.before);
    return assembleLists(before, definition, repetition, decoded, leaf.decoder.schemaPath);
  });
  if (leaf.isFlat && (values.length !== countValues(page) || values.includes(undefined)))
    throw new ParquetError(`a page of column ${leaf.path} does not hold the values that its header states`);
  return values;
}

function askPage<T>(leaf: Leaf, { crc }: PageHeader, packed: Uint8Array, question: () => T): T {
  if (crc !== undefined && crc >>> 0 !== crc32(packed))
    throw new ParquetError(`a page of column ${leaf.path} has a wrong checksum`);
  return ask(`a page of column ${leaf.path}`, question);
}

/** The repetition level (where in its row) and the definition level (how much of its path exists) of each value. */
interface Levels {
  readonly repetition: number[];
  readonly definition: number[];
}

interface Encoded {
  readonly cursor: Cursor;
  readonly encoding: string;
}

interface OpenedPage {
  readonly levels: Levels;
  readonly encoded: Encoded;
}

/** Opens a page of version 1: all of it is packed, and each kind of levels begins with its length. */
function openFirst(leaf: Leaf, page: PageHeader, packed: Uint8Array): OpenedPage {
  const header = page.data_page_header;
  if (header === undefined)
    throw new ParquetError(`a page of column ${leaf.path} does not say what it holds`);
  const cursor = openCursor(unpack(leaf, packed, page.uncompressed_page_size));
  const readLevels = (max: number): number[] => {
    if (max === 0) return [];
    const length = cursor.view.getUint32(cursor.offset, true);
    const start = cursor.offset + 4;
    cursor.offset = start;
    const levels = decodeHybrid(cursor, bitsOf(max), header.num_values);
    cursor.offset = start + length;
    return levels;
  };
  const repetition = readLevels(leaf.maxRepetition);
  const definition = readLevels(leaf.maxDefinition);
  return { levels: { repetition, definition }, encoded: { cursor, encoding: header.encoding } };
}

/** Opens a page of version 2: the levels come before the values, unpacked, and the header states their lengths. */
function openSecond(leaf: Leaf, page: PageHeader, packed: Uint8Array): OpenedPage {
  const header = page.data_page_header_v2;
  if (header === undefined)
    throw new ParquetError(`a page of column ${leaf.path} does not say what it holds`);
  const { repetition_levels_byte_length: first, definition_levels_byte_length: second } = header;
  if (first < 0 || second < 0 || first + second > packed.length)
    throw new ParquetError(`a page of column ${leaf.path} has levels of ${first} and ${second} bytes`);
  const readLevels = (max: number, start: number, length: number): number[] =>
    max === 0
      ? []
      : decodeHybrid(openCursor(packed.subarray(start, start + length)), bitsOf(max), header.num_values);
  const repetition = readLevels(leaf.maxRepetition, 0, first);
  const definition = readLevels(leaf.maxDefinition, first, second);
  const rest = packed.subarray(first + second);
  const isPacked = header.is_compressed !== false;
  const plain = isPacked ? unpack(leaf, rest, page.uncompressed_page_size - first - second) : isolate(rest);
  return {
    levels: { repetition, definition },
    encoded: { cursor: openCursor(plain), encoding: header.encoding },
  };
}

function unpack({ path, decoder: { codec } }: Leaf, packed: Uint8Array, length: number): Uint8Array {
  if (codec === "UNCOMPRESSED") return isolate(packed);
  if (!Object.hasOwn(codecs, codec)) throw new ParquetError(`column ${path} uses the unknown codec ${codec}`);
  // The line above has checked that the codec exists.
  const plain = codecs[codec as keyof typeof codecs](packed, length);
  if (plain.length !== length)
    throw new ParquetError(`a page of column ${path} has ${plain.length} bytes, not ${length}`);
  return isolate(plain);
}

/** Copies bytes into a buffer of their own, because on damaged data the library reads beyond their ends. */
function isolate(bytes: Uint8Array): Uint8Array {
  return bytes.byteLength === bytes.buffer.byteLength ? bytes : new Uint8Array(bytes);
}

function decodeEncoded(
  leaf: Leaf,
  { cursor, encoding }: Encoded,
  count: number,
  dictionary: Values | undefined,
): Values {
  if (count === 0) return [];
  if (encoding === "PLAIN_DICTIONARY" || encoding === "RLE_DICTIONARY") {
    if (dictionary === undefined) throw new ParquetError(`column ${leaf.path} has no dictionary`);
    const width = cursor.view.getUint8(cursor.offset);
    cursor.offset += 1;
    return convertWithDictionary(decodeHybrid(cursor, width, count), dictionary, encoding, leaf.decoder);
  }
  return toRich(decodePlain(leaf, { cursor, encoding }, count), leaf);
}

/**
 * Converts stored values to the type of their column. Decimals are converted here, because the library would round them
 * to JavaScript numbers.
 */
function toRich(values: Values, { path, decoder }: Leaf): Values {
  const { converted_type, scale = 0 } = decoder.element;
  if (converted_type !== "DECIMAL") return convert(values, decoder);
  if (!(scale >= 0 && scale <= MAX_SCALE)) throw new ParquetError(`column ${path} has a scale of ${scale}`);
  return Array.from<unknown, unknown>(values, (value) => toDecimal(value, scale));
}

/** The most decimal places of a column; no known writer has more than 76. */
const MAX_SCALE = 1000;

/** Converts a stored integer, or the bytes of one (big-endian two's complement), to a decimal number. */
function toDecimal(value: unknown, scale: number): unknown {
  const stored = value instanceof Uint8Array ? toInteger(value) : BigInt(value as number | bigint); // as `readPlain` gives them
  const digits = String(stored < 0n ? -stored : stored).padStart(scale + 1, "0");
  const whole = digits.slice(0, digits.length - scale);
  return toNumber(`${stored < 0n ? "-" : ""}${whole}${scale === 0 ? "" : `.${digits.slice(-scale)}`}`);
}

function toInteger(bytes: Uint8Array): bigint {
  const hex = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("hex");
  return BigInt.asIntN(8 * bytes.length, BigInt(`0x0${hex}`));
}

/** Decodes values as they are stored. */
function decodePlain({ path, decoder }: Leaf, { cursor, encoding }: Encoded, count: number): Values {
  const { type, element } = decoder;
  switch (encoding) {
    case "PLAIN":
      return readPlain(cursor, type, count, element.type_length);
    case "RLE":
      // Booleans, after the length of their data.
      cursor.offset += 4;
      return decodeHybrid(cursor, 1, count).map((bit) => bit === 1);
    case "DELTA_BINARY_PACKED": {
      const numbers = type === "INT32" ? new Int32Array(count) : new BigInt64Array(count);
      deltaBinaryUnpack(cursor, count, numbers);
      return numbers;
    }
    case "DELTA_LENGTH_BYTE_ARRAY":
      return decodeLengths(cursor, count);
    case "DELTA_BYTE_ARRAY":
      return decodePrefixes(cursor, count, MAX_PAGE_BYTES);
    case "BYTE_STREAM_SPLIT":
      return byteStreamSplit(cursor, count, type, element.type_length);
    default:
      throw new ParquetError(`column ${path} uses the unknown encoding ${encoding}`);
  }
}

/** Returns the number of bits that the largest level needs. */
function bitsOf(max: number): number {
  return 32 - Math.clz32(max);
}
