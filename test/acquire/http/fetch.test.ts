import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import * as zlib from "node:zlib";
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openFetcher, type FetchOptions } from "../../../src/acquire/http/fetch.js";
import { fetchPage } from "./fetch-page.js";
import { openInputs } from "../../../src/acquire/inputs.js";
import type { Reject } from "../../../src/outcome.js";
import { gather, summarise } from "../gather.js";

const HTML = "<!doctype html><title>A</title><p>Text of the page, grün.</p>";
const OPTIONS: FetchOptions = { maxBytes: 100_000, timeoutMs: 5000, version: "1.2.3" };

/** Newer versions of Node.js can unpack zstd, so they also ask for it. */
const HAS_ZSTD = "createZstdDecompress" in zlib;

type Handler = (request: IncomingMessage, response: ServerResponse) => void;
const send =
  (
    body: string | Uint8Array,
    headers: Readonly<Record<string, string>> = { "content-type": "text/html" },
    status = 200,
  ): Handler =>
  (_, response) => {
    response.writeHead(status, headers).end(body);
  };
const go =
  (location: string, status = 302): Handler =>
  (_, response) => {
    response.writeHead(status, { location }).end("moved");
  };
const coded = (body: Uint8Array, coding: string): Handler =>
  send(body, { "content-type": "text/html", "content-encoding": coding });

/** Bytes that are neither text nor compressed. */
const NOT_TEXT = Buffer.from([0, 1, 2, 3]);

const nameIn = ({ url = "" }: IncomingMessage): string => url.slice(url.indexOf("?") + 1);

