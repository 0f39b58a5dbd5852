/** Makes the answers of well-behaved servers: pages, redirects, robots.txt, and compressed and dated answers. */
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import type { OutgoingHttpHeaders } from "node:http";
import type { Answer, Site } from "./farm.js";

/** Answers paths by name; "*" answers all other paths except /robots.txt. */
export function site(answers: Readonly<Record<string, Answer>>): Site {
  return (path) => answers[path] ?? (path === "/robots.txt" ? undefined : answers["*"]);
}

export function send(body: string | Uint8Array, headers: OutgoingHttpHeaders = {}, status = 200): Answer {
  return ({ response }) => {
    response.writeHead(status, { "content-type": "text/html; charset=utf-8", ...headers }).end(body);
  };
}

/** Makes a page with enough words to be kept. */
export function page(title: string, links: readonly string[] = []): Answer {
  return send(pageHtml(title, links));
}

const SENTENCES = [
  "The ferry leaves the old harbour at seven and comes back after dark, whatever the weather does.",
  "Most of the people on board have made the trip more often than they can count, and they sit where they always sit.",
  "In winter the captain waits for the baker, because nobody on the island wants to go without bread.",
  "The engine was rebuilt twice, and the second time a bolt was left over that now hangs in the wheelhouse.",
];

export function pageHtml(title: string, links: readonly string[] = []): string {
  const anchors = links.map((href) => `<li><a href="${href}">${href}</a></li>`).join("");
  const text = SENTENCES.map((sentence, at) => `<p>${sentence} This is sentence ${at + 1} of ${title}.</p>`);
  return `<!doctype html><html lang="en"><head><title>${title}</title></head><body><nav><ul>${anchors}</ul></nav><main><article><h1>${title}</h1>${text.join("")}</article></main></body></html>`;
}

export function robots(...lines: readonly string[]): Answer {
  return send(`${lines.join("\n")}\n`, { "content-type": "text/plain" });
}

export function go(location: string, status = 302): Answer {
  return send("moved", { location }, status);
}

export function status(code: number, headers: OutgoingHttpHeaders = {}): Answer {
  return send(`<p>This is ${code}.</p>`, headers, code);
}

/** Gives the answers in turn, one per visit; later visits get the last one. */
export function turns(...answers: readonly [Answer, ...Answer[]]): Answer {
  return (hit) => {
    (answers[hit.before] ?? answers.at(-1) ?? answers[0])(hit);
  };
}

/** Gives an answer after `ms` milliseconds, unless the connection closes before. */
export function later(ms: number, answer: Answer): Answer {
  return (hit) => {
    const timer = setTimeout(() => {
      answer(hit);
    }, ms);
    hit.response.on("close", () => {
      clearTimeout(timer);
    });
  };
}

const PACKERS = {
  gzip: (bytes: Uint8Array) => gzipSync(bytes),
  deflate: (bytes: Uint8Array) => deflateSync(bytes),
  br: (bytes: Uint8Array) => brotliCompressSync(bytes),
} as const;

export type Coding = keyof typeof PACKERS;

/** Compresses the body with each coding in turn, and lists them in `Content-Encoding`. */
export function packed(body: string, ...codings: readonly Coding[]): Answer {
  const bytes = codings.reduce<Uint8Array>((inner, coding) => PACKERS[coding](inner), Buffer.from(body));
  return send(bytes, { "content-encoding": codings.join(", ") });
}

export interface Dated {
  readonly etag?: string;
  readonly lastModified?: string;
}

/** Answers 304 when the request has the same `etag`, or without an `etag` the same `lastModified`. */
export function dated(body: string, { etag, lastModified }: Dated): Answer {
  const headers = {
    ...(etag === undefined ? {} : { etag }),
    ...(lastModified === undefined ? {} : { "last-modified": lastModified }),
  };
  return (hit) => {
    const isKnown =
      etag === undefined
        ? lastModified !== undefined && hit.headers["if-modified-since"] === lastModified
        : hit.headers["if-none-match"] === etag;
    if (isKnown) hit.response.writeHead(304, headers).end();
    else send(body, headers)(hit);
  };
}
