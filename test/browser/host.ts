/** Serves what was built for browsers, as a static host does, and compares results with those of Node.js. */
import { readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Server } from "node:http";
import { createThresher, type DocumentRecord } from "../../src/index.js";

export const BUILT = "dist/browser";
export const FIXTURES = [
  ...readdirSync("fixtures/pages").map((slug) => `fixtures/pages/${slug}/source.html`),
  ...readdirSync("fixtures/text").map((slug) => `fixtures/text/${slug}/source.txt`),
];

export type Outcome = { readonly ok: true; readonly value: DocumentRecord } | { readonly ok: false };

const TYPES: Readonly<Record<string, string>> = { js: "text/javascript", html: "text/html" };

/** Answers as a static host does; `/half.model` is a truncated file. */
function answer(path: string): Buffer | undefined {
  if (path === "/empty.html") return Buffer.from("<!doctype html><title>x</title>");
  if (path === "/half.model") return readFileSync(`${BUILT}/page.model`).subarray(0, 100_000);
  if (path.startsWith("/fixtures/")) return readFileSync(path.slice(1));
  return readdirSync(BUILT).includes(path.slice(1)) ? readFileSync(BUILT + path) : undefined;
}

export interface Host {
  /** Without a slash at its end. */
  readonly address: string;
  readonly port: number;
  close(): void;
}

export async function startHost(): Promise<Host> {
  const server = createServer((request, response) => {
    const path = (request.url ?? "").split("?", 1)[0] ?? "";
    const body = answer(path);
    const type = TYPES[path.split(".").at(-1) ?? ""] ?? "application/octet-stream";
    response.writeHead(body === undefined ? 404 : 200, { "content-type": type }).end(body);
  });
  const port = await listen(server);
  return {
    address: `http://127.0.0.1:${port}`,
    port,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Starts a server on the loopback, and returns its port. */
export async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port; // it listens to a port
}

export interface Proxy {
  readonly port: number;
  /** The requests, except those of the browser itself. */
  readonly asked: string[];
  close(): void;
}

/** Starts a proxy that answers nothing and records the requests; `own` are the hosts that a browser contacts by itself. */
export async function startProxy(own: RegExp): Promise<Proxy> {
  const asked: string[] = [];
  const remember = (url = ""): void => {
    if (!own.test(url)) asked.push(url);
  };
  const server = createServer((request, response) => {
    remember(request.url);
    response.writeHead(502).end();
  });
  server.on("connect", (request, socket) => {
    remember(request.url);
    socket.end();
  });
  const port = await listen(server);
  return {
    port,
    asked,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** The body of an async function that cleans all fixtures through the worker of the ES module `t`. */
export const CLEAN_FIXTURES = `
  const worker = t.openWorker({ maxMs: 60000 });
  const outcomes = [];
  for (const path of ${JSON.stringify(FIXTURES)}) {
    const bytes = new Uint8Array(await (await fetch("/" + path)).arrayBuffer());
    const contentType = path.endsWith(".txt") ? "text/plain" : "text/html";
    outcomes.push(await worker.clean({ id: path, bytes, contentType }, { keepBoilerplate: true }));
  }
  worker.close();
  return outcomes;
`;

export interface Difference {
  /** The fixtures that have another label or text than in Node.js. */
  readonly others: readonly string[];
  /** The largest difference of two scores. */
  readonly most: number;
  readonly lines: number;
}

/** Compares a browser's results for the fixtures with those of Node.js. */
export async function compareWithNode(given: readonly Outcome[]): Promise<Difference> {
  const thresher = await createThresher({ workers: 1, keepBoilerplate: true });
  const others: string[] = [];
  let most = 0;
  let lines = 0;
  for (const [at, path] of FIXTURES.entries()) {
    const contentType = path.endsWith(".txt") ? "text/plain" : "text/html";
    const wanted = await thresher.clean({ id: path, bytes: readFileSync(path), contentType });
    const own = given[at];
    if (!wanted.ok || own?.ok !== true) throw new Error(`${path} did not become a document`);
    const isSame =
      own.value.text === wanted.value.text && labelsOf(own.value).join() === labelsOf(wanted.value).join();
    if (!isSame) others.push(path);
    for (const [line, { score }] of (wanted.value.lines ?? []).entries())
      most = Math.max(most, Math.abs(score - (own.value.lines?.[line]?.score ?? Number.NaN)));
    lines += wanted.value.lines?.length ?? 0;
  }
  await thresher.close();
  return { others, most, lines };
}

export function labelsOf({ lines = [] }: DocumentRecord): string[] {
  return lines.map(({ label }) => label);
}
