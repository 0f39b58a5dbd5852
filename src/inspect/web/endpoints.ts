/** Lists the server's routes, and checks requests before anything is done. */
import { readdirSync, readFileSync } from "node:fs";
import { toFields } from "../../json.js";
import type { Annotations } from "../annotate/annotations.js";
import type { Change, MarkRequest } from "../app/wire.js";
import type { Catalog } from "../records/catalog.js";
import { exportGold } from "../annotate/export-gold.js";
import { json, type Answer, type Route } from "./http.js";
import { isMark } from "../annotate/journal.js";
import { PAGE_POLICY } from "../page-view.js";
import { Refusal } from "./refusal.js";
import type { Session } from "../session.js";
import { SHELL, SHELL_POLICY } from "./shell.js";
import { STYLE } from "./style.js";

export interface EndpointTools {
  readonly session: Session;
  readonly catalog: Catalog;
  readonly annotations: Annotations;
  readonly annotator: string;
}

/** The folder with the modules of the page. */
const APP = new URL("../app/", import.meta.url);

export function createRoutes(tools: EndpointTools): Readonly<Record<string, Route>> {
  const { session } = tools;
  const get = (answer: Route["answer"]): Route => ({ method: "GET", answer });
  return {
    "/": get(() => ({ ...html(SHELL), headers: { "Content-Security-Policy": SHELL_POLICY } })),
    "/style.css": get(() => ({ type: "text/css; charset=utf-8", body: STYLE })),
    ...Object.fromEntries(listModules().map((name) => [`/app/${name}`, get(() => readModule(name))])),
    "/api/list": get(({ query }) => json(session.list(query))),
    "/api/document": get(async ({ query }) => json(await session.show(keyOf(query), query))),
    "/api/cut": get(async ({ query }) => json(await session.cut(keyOf(query), readCut(query)))),
    "/api/why": get(async ({ query }) => json(await session.why(keyOf(query), readLine(query)))),
    "/api/marks": get(async ({ query }) => json(await session.marks(keyOf(query)))),
    "/api/mark": {
      method: "POST",
      answer: async ({ body }) => json(await session.mark(readMarkRequest(body))),
    },
    "/api/agreement": get(async () => json(await session.agreement())),
    "/api/gold": get(({ query }) => giveGold(query, tools)),
    "/page": get(async ({ query }) => ({
      ...html(await session.page(keyOf(query))),
      headers: { "Content-Security-Policy": PAGE_POLICY },
    })),
  };
}

function html(body: string): Answer {
  return { type: "text/html; charset=utf-8", body };
}

function listModules(): readonly string[] {
  return readdirSync(APP).filter((name) => name.endsWith(".js"));
}

function readModule(name: string): Answer {
  return { type: "text/javascript; charset=utf-8", body: readFileSync(new URL(name, APP), "utf8") };
}

async function giveGold(query: URLSearchParams, tools: EndpointTools): Promise<Answer> {
  const { catalog, annotations, annotator } = tools;
  await annotations.refresh();
  const body = exportGold(catalog, annotations, {
    annotator,
    comments: query.get("comments") === "content" ? "content" : "boilerplate",
    only: query.get("only") === "done" ? "done" : "begun",
    source: query.get("source") === "without" ? "without" : "with",
  });
  return {
    type: "application/x-ndjson; charset=utf-8",
    body,
    headers: { "Content-Disposition": 'attachment; filename="gold.jsonl"' },
  };
}

function keyOf(query: URLSearchParams): string {
  const key = query.get("key");
  if (key === null) throw new Refusal(400, "no document is named");
  return key;
}

/** Returns undefined for the stored cut. */
function readCut(query: URLSearchParams): number | undefined {
  const text = query.get("cut");
  if (text === null || text === "") return undefined;
  const cut = Number(text);
  if (!(cut >= 0 && cut <= 1)) throw new Refusal(400, "cut must be a number from 0 to 1");
  return cut;
}

function readLine(query: URLSearchParams): number {
  const text = query.get("line") ?? "";
  if (!/^\d{1,9}$/.test(text)) throw new Refusal(400, "line must be a whole number of at least 0");
  return Number(text);
}

/** Most changes in one request: all lines of the longest documents. */
const MOST_CHANGES = 100_000;

function readMarkRequest(body: unknown): MarkRequest {
  const { key, digest, changes } = toFields(body);
  if (typeof key !== "string" || typeof digest !== "string" || !Array.isArray(changes))
    throw new Refusal(400, "a request to mark must have key, digest and changes");
  if (changes.length > MOST_CHANGES) throw new Refusal(413, "too many changes at once");
  return { key, digest, changes: changes.map(readChange) };
}

function readChange(value: unknown): Change {
  const { line, was, mark } = toFields(value);
  if (Number.isInteger(line) && Number(line) >= 0 && isMarkOrNone(was) && isMarkOrNone(mark))
    return { line: Number(line), was, mark };
  throw new Refusal(400, "a change must have line, was and mark");
}

function isMarkOrNone(value: unknown): value is Change["mark"] {
  return value === null || isMark(value);
}
