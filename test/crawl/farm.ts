/** Serves many hosts from one loopback server, which logs each request with its times. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TransportOptions } from "../../src/acquire/http/transport.js";
import type { Crawl, CrawlEvent, CrawlOptions } from "../../src/crawl/types.js";

export interface Visit {
  readonly host: string;
  readonly path: string;
  readonly startMs: number;
  endMs: number;
  readonly headers: IncomingMessage["headers"];
}

export interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  readonly afterMs?: number;
  /** Breaks the connection instead of answering. */
  readonly isBroken?: boolean;
}

export type Site = (path: string, visit: Visit) => Answer | undefined;

export interface Farm {
  readonly port: number;
  readonly visits: readonly Visit[];
  /** The visits to all paths except robots.txt. */
  pages(): readonly Visit[];
  url(host: string, path: string): string;
  close(): Promise<void>;
}

/** `site` answers for every host; undefined means 404. */
export async function openFarm(site: Site): Promise<Farm> {
  const visits: Visit[] = [];
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    const host = (request.headers.host ?? "").replace(/:\d+$/, "");
    const path = request.url ?? "";
    const visit = { host, path, startMs: Date.now(), endMs: Infinity, headers: request.headers };
    visits.push(visit);
    const found = site(path, visit) ?? { status: 404, body: "no such page" };
    setTimeout(() => {
      visit.endMs = Date.now();
      if (found.isBroken === true) {
        request.socket.destroy();
        return;
      }
      response.writeHead(found.status ?? 200, {
        "content-type": "text/html; charset=utf-8",
        ...found.headers,
      });
      response.end(found.body ?? page(`${host}${path}`));
    }, found.afterMs ?? 0);
  };
  const server = createServer(answer);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    port,
    visits,
    pages: () => visits.filter(({ path }) => path !== "/robots.txt"),
    url: (host, path) => `http://${host}:${port}${path}`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/** Makes a page of a few lines with links. */
export function page(title: string, links: readonly string[] = []): string {
  const anchors = links.map((link) => `<p><a href="${link}">to ${link}</a></p>`).join("\n");
  const text = "It was a bright day, and the harvest had been brought in before the rain began. ".repeat(3);
  return `<!doctype html><html lang="en"><title>${title}</title><main><h1>${title}</h1><p>${text}</p>${anchors}</main></html>`;
}

export const TRANSPORT: TransportOptions = {
  maxBytes: 1_000_000,
  timeoutMs: 5000,
  addresses: "any",
  lookup: () => Promise.resolve(["127.0.0.1"]),
};

export function makeDir(): string {
  return mkdtempSync(join(tmpdir(), "thresher-crawl-"));
}

/** Returns options for a quick crawl; `more` overrides them. */
export function quick(dir: string, more: Partial<CrawlOptions> = {}): CrawlOptions {
  return {
    dir,
    version: "1.2.3",
    transport: TRANSPORT,
    politeness: { delayMs: 0, retryMs: 20, ...more.politeness },
    ...Object.fromEntries(Object.entries(more).filter(([name]) => name !== "politeness")),
  };
}

/** Returns all events, and confirms them if `confirms` is set. */
export async function runAll(crawl: Crawl, confirms = true): Promise<CrawlEvent[]> {
  const events: CrawlEvent[] = [];
  for await (const event of crawl.run(new AbortController().signal)) events.push(event);
  if (confirms) await crawl.confirm(events.at(-1)?.number ?? 0);
  return events;
}