let asked: IncomingMessage | undefined;
const ROUTES: Readonly<Record<string, Handler>> = {
  "/page": (request, response) => {
    asked = request;
    send(HTML, { "content-type": "text/html; charset=utf-8" })(request, response);
  },
  "/text": send("Plain text.", { "content-type": "text/plain" }),
  "/html-as-text": send(HTML, { "content-type": "text/plain" }),
  "/untyped": send(HTML, {}),
  "/badly-typed": send(HTML, { "content-type": "html" }),
  "/unknown": send(HTML, { "content-type": "application/unknown" }),
  "/any": send(HTML, { "content-type": "*/*" }),
  "/phone": send(HTML, { "content-type": "application/vnd.wap.xhtml+xml; charset=utf-8" }),
  "/x-markdown": send("Plain text.", { "content-type": "text/x-markdown" }),
  "/xhtml": send(HTML, { "content-type": "application/xhtml+xml" }),
  "/xml-page": send(`<?xml version="1.0"?>${HTML}`, { "content-type": "text/xml" }),
  "/feed": send("<?xml version='1.0'?><rss><channel/></rss>", { "content-type": "application/xml" }),
  "/pdf": send("%PDF-1.4", { "content-type": "application/pdf" }),
  "/pdf-as-html": send("%PDF-1.4\n%abc"),
  "/empty": send(""),
  "/204": send("", {}, 204),
  "/404": send(HTML, { "content-type": "text/html" }, 404),
  "/429": send("slow down", {}, 429),
  "/503": send("later", {}, 503),
  "/304": send("", {}, 304),
  "/hop": go("/hop2", 301),
  "/hop2": go("page#part", 308),
  "/loop": go("/loop2"),
  "/loop2": go("/loop#again"),
  "/self": go("/self"),
  "/endless": (request, response) => {
    const n = Number(new URL(request.url ?? "", "http://x").searchParams.get("n"));
    go(`/endless?n=${n + 1}`)(request, response);
  },
  "/gate": (request, response) => {
    if (request.headers.cookie === "seen=1; lang=en")
      send(HTML, { "content-type": "text/html" })(request, response);
    else {
      const old = request.headers.cookie === undefined ? [] : ["old=; Max-Age=0", "lang=en"];
      const all = [
        "seen=1; Path=/gate",
        "old=1",
        "secret=1; Secure",
        "other=1; Domain=example.org",
        "deep=1; Path=/gate/in",
      ];
      response.writeHead(302, { location: "/gate", "set-cookie": [...all, ...old] }).end();
    }
  },
  "/forgets": (_request, response) => {
    response.writeHead(302, { location: "/forgets", "set-cookie": "a=1" }).end();
  },
  "/elsewhere": go("ftp://example.org/"),
  "/nowhere": go("http://["),
  "/to-user": (request, response) => {
    go(`//bob:secret@${request.headers.host ?? ""}/page`)(request, response);
  },
  "/silent-redirect": send("moved", {}, 302),
  "/gzip": coded(gzipSync(HTML), "gzip"),
  "/x-gzip": coded(gzipSync(HTML), "X-GZIP"),
  "/br": coded(brotliCompressSync(HTML), "br"),
  "/deflate": coded(deflateSync(HTML), "deflate"),
  "/raw": coded(deflateRawSync(HTML), "deflate"),
  "/twice": coded(brotliCompressSync(gzipSync(HTML)), "gzip, br"),
  "/packed": send(gzipSync(HTML), { "content-type": "application/gzip" }),
  "/packed-and-more": send(Buffer.concat([gzipSync(HTML), Buffer.from("\n")]), {
    "content-type": "application/gzip",
  }),
  "/identity": coded(Buffer.from(HTML), "identity"),
  "/zstd": coded(NOT_TEXT, "zstd"),
  "/sdch": coded(Buffer.from(HTML), "sdch"),
  "/many": coded(Buffer.from(HTML), "gzip, gzip, gzip, gzip"),
  "/cut-gzip": coded(gzipSync(HTML).subarray(0, 40), "gzip"),
  "/no-gzip": coded(NOT_TEXT, "gzip"),
  "/gzip-text": coded(Buffer.from(HTML), "gzip"),
  "/br-text": coded(Buffer.from(HTML), "br"),
  "/deflate-text": coded(Buffer.from(HTML), "deflate"),
  "/two-lines": (_, response) => {
    response.setHeader("content-type", "text/html");
    response.setHeader("content-encoding", ["gzip", "br"]);
    response.end(brotliCompressSync(gzipSync(HTML)));
  },
  "/named": (request, response) => {
    coded(Buffer.from(HTML), nameIn(request))(request, response);
  },
  "/named-and-packed": (request, response) => {
    coded(gzipSync(HTML), `gzip, ${nameIn(request)}`)(request, response);
  },
  "/gzip-once": coded(gzipSync(HTML), "gzip, gzip"),
  "/bomb": coded(gzipSync(Buffer.alloc(30_000_000, 0x61)), "gzip"),
  "/brotli-bomb": coded(brotliCompressSync(Buffer.alloc(200_000_000, 0x61)), "br"),
  "/large": send("a".repeat(100_001)),
  "/just-fits": send("a".repeat(100_000)),
  "/endless-body": (_, response) => {
    response.writeHead(200, { "content-type": "text/html" });
    const more = (): void => {
      while (!response.destroyed && response.write("a".repeat(10_000)));
    };
    response.on("drain", more);
    more();
  },
  "/silent": () => undefined,
  "/stalled": (_, response) => {
    response.writeHead(200, { "content-type": "text/html" }).write("<html>half");
  },
  "/dripping": (_, response) => {
    response.writeHead(200, { "content-type": "text/html" });
    const timer = setInterval(() => response.write("."), 20);
    response.on("close", () => {
      clearInterval(timer);
    });
  },
  "/cut": (_, response) => {
    response.writeHead(200, { "content-type": "text/html", "content-length": "1000" });
    response.write("<html>half", () => response.destroy());
  },
  "/cut-chunked": (_, response) => {
    response.writeHead(200, { "content-type": "text/html" });
    response.write("<html>half", () => response.destroy());
  },
  "/hang-up": (request) => {
    request.socket.destroy();
  },
  "/garbage": (request) => {
    request.socket.end("this is no HTTP\r\n\r\n");
  },
};

let server: Server;
let base = "";

