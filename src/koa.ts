/** Wraps a function as an HTTP request handler with Koa. Only this file imports Koa. */
import Koa from "koa";

export type Context = Koa.Context;
export type Handler = ReturnType<Koa["callback"]>;

/** Creates the handler. Koa prints no errors itself, so `answer` must report its own and must not throw. */
export function createKoaHandler(answer: (ctx: Context) => Promise<void>): Handler {
  const app = new Koa();
  app.silent = true;
  app.use(answer);
  return app.callback();
}
