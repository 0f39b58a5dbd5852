/** Reads ranges of files from an HTTP server, such as Common Crawl's; cannot list or write. */
import { once } from "node:events";
import { Readable } from "node:stream";
import { createResolver } from "../http/addresses.js";
import { headerOf } from "../http/exchange.js";
import { openClients, type Answer } from "../http/undici.js";
import { formatObjectAddress, type ObjectAddress } from "./address.js";
import { explainObjectError, ObjectError } from "./failure.js";
import type { ObjectBody, ObjectRange, Objects, ObjectsOptions } from "./objects.js";
import { createPace, MAX_TRIES } from "./pace.js";

const IDLE_MS = 60_000;
const MAX_HEADER_BYTES = 1 << 16;

/** Opens a store that only reads: `list`, `put` and `remove` throw. The server must support ranges and send ETags. */
export function openHttpObjects({ retryEveryMs }: Pick<ObjectsOptions, "retryEveryMs"> = {}): Objects {
  const clients = openClients({
    resolver: createResolver("any"),
    maxHeaderBytes: MAX_HEADER_BYTES,
    idleMs: IDLE_MS,
    connections: 1,
    allowsHttp2: false,
  });
  const pace = createPace(retryEveryMs);
  const ask = async (at: ObjectAddress, range: ObjectRange, signal?: AbortSignal): Promise<ObjectBody> => {
    for (let tries = 1; ; tries += 1) {
      try {
        return toBody(at, range, await send(clients, { at, headers: toHeaders(range), signal }));
      } catch (error) {
        signal?.throwIfAborted();
        const failure = explainObjectError(formatObjectAddress(at), error);
        if (!failure.retryable || tries >= MAX_TRIES) throw failure;
        await pace(signal);
      }
    }
  };
  return {
    ask,
    pace,
    async look(at, signal) {
      try {
        const { body, bytes, etag } = await ask(at, { from: 0, to: 1 }, signal);
        body.destroy();
        return { bytes, etag };
      } catch (error) {
        if (error instanceof ObjectError && error.reason === "not-found") return undefined;
        throw error;
      }
    },
    list: (at) => refuse(at, "listed"),
    put: (at) => refuse(at, "written"),
    remove: (at) => refuse(at, "removed"),
    close: () => clients.close(),
  };
}

interface Sent {
  readonly answer: Answer;
  readonly body: Readable;
}

interface Sending {
  readonly at: ObjectAddress;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal | undefined;
}

/** Resolves to the response, whose body stays open until it is read or destroyed. */
function send(clients: ReturnType<typeof openClients>, { at, headers, signal }: Sending): Promise<Sent> {
  return new Promise((resolve, reject) => {
    const call = {
      url: new URL(formatObjectAddress(at)),
      headers: { ...headers, "user-agent": "Thresher", "accept-encoding": "identity" },
      signal: signal ?? new AbortController().signal,
    };
    clients
      .ask(call, async (answer) => {
        // The type of an answer is in the package's types, which must not need those of Node.js.
        const body = answer.body instanceof Readable ? answer.body : Readable.from(answer.body);
        resolve({ answer, body });
        if (!body.destroyed) await once(body, "close").catch(() => undefined); // the reader gets the error
      })
      .catch(reject);
  });
}

function toHeaders({ from, to, etag }: ObjectRange): Record<string, string> {
  // Always requests a range, because then the response states the size of the whole file.
  const range = { range: `bytes=${from}-${to === undefined ? "" : to - 1}` };
  // A weak tag never matches (RFC 9110, 13.1.1); then `readObject` compares it with the tag of the response.
  return etag === undefined || etag.startsWith("W/") ? range : { ...range, "if-match": etag };
}

function toBody(at: ObjectAddress, { from }: ObjectRange, { answer, body }: Sent): ObjectBody {
  const header = (name: string): string => headerOf(answer.headers, name) ?? "";
  const fail = (message: string): Error => {
    body.destroy();
    const why = { reason: "unreadable", retryable: false } as const;
    return new ObjectError(`${formatObjectAddress(at)}: ${message}`, why);
  };
  const etag = header("etag");
  if (from === 0 && isEmpty(answer)) {
    body.destroy();
    return { body: Readable.from([]), etag: etag === "" ? EMPTY_ETAG : etag, bytes: 0, end: 0 };
  }
  if (answer.status === 200) throw fail("the server does not support range requests");
  if (answer.status !== 206) {
    body.destroy();
    const error = new Error(answer.reasonPhrase);
    throw Object.assign(error, { name: "HttpError", $metadata: { httpStatusCode: answer.status } });
  }
  const [, first, last, size] = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(header("content-range")) ?? [];
  if (Number(first) !== from) throw fail("the server sent another range than was requested");
  if (etag === "") throw fail("the server sends no ETag, so changes of the file cannot be detected");
  return { body, etag, bytes: Number(size), end: Number(last) + 1 };
}

/** The tag of an empty file whose server sends none. It is weak, so it is only compared and never sent. */
const EMPTY_ETAG = 'W/"empty"';

/** Checks for an empty file: no range fits it, so servers answer 416, or 200 with all of it. */
function isEmpty({ status, headers }: Answer): boolean {
  if (status === 416) return headerOf(headers, "content-range") === "bytes */0";
  return status === 200 && headerOf(headers, "content-length") === "0";
}

function refuse(at: ObjectAddress, what: string): never {
  throw new Error(`${formatObjectAddress(at)} cannot be ${what}`);
}
