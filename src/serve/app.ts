/** Routes requests to endpoints, checks tokens, counts answers, and reports problems. */
import { createKoaHandler, type Context, type Handler } from "../koa.js";
import { UsageError } from "../outcome.js";
import { ownValue } from "../own-value.js";
import { FORMATS } from "./formats.js";
import { Problem } from "./problem.js";
import { whenClosed } from "./when-closed.js";

/** One request and its response, independent of Koa. */
export interface Exchange {
  readonly request: Context["req"];
  readonly response: Context["res"];
  /** The part of the URL after the question mark. */
  readonly query: string;
  /** As for `chooseAnswer`. */
  readonly accepts: (types: readonly string[]) => string | false;
  /** Aborts when the client has closed the connection. */
  readonly signal: AbortSignal;
}

export interface Reply {
  readonly status: number;
  readonly type: string;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Endpoint {
  readonly method: "GET" | "POST";
  /** Whether the endpoint needs no token. */
  readonly isOpen?: true;
  /** Returns undefined if it has written the response itself. */
  readonly answer: (exchange: Exchange) => Promise<Reply | undefined> | Reply;
}

export interface AppOptions {
  /** Endpoints by path. */
  readonly endpoints: Readonly<Record<string, Endpoint>>;
  readonly checkToken: (authorization: string | undefined) => void;
  readonly cors: string | undefined;
  /** Milliseconds that a client may take to read an answer. */
  readonly readMs: number;
  /** Whether to close the connection after the answer. */
  readonly isClosing: () => boolean;
  /** `status` is 0 if the client closed the connection before the answer was complete. */
  readonly onEnd: (endpoint: string, status: number, seconds: number) => void;
  /** Reports a bug to the operator of the server. */
  readonly onBug: (error: unknown) => void;
}

/** The name under which unknown paths are counted, because clients could request endlessly many. */
const OTHER = "other";

export function createApp(options: AppOptions): Handler {
  return createKoaHandler(async (ctx) => {
    const start = performance.now();
    const { endpoints, cors, onEnd, onBug } = options;
    const path = Object.hasOwn(endpoints, ctx.path) ? ctx.path : OTHER;
    const gone = new AbortController();
    whenClosed(ctx.res, () => {
      const isWhole = ctx.res.writableFinished;
      if (!isWhole) gone.abort(new Error("the client has gone"));
      onEnd(path, isWhole ? ctx.res.statusCode : 0, (performance.now() - start) / 1000);
    });
    ctx.set("X-Content-Type-Options", "nosniff");
    if (options.isClosing()) ctx.set("Connection", "close");
    if (cors !== undefined) allowOrigin(ctx, cors);
    try {
      if (cors !== undefined && isPreflight(ctx)) {
        preflight(ctx);
        return;
      }
      const reply = await answer(ctx, { ...options, signal: gone.signal });
      if (reply === undefined) ctx.respond = false;
      else {
        give(ctx, reply);
        limitReading(ctx, options.readMs);
      }
    } catch (error) {
      // A stopping server closes connections, which aborts their work; the error may come before the end of the
      // connection.
      const isGone = gone.signal.aborted || ctx.req.socket.destroyed;
      if (isGone || ctx.headerSent) {
        if (!isGone && !(error instanceof Problem)) onBug(error);
        ctx.respond = false;
        ctx.res.destroy();
        return;
      }
      const problem = toProblem(error);
      if (problem.problem === "bug") onBug(error);
      give(ctx, toReply(problem));
    }
    // The server may have been stopped while the answer was made.
    if (options.isClosing() && !ctx.headerSent) ctx.set("Connection", "close");
    refuseRest(ctx);
  });
}

async function answer(
  ctx: Context,
  { endpoints, checkToken, signal }: AppOptions & { readonly signal: AbortSignal },
): Promise<Reply | undefined> {
  const endpoint = ownValue(endpoints, ctx.path);
  if (endpoint === undefined) throw new Problem("not-found", Object.keys(endpoints).join(", "));
  const methods = endpoint.method === "GET" ? ["GET", "HEAD"] : [endpoint.method];
  if (!methods.includes(ctx.method))
    throw new Problem("wrong-method", endpoint.method, { Allow: methods.join(", ") });
  if (endpoint.isOpen !== true) checkToken(ctx.get("Authorization"));
  return endpoint.answer({
    ...{ request: ctx.req, response: ctx.res, query: ctx.querystring, signal },
    accepts: (types) => ctx.accepts(...types),
  });
}

/** A usage error that only the cleaning process can find, such as a missing model, is reported as a bad option. */
function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  return error instanceof UsageError ? new Problem("bad-option", error.message) : new Problem("bug");
}

function toReply(problem: Problem): Reply {
  return {
    status: problem.status,
    type: FORMATS.json.type,
    body: `${JSON.stringify(problem.toRecord())}\n`,
    headers: problem.headers,
  };
}

function give(ctx: Context, { status, type, body, headers = {} }: Reply): void {
  ctx.status = status;
  ctx.set({ ...headers });
  ctx.type = type;
  ctx.body = body;
}

/** Closes the connection of a client that takes too long to read, because its whole answer waits in memory. */
function limitReading({ res }: Context, readMs: number): void {
  const timer = setTimeout(() => res.destroy(), readMs);
  whenClosed(res, () => {
    clearTimeout(timer);
  });
}

function allowOrigin(ctx: Context, origin: string): void {
  ctx.set("Access-Control-Allow-Origin", origin);
  ctx.set("Access-Control-Expose-Headers", "Retry-After");
  if (origin !== "*") ctx.vary("Origin");
}

function isPreflight(ctx: Context): boolean {
  return ctx.method === "OPTIONS" && ctx.get("Access-Control-Request-Method") !== "";
}

function preflight(ctx: Context): void {
  ctx.status = 204;
  ctx.set("Access-Control-Allow-Methods", "GET, POST");
  ctx.set("Access-Control-Allow-Headers", "Authorization, Content-Type, Content-Encoding");
  ctx.set("Access-Control-Max-Age", "600");
}

/** Bytes and milliseconds for which an unwanted body is still read, so that most clients get to read the answer. */
const LINGER_BYTES = 1 << 20;
const LINGER_MS = 1000;

/**
 * Handles an answer that comes before the request is complete. The rest of a long body is not read, so the connection
 * cannot be used again. It is closed a moment later, because a client that is still writing would otherwise lose the
 * answer.
 */
function refuseRest(ctx: Context): void {
  const { req, res } = ctx;
  if (req.complete || ctx.respond === false) return;
  const { socket } = req;
  let left = LINGER_BYTES;
  req.on("data", (chunk: Uint8Array) => {
    left -= chunk.length;
    if (left < 0) req.pause();
  });
  req.on("error", () => undefined); // the client may have gone
  // Reading a few remaining bytes costs less than a new connection.
  const isShort = Number(req.headers["content-length"] ?? Infinity) <= LINGER_BYTES;
  if (!isShort && !ctx.headerSent) {
    ctx.set("Connection", "close");
    // Node.js would destroy the connection after such an answer.
    socket.destroySoon = () => void socket.end();
  }
  res.once("finish", () => {
    if (req.complete) return;
    if (!isShort) socket.end();
    const timer = setTimeout(() => socket.destroy(), LINGER_MS);
    req.once("end", () => {
      clearTimeout(timer);
      if (!isShort) socket.destroy();
    });
    socket.once("close", () => {
      clearTimeout(timer);
    });
  });
}
