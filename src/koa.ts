/** Hands HTTP requests to a function with Koa, as its one door. */
import Koa from "koa";

export type Context = Koa.Context;
export type Handler = ReturnType<Koa["callback"]>;

/** What Koa would print itself is left to `answer`, which must not throw. */
export function createKoaHandler(answer: (ctx: Context) => Promise<void>): Handler {
  const app = new Koa();
  app.silent = true;
  app.use(answer);
  return app.callback();
}
