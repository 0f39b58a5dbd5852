/** Answers `POST /clean`: takes one document, and returns its text or record, or the reject with the reason. */
import type { Page, PageFormat } from "../document.js";
import { ADDRESS } from "../options/option-rules.js";
import type { Outcome, Reject } from "../outcome.js";
import { formatReject } from "../write/reject-record.js";
import type { Exchange, Reply } from "./app.js";
import { readBody } from "./request/body.js";
import { cleanPages } from "./clean-pages.js";
import { chooseAnswer, FORMATS } from "./formats.js";
import type { ServeOptions } from "./options.js";
import { Problem } from "./problem.js";
import { checkType, isRecord, NO_ID, readPage, type RecordOfPage } from "./request/request-page.js";
import type { Tools } from "./tools.js";
import { readWishes, type Wishes } from "./request/words.js";

/** Programs that write ASCII escape a two-byte character as six bytes of JSON; other fields need space, too. */
const JSON_BYTES_PER_BYTE = 3;
const SLACK_BYTES = 65_536;

/** Returns the most bytes of a body that is a record. */
export function mostBodyBytes({ maxBytes }: Pick<ServeOptions, "maxBytes">): number {
  return maxBytes * JSON_BYTES_PER_BYTE + SLACK_BYTES;
}

/** Returns a reject with status 422, or 413 for `too-large`. Throws Problem if the request is wrong. */
export async function cleanOne(exchange: Exchange, tools: Tools): Promise<Reply> {
  const { request, query, accepts, signal } = exchange;
  const { options, metrics, orders, json } = tools;
  const { "content-type": contentType } = request.headers;
  checkType(contentType);
  const isJson = isRecord(contentType);
  const maxBytes = isJson ? mostBodyBytes(options) : options.maxBytes;
  const bytes = await readBody(request, { maxBytes, arrivalMs: options.arrivalMs });
  const isList = (name: string): boolean => orders.isList(name);
  const inQuery = readWishes(query, [], isList).own;
  if (!(bytes instanceof Uint8Array)) {
    const { id = inQuery.url ?? NO_ID, url = "" } = inQuery;
    return answerReject({ ...bytes, id, url }, tools);
  }
  metrics.countBytes(bytes.length);
  const names = { id: inQuery.id, url: inQuery.url, maxBytes: options.maxBytes };
  const record = isJson ? await json.readBody({ ...names, bytes }, signal) : undefined;
  const wishes = readWishes(query, record?.words ?? [], isList);
  if (record !== undefined) checkRecord(wishes.own, inQuery);
  const format = chooseAnswer(wishes.own.to, accepts);
  const lease = await orders.lease(wishes.words, FORMATS[format].to);
  try {
    const page =
      record === undefined
        ? await readPage({ ...names, bytes, contentType, ...checkOwn(wishes) })
        : await findPage(record, { signal, tools });
    for await (const cleaned of cleanPages([page], { lease, signal, tools }))
      return cleaned.ok
        ? { status: 200, type: FORMATS[format].type, body: cleaned.value }
        : answerReject(cleaned);
    throw new Error("the pipeline returned nothing for a page");
  } finally {
    lease.release();
  }
}

/** Throws the problem `bad-option` if the query has an invalid `url` or `from`. */
function checkOwn({ own: { url, from } }: Wishes): { readonly from: PageFormat | undefined } {
  if (url !== undefined && !ADDRESS.isRight(url))
    throw new Problem("bad-option", `url must be ${ADDRESS.wanted}`);
  if (from !== undefined && from !== "html" && from !== "text")
    throw new Problem("bad-option", "from must be one of html, text");
  return { from };
}

/** Throws the problem `bad-option` for names of the page among a record's options, and for `from`. */
function checkRecord(own: Wishes["own"], inQuery: Wishes["own"]): void {
  for (const name of ["id", "url"] as const)
    if (own[name] !== inQuery[name])
      throw new Problem("bad-option", `${name} is a field of the record itself`);
  if (own.from !== undefined) throw new Problem("bad-option", "from is for a page that is the body itself");
}

interface Asking {
  readonly signal: AbortSignal;
  readonly tools: Tools;
}

async function findPage(record: RecordOfPage, { signal, tools }: Asking): Promise<Outcome<Page>> {
  const { page, fetch } = record;
  if (page !== undefined) return page;
  if (fetch === undefined) throw new Error("a record has neither a page nor its address");
  if (tools.fetcher === undefined)
    throw new Problem("fetch-forbidden", "the body has a url, but no html, text, lines or bytes");
  const fetched = await tools.fetcher.fetchPage(fetch.url, signal);
  return fetched.ok
    ? { ...fetched, value: { ...fetched.value, id: fetch.id } }
    : { ...fetched, id: fetch.id };
}

/** Without `tools`, the reject has been counted already. */
function answerReject(rejected: Reject, tools?: Tools): Reply {
  tools?.metrics.countDocument(rejected.reason, 0);
  const status = rejected.reason === "too-large" ? 413 : 422;
  return { status, type: FORMATS.json.type, body: formatReject(rejected) };
}
