/** Turns a server's response into a page, or a reject if it holds none. */
import type { Page } from "../../document.js";
import { reject, type Outcome } from "../../outcome.js";
import { readFieldReservations, reserveUses } from "../../document/reservations.js";
import { DamagedError, isGzip } from "../packed/decompress.js";
import { essenceOf, mayBePage, type InputKind } from "../kind.js";
import { judgePayload, toPage } from "../page-bytes.js";
import { collect, inOneChunk } from "../streams.js";
import { unpackGzip } from "../packed/unpack.js";
import { valuesOf, type Exchange } from "./exchange.js";
import { isSuccess } from "./status.js";

/** Types of packed data, which are unpacked to get the page. */
const GZIP_TYPES: ReadonlySet<string> = new Set(["application/gzip", "application/x-gzip"]);

/** Checks whether a response with this content type may be a page. */
export function mayHoldPage(contentType: string | undefined): boolean {
  const essence = essenceOf(contentType);
  return essence === undefined || mayBePage(contentType) || GZIP_TYPES.has(essence);
}

interface AnswerOptions {
  /** The id of the page in every output. */
  readonly id: string;
  readonly maxBytes: number;
  /** The kind of the page, whatever the server says. */
  readonly from?: InputKind;
}

/** Checks status, type and body. The page may be packed with gzip in addition to its content codings. */
export async function toAnsweredPage(exchange: Exchange, options: AnswerOptions): Promise<Outcome<Page>> {
  const page = await readAnswer(exchange, options);
  return reserveUses(
    page,
    readFieldReservations((name) => valuesOf(exchange.headers, name)),
  );
}

async function readAnswer(
  { url, status, contentType, bytes }: Exchange,
  { id, maxBytes, from }: AnswerOptions,
): Promise<Outcome<Page>> {
  const of = { id, url };
  if (!isSuccess(status)) return reject(of, "acquire", "http-status", `HTTP ${status}`);
  const forced = from === "html" || from === "text" ? from : undefined;
  if (forced === undefined && !mayHoldPage(contentType))
    return reject(of, "acquire", "unsupported-type", essenceOf(contentType));
  let unpacked: Uint8Array | undefined;
  try {
    unpacked = await unpackPage(bytes, maxBytes);
  } catch (error) {
    if (!(error instanceof DamagedError)) throw error;
    return reject(of, "acquire", "broken-gzip", error.message);
  }
  const type = contentType === undefined ? {} : { contentType };
  if (unpacked !== undefined && forced === undefined) return judgePayload(of, { bytes: unpacked, ...type });
  return toPage({ ...of, format: forced ?? "html", ...type }, unpacked, maxBytes);
}

/** Unpacks a page that the server stores as a gzip file; undefined if it is longer than `maxBytes`. */
async function unpackPage(bytes: Uint8Array, maxBytes: number): Promise<Uint8Array | undefined> {
  if (!isGzip(bytes)) return bytes;
  return collect(unpackGzip(inOneChunk(bytes), maxBytes), maxBytes);
}