beforeAll(async () => {
  server = createServer((request, response) => {
    const path = (request.url ?? "").split("?", 1)[0] ?? "";
    (ROUTES[path] ?? send("no such route", {}, 404))(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // The address of a TCP server is an object.
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const fetchFrom = (path: string, options: Partial<FetchOptions> = {}) =>
  fetchPage(`${base}${path}`, { ...OPTIONS, ...options });
const textOf = async (path: string): Promise<string> => {
  const outcome = await fetchFrom(path);
  if (!outcome.ok || outcome.value.content.kind !== "bytes") return JSON.stringify(outcome);
  return `${outcome.value.content.format ?? ""}: ${Buffer.from(outcome.value.content.bytes).toString()}`;
};
const rejectOf = async (path: string, options: Partial<FetchOptions> = {}): Promise<Reject> => {
  const outcome = await fetchFrom(path, options);
  if (outcome.ok) expect.unreachable(`${path} gave a page`);
  expect(outcome).toMatchObject({ id: `${base}${path}`, url: `${base}${path}`, stage: "acquire" });
  return outcome;
};

describe("fetchPage", () => {
  it("returns the page with its type, and sends our user agent", async () => {
    expect(await fetchFrom("/page")).toEqual({
      ok: true,
      value: {
        id: `${base}/page`,
        url: `${base}/page`,
        content: {
          kind: "bytes",
          bytes: Buffer.from(HTML),
          format: "html",
          contentType: "text/html; charset=utf-8",
        },
      },
    });
    expect(asked?.headers).toMatchObject({
      "user-agent": "Thresher/1.2.3",
      "accept-encoding": HAS_ZSTD ? "gzip, br, deflate, zstd" : "gzip, br, deflate",
    });
  });

  it("follows redirects, returns the last URL and keeps the given id", async () => {
    const outcome = await fetchFrom("/hop");
    expect(outcome).toMatchObject({ ok: true, value: { id: `${base}/hop`, url: `${base}/page#part` } });
  });

  it("drops user names and passwords from given URLs and from redirects", async () => {
    for (const path of ["/page", "/to-user"]) {
      const given = `${base}${path}`.replace("//", "//ann:secret@");
      const outcome = await fetchPage(given, OPTIONS);
      expect(summarise([outcome])).toEqual(["page"]);
      expect(JSON.stringify(outcome)).not.toContain("secret");
      expect(asked?.headers.authorization).toBeUndefined();
    }
  });

  it("stops at redirect loops, endless chains and unusable redirects with the reason http-status", async () => {
    for (const [path, detail] of [
      ["/loop", /^HTTP 302: redirect loop at .*\/loop#again$/],
      ["/self", /^HTTP 302: redirect loop at/],
      ["/forgets", /^HTTP 302: redirect loop at/],
      ["/endless?n=0", /^HTTP 302: more than 10 redirects$/],
      ["/elsewhere", /^HTTP 302: redirect to a URL that cannot be fetched: ftp:/],
      ["/nowhere", /^HTTP 302: redirect to a URL that cannot be fetched/],
      ["/silent-redirect", /^HTTP 302$/],
    ] as const) {
      const { reason, detail: found } = await rejectOf(path);
      expect(reason).toBe("http-status");
      expect(found).toMatch(detail);
    }
  });

  it("sends the cookies back that servers set on the way, and forgets them with the page", async () => {
    for (const _ of [1, 2]) expect(await fetchFrom("/gate")).toMatchObject({ ok: true });
  });

  it("unpacks every coding that it asks for", async () => {
    for (const path of [
      "/gzip",
      "/x-gzip",
      "/br",
      "/deflate",
      "/raw",
      "/twice",
      "/two-lines",
      "/packed",
      "/packed-and-more",
      "/identity",
    ]) {
      expect(await textOf(path), path).toBe(`html: ${HTML}`);
    }
  });

  it("reads plain text as it is even if a header claims that it is compressed", async () => {
    for (const coding of ["gzip", "br", "deflate"])
      expect(await textOf(`/${coding}-text`), coding).toBe(`html: ${HTML}`);
    expect(await textOf("/gzip-once")).toBe(`html: ${HTML}`);
  });

  it("ignores content codings that do not exist", async () => {
    for (const name of ["utf-8", "none", "8bit", "text/html", "iso-8859-1", "charset=windows-1251"]) {
      expect(await textOf(`/named?${name}`), name).toBe(`html: ${HTML}`);
      expect(await textOf(`/named-and-packed?${name}`), name).toBe(`html: ${HTML}`);
    }
  });

  it("rejects unsupported and broken content codings", async () => {
    expect(await rejectOf("/zstd")).toMatchObject(
      HAS_ZSTD ? { reason: "broken-gzip" } : { reason: "unsupported-type", detail: "content-encoding zstd" },
    );
    expect(await rejectOf("/sdch")).toMatchObject({
      reason: "unsupported-type",
      detail: "content-encoding sdch",
    });
    expect(await rejectOf("/many")).toMatchObject({
      reason: "unsupported-type",
      detail: "4 content codings",
    });
    expect((await rejectOf("/cut-gzip")).reason).toBe("broken-gzip");
    expect((await rejectOf("/no-gzip")).reason).toBe("broken-gzip");
  });

  it("counts decoded bytes and stops a decompression bomb early", async () => {
    const before = process.memoryUsage().rss;
    for (const path of ["/bomb", "/brotli-bomb", "/large", "/endless-body"]) {
      expect(await rejectOf(path), path).toMatchObject({
        reason: "too-large",
        detail: "more than 100000 bytes",
      });
    }
    expect(process.memoryUsage().rss - before).toBeLessThan(60_000_000);
    expect((await fetchFrom("/just-fits")).ok).toBe(true);
  });

  it("accepts HTML and plain text, sniffs missing or unknown types, and names the types that it rejects", async () => {
    expect(await textOf("/text")).toBe("text: Plain text.");
    expect(await textOf("/x-markdown")).toBe("text: Plain text.");
    for (const path of ["/html-as-text", "/untyped", "/badly-typed", "/unknown", "/any", "/phone", "/xhtml"])
      expect(await textOf(path)).toBe(`html: ${HTML}`);
    expect(await textOf("/xml-page")).toContain("html: <?xml");
    expect(await rejectOf("/feed")).toMatchObject({
      reason: "unsupported-type",
      detail: "application/xml that is not XHTML",
    });
    expect(await rejectOf("/pdf")).toMatchObject({ reason: "unsupported-type", detail: "application/pdf" });
    expect(await rejectOf("/pdf-as-html")).toMatchObject({ reason: "binary", detail: "PDF" });
    expect((await fetchFrom("/feed", { from: "text" })).ok).toBe(true);
    for (const path of ["/empty", "/204"]) expect((await rejectOf(path)).reason).toBe("empty");
  });

  it("reports the HTTP status of an error", async () => {
    for (const status of [304, 404, 429, 503]) {
      expect(await rejectOf(`/${status}`)).toMatchObject({ reason: "http-status", detail: `HTTP ${status}` });
    }
  });

  it("times out if the server is silent, stalls or drips", async () => {
    for (const path of ["/silent", "/stalled", "/dripping"]) {
      expect((await rejectOf(path, { timeoutMs: 300 })).reason, path).toBe("timeout");
    }
  });

  it("reports how the connection failed", async () => {
    for (const path of ["/cut", "/cut-chunked", "/hang-up", "/garbage"]) {
      const { reason, detail } = await rejectOf(path);
      expect(reason, path).toBe("fetch-failed");
      expect(detail, path).toMatch(/^[A-Z_]+: \S/);
    }
    for (const [url, reason, expected] of [
      ["http://127.0.0.1:1/", "fetch-failed", /^ECONNREFUSED: \S/],
      ["http://no-such-host.invalid/", "dns", /^(?:ENOTFOUND|EAI_AGAIN): \S/],
    ] as const) {
      const outcome = await fetchPage(url, OPTIONS);
      if (outcome.ok) expect.unreachable(`${url} gave a page`);
      expect(outcome.reason).toBe(reason);
      expect(outcome.detail).toMatch(expected);
    }
  });

  it("refuses URLs that are not http or https", async () => {
    for (const url of [
      "ftp://example.org/",
      "file:///etc/hosts",
      "no url",
      "http://",
      "javascript:alert(1)",
    ]) {
      expect(await fetchPage(url, OPTIONS), url).toMatchObject({ ok: false, reason: "bad-url" });
    }
  });

  it("throws the abort reason of the caller's signal", async () => {
    const reason = new Error("enough");
    await expect(fetchPage(`${base}/page`, { ...OPTIONS, signal: AbortSignal.abort(reason) })).rejects.toBe(
      reason,
    );
    for (const path of ["/silent", "/dripping"]) {
      const stop = new AbortController();
      setTimeout(() => {
        stop.abort(reason);
      }, 50);
      await expect(fetchPage(`${base}${path}`, { ...OPTIONS, signal: stop.signal })).rejects.toBe(reason);
    }
  });

  it("reuses one connection for several pages", async () => {
    let connections = 0;
    const count = (): void => {
      connections += 1;
    };
    server.on("connection", count);
    const fetcher = openFetcher(OPTIONS);
    for (const path of ["/page", "/gzip", "/hop", "/text"])
      expect((await fetcher.fetchPage(`${base}${path}`)).ok).toBe(true);
    await fetcher.close();
    server.off("connection", count);
    expect(connections).toBe(1);
  });
});

describe("openInputs with URLs", () => {
  it("continues after a URL that fails", async () => {
    const source = openInputs(["http://127.0.0.1:1/", `${base}/404`, `${base}/page`], OPTIONS);
    expect(summarise(await gather(source))).toEqual(["fetch-failed", "http-status", "page"]);
  });

  it("ends without an error when it is aborted during a fetch", async () => {
    const stop = new AbortController();
    const abort = ({ url }: IncomingMessage): void => {
      if (url === "/silent") stop.abort();
    };
    server.on("request", abort);
    const outcomes = await gather(
      openInputs([`${base}/page`, `${base}/silent`, `${base}/page`], OPTIONS),
      stop.signal,
    );
    server.off("request", abort);
    expect(summarise(outcomes)).toEqual(["page"]);
  });
});
