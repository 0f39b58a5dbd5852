/** Answers `POST /clean/stream`: reads JSON Lines and writes one line for each, in order, at the speed of both ends. */
import { Readable } from "node:stream";
import { pipeline as connect } from "node:stream/promises";
import { readRecords } from "../acquire/records/jsonl.js";
import { essenceOf } from "../acquire/kind.js";
import type { Outcome } from "../outcome.js";
import { formatReject } from "../write/reject-record.js";
import type { Exchange } from "./app.js";
import { streamBody } from "./request/body.js";
import { cleanPages } from "./clean-pages.js";
import { FORMATS } from "./formats.js";
import { Problem } from "./problem.js";
import type { Tools } from "./tools.js";
import { readWishes } from "./request/words.js";

/** Records without an id are named `stream:LINE`. */
const INPUT = "stream";

/** Writes the response itself. An error also closes the connection, so that half an answer never looks complete. */
export async function cleanStream(exchange: Exchange, tools: Tools): Promise<void> {
  const { request, response, query, signal } = exchange;
  const { options, orders, json } = tools;
  checkType(request.headers["content-type"]);
  const { own, words } = readWishes(query, [], (name) => orders.isList(name));
  const [unfit] = Object.keys(own);
  if (own.to !== undefined && own.to !== "jsonl" && own.to !== "json")
    throw new Problem("bad-option", "to must be jsonl, because a stream consists of records");
  if (unfit !== undefined && unfit !== "to")
    throw new Problem("bad-option", `${unfit} is only for single documents`);
  const body = streamBody(request, options.arrivalMs);
  const lease = await orders.lease(words, FORMATS.jsonl.to);
  try {
    response.statusCode = 200;
    response.setHeader("Content-Type", FORMATS.jsonl.type);
    response.flushHeaders();
    const ofLines = { input: INPUT, maxBytes: lease.options.maxBytes, columns: "usual" } as const;
    const pages = readRecords(body, ofLines, {
      bytes: json.longBytes,
      read: (line) => json.readLine(line, ofLines, signal),
    });
    await connect(Readable.from(toLines(cleanPages(pages, { lease, tools, signal }))), response, { signal });
  } finally {
    lease.release();
  }
}

function checkType(contentType: string | undefined): void {
  const essence = essenceOf(contentType) ?? "";
  // The default type of curl says nothing about the body.
  if (/^$|json|jsonl|^text\/plain$|^application\/(?:octet-stream|x-www-form-urlencoded)$/.test(essence))
    return;
  throw new Problem("unsupported-type", `${essence}; send a stream as application/x-ndjson`);
}

async function* toLines(cleaned: AsyncIterable<Outcome<string>>): AsyncGenerator<string> {
  for await (const one of cleaned) yield one.ok ? one.value : formatReject(one);
}
