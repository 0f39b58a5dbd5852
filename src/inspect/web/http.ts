/** Answers the requests of a browser, after `guard.ts` has allowed them. */
import { Readable } from "node:stream";
import { createKoaHandler, type Context, type Handler } from "../../koa.js";
import { ownValue } from "../../own-value.js";
import type { Guard } from "./guard.js";
import { Refusal } from "./refusal.js";
import { messageOf } from "../../thrown.js";

export interface Ask {
  readonly query: URLSearchParams;
  /** The parsed JSON body of a POST request. */
  readonly body: unknown;
}

export interface Answer {
  readonly type: string;
  /** Parts are sent as they come; if one fails, the connection is cut. */
  readonly body: string | AsyncIterable<string>;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Route {
  readonly method: "GET" | "POST";
  readonly answer: (ask: Ask) => Answer | Promise<Answer>;
}

export interface HttpOptions {
  /** Routes by path. */
  readonly routes: Readonly<Record<string, Route>>;
  readonly guard: Guard;
  /** Reports a bug to the user who runs the server. */
  readonly onBug: (error: unknown) => void;
}

/** Most bytes of a request body: enough for thousands of marked lines. */
const MOST_BODY_BYTES = 4_000_000;

const HEADERS = {
  "Cache-Control": "no-store",
  "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
};

export function createHandler({ routes, guard, onBug }: HttpOptions): Handler {
  return createKoaHandler(async (ctx) => {
    ctx.set(HEADERS);
    try {
      const entry = guard.check({
        ...{ method: ctx.method, path: ctx.path, header: (name: string) => ctx.get(name) },
        ...{ cookie: (name: string) => ctx.cookies.get(name), query: new URLSearchParams(ctx.querystring) },
      });
      if (entry !== undefined) {
        ctx.set("Set-Cookie", entry.cookie);
        ctx.redirect(entry.to);
        ctx.status = 303;
        return;
      }
      await give(ctx, { routes, onBug });
    } catch (error) {
      if (!(error instanceof Refusal)) onBug(error);
      ctx.status = error instanceof Refusal ? error.status : 500;
      ctx.type = "application/json; charset=utf-8";
      ctx.body = JSON.stringify({ error: messageOf(error) });
    }
  });
}

async function give(ctx: Context, { routes, onBug }: Omit<HttpOptions, "guard">): Promise<void> {
  const route = ownValue(routes, ctx.path);
  if (route === undefined) throw new Refusal(404, "there is no such page");
  if (ctx.method !== route.method) throw new Refusal(405, `only ${route.method} is allowed here`);
  const body = route.method === "POST" ? await readBody(ctx) : undefined;
  const answer = await route.answer({ query: new URLSearchParams(ctx.querystring), body });
  ctx.status = 200;
  ctx.set({ ...answer.headers });
  ctx.type = answer.type;
  ctx.body = typeof answer.body === "string" ? answer.body : Readable.from(reported(answer.body, onBug));
}

/** Reports an error of a part, which comes too late for an answer with a message. */
async function* reported(parts: AsyncIterable<string>, onBug: HttpOptions["onBug"]): AsyncGenerator<string> {
  try {
    yield* parts;
  } catch (error) {
    onBug(error);
    throw error;
  }
}

async function readBody(ctx: Context): Promise<unknown> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of ctx.req as AsyncIterable<Uint8Array>) {
    length += part.length;
    if (length > MOST_BODY_BYTES) throw new Refusal(413, "the request is too long");
    parts.push(part);
  }
  try {
    return JSON.parse(Buffer.concat(parts).toString("utf8"));
  } catch (cause) {
    throw new Refusal(400, "the request is not JSON", { cause });
  }
}

export function json(value: unknown): Answer {
  return { type: "application/json; charset=utf-8", body: JSON.stringify(value) };
}
