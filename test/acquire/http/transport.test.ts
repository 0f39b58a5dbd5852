import { getEventListeners } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import * as zlib from "node:zlib";
import { afterEach, describe, expect, it } from "vitest";
import { refuseStandIn } from "../../../src/acquire/http/undici.js";
import { openTransport, type TransportOptions } from "../../../src/acquire/http/transport.js";
import { closers, exchangeOf, failureOf, HTML, open, OPTIONS, serve, serveHttp, closeAll } from "./asking.js";
import { drip, listenRaw, pour } from "./servers.js";

afterEach(closeAll);

describe("exchange", () => {
  it("reports the request as the server received it, and the answer as the server sent it", async () => {
    let asked: IncomingMessage | undefined;
    const port = await serveHttp((request, response) => {
      asked = request;
      response.writeHead(203, "Fine Then", [
        ["Content-Type", "text/html; charset=utf-8"],
        ["X-Many", "a"],
        ["x-many", "b"],
        ["X-Latin", "gr\xfcn"],
      ] as unknown as string[]); // the types do not allow pairs, which keep order and case
      response.end(HTML);
    });
    const before = Date.now();
    const url = `http://user:password@127.0.0.1:${port}/a/../b?q=ü&r#part`;
    const exchange = await exchangeOf(open()(url));
    const { rawHeaders = [] } = asked ?? {};
    expect(asked?.url).toBe("/b?q=%C3%BC&r");
    expect(exchange.requestHeaders.flat()).toEqual(rawHeaders);
    expect(Object.fromEntries(exchange.requestHeaders)).toMatchObject({
      host: `127.0.0.1:${port}`,
      "user-agent": "Thresher/1.2.3",
    });
    expect(rawHeaders.join()).not.toMatch(/authorization|cookie|referer/i);
    expect(exchange).toMatchObject({
      status: 203,
      reasonPhrase: "Fine Then",
      httpVersion: "1.1",
      contentType: "text/html; charset=utf-8",
      address: "127.0.0.1",
    });
    expect(exchange.headers.slice(0, 4)).toEqual([
      ["Content-Type", "text/html; charset=utf-8"],
      ["X-Many", "a"],
      ["x-many", "b"],
      ["X-Latin", "gr\xfcn"],
    ]);
    expect(Buffer.from(exchange.bytes).toString()).toBe(HTML);
    expect(exchange.rawBytes).toBeUndefined();
    expect(exchange.startedAt.getTime()).toBeGreaterThanOrEqual(before);
    expect(exchange.ms).toBeGreaterThan(0);
  });

  it("sends the user agent and contact that the options give", async () => {
    const port = await serveHttp((request, response) => response.end(request.headers["user-agent"]));
    const nameOf = async (options: Partial<TransportOptions>) =>
      Buffer.from((await exchangeOf(open(options)(`http://127.0.0.1:${port}/`))).bytes).toString();
    expect(await nameOf({ contact: "https://example.org/bot" })).toBe(
      "Thresher/1.2.3 (+https://example.org/bot)",
    );
    expect(await nameOf({ userAgent: "Other/1", contact: "a@example.org" })).toBe("Other/1");
  });

  it("sends the caller's headers, except those of the connection and those that HTTP cannot carry", async () => {
    let got: IncomingMessage["headers"] = {};
    const port = await serveHttp((request, response) => {
      got = request.headers;
      response.end();
    });
    const headers = {
      "If-None-Match": '"abc"',
      Accept: "text/plain",
      "If-Modified-Since": "Sat, 21 Nov 2026 00:00:00 GMT",
      "X-Split": "a\r\nX-Injected: b",
      "X-Wide": "\u2603",
      "X Space": "a",
      "": "a",
      Host: "other.example",
      Connection: "close",
      "Transfer-Encoding": "chunked",
      "Content-Length": "5",
      Upgrade: "h2c",
      Expect: "100-continue",
      "Accept-Encoding": "sdch",
      "Proxy-Authorization": "Basic eA==",
    };
    const exchange = await exchangeOf(open()(`http://127.0.0.1:${port}/`, { headers }));
    expect(got).toEqual({
      host: `127.0.0.1:${port}`,
      connection: "keep-alive",
      "user-agent": "Thresher/1.2.3",
      accept: "text/plain",
      "accept-encoding": expect.stringMatching(/^gzip, br, deflate(?:, zstd)?$/) as string,
      "if-none-match": '"abc"',
      "if-modified-since": "Sat, 21 Nov 2026 00:00:00 GMT",
    });
    expect(Object.fromEntries(exchange.requestHeaders)).toEqual(got);
  });

  it("states the last type of a repeated header, as browsers do", async () => {
    const port = await serveHttp((_, response) => {
      response.setHeader("content-type", ["text/plain", "text/html; charset=utf-8", "*/*", "html"]);
      response.end(HTML);
    });
    const exchange = await exchangeOf(open()(`http://127.0.0.1:${port}/`));
    expect(exchange.contentType).toBe("text/html; charset=utf-8");
  });

  it("does not store cookies", async () => {
    const got: (string | undefined)[] = [];
    const port = await serveHttp((request, response) => {
      got.push(request.headers.cookie);
      response.setHeader("set-cookie", "a=b").end();
    });
    const ask = open();
    for (let count = 0; count < 2; count += 1) await exchangeOf(ask(`http://127.0.0.1:${port}/`));
    expect(got).toEqual([undefined, undefined]);
  });

  it("resolves the target of a redirect but does not follow it", async () => {
    const paths: string[] = [];
    const port = await serveHttp((request, response) => {
      paths.push(request.url ?? "");
      response.writeHead(302, { location: Buffer.from("../grün?a=ä").toString("latin1") }).end("moved");
    });
    const exchange = await exchangeOf(open({ keepRaw: true })(`http://127.0.0.1:${port}/a/b`));
    expect(exchange).toMatchObject({ status: 302, location: `http://127.0.0.1:${port}/gr%C3%BCn?a=%C3%A4` });
    expect(exchange.bytes).toHaveLength(0);
    expect(Buffer.from(exchange.rawBytes ?? []).toString()).toBe("moved");
    expect(paths).toEqual(["/a/b"]);
  });

  it("keeps the bytes of a redirect in another charset unchanged", async () => {
    const port = await serveHttp((_, response) => {
      response.writeHead(302, { location: "/gr\xfcn?a=\xe4%20" }).end();
    });
    const exchange = await exchangeOf(open()(`http://127.0.0.1:${port}/a`));
    expect(exchange.location).toBe(`http://127.0.0.1:${port}/gr%FCn?a=%E4%20`);
  });

  it("returns what it has of an answer that is not a page, however the body continues", async () => {
    const head = (status: string): string => `HTTP/1.1 ${status}\r\nlocation: /there\r\n`;
    for (const [script, status] of [
      [pour("a".repeat(5000)), "302 Found"],
      [pour("a".repeat(5000)), "503 Busy"],
      [drip(".", 20), "404 Not Found"],
      [(socket: Socket) => socket.write("half"), "429 Too Many"],
      [(socket: Socket) => socket.destroy(), "301 Moved"],
    ] as const) {
      const server = await listenRaw((socket) => {
        socket.write(`${head(status)}content-encoding: br\r\ncontent-length: 90000000\r\n\r\n`, () => {
          setTimeout(script, 20, socket);
        });
      });
      closers.push(() => server.close());
      const ask = open({ timeoutMs: 700, keepRaw: true });
      const exchange = await exchangeOf(ask(`http://127.0.0.1:${server.port}/`));
      expect(exchange.status).toBe(Number(status.slice(0, 3)));
      expect(exchange.location).toBe(
        status.startsWith("3") ? `http://127.0.0.1:${server.port}/there` : undefined,
      );
      expect(exchange.truncated).toBe(exchange.rawBytes === undefined ? undefined : "length");
      expect(exchange.rawBytes?.length ?? 0).toBeLessThanOrEqual(100_000);
    }
  });

  it("accepts 304 and 204 without a body", async () => {
    const port = await serveHttp((request, response) => {
      response.writeHead(request.url === "/304" ? 304 : 204, { etag: '"a"' }).end();
    });
    const ask = open({ keepRaw: true });
    for (const status of [304, 204, 304]) {
      const exchange = await exchangeOf(ask(`http://127.0.0.1:${port}/${status}`));
      expect(exchange).toMatchObject({
        status,
        headers: expect.arrayContaining([["etag", '"a"']]) as unknown,
      });
      expect(exchange.rawBytes).toHaveLength(0);
    }
  });
});

describe("the body of an answer", () => {
  const page = Buffer.from(HTML.repeat(500));
  const codings: Record<string, [string, Uint8Array]> = {
    identity: ["identity", page],
    gzip: ["gzip", zlib.gzipSync(page)],
    members: [
      "x-gzip",
      Buffer.concat([zlib.gzipSync(page.subarray(0, 99)), zlib.gzipSync(page.subarray(99))]),
    ],
    brotli: ["BR", zlib.brotliCompressSync(page)],
    deflate: ["deflate", zlib.deflateSync(page)],
    raw: ["deflate", zlib.deflateRawSync(page)],
    twice: ["gzip , br", zlib.brotliCompressSync(zlib.gzipSync(page))],
    thrice: ["gzip, identity, gzip,br", zlib.brotliCompressSync(zlib.gzipSync(zlib.gzipSync(page)))],
    ended: ["gzip", Buffer.concat([zlib.gzipSync(page), Buffer.from("\r\n")])],
    newline: ["gzip", Buffer.concat([zlib.gzipSync(page), Buffer.from("\n")])],
    comment: ["gzip", Buffer.concat([zlib.gzipSync(page), Buffer.from("<!-- 0.1 s -->".repeat(9000))])],
    trailing: ["br", Buffer.concat([zlib.brotliCompressSync(page), Buffer.from("garbage")])],
  };
  if ("zstdCompressSync" in zlib && typeof zlib.zstdCompressSync === "function") {
    const pack = zlib.zstdCompressSync as (bytes: Uint8Array) => Buffer; // tested above
    codings["zstd"] = ["zstd", pack(page)];
    codings["frames"] = ["zstd", Buffer.concat([pack(page.subarray(0, 99)), pack(page.subarray(99))])];
  }

  it("is unpacked, and also kept in its original form", async () => {
    const port = await serveHttp((request, response) => {
      const [coding, bytes] = codings[request.url?.slice(1) ?? ""] ?? [];
      response.setHeader("content-encoding", coding ?? "");
      response.end(bytes);
    });
    const ask = open({ keepRaw: true });
    for (const [name, [, bytes]] of Object.entries(codings)) {
      const exchange = await exchangeOf(ask(`http://127.0.0.1:${port}/${name}`));
      expect(Buffer.from(exchange.bytes).equals(page), name).toBe(true);
      expect(Buffer.from(exchange.rawBytes ?? []).equals(Buffer.from(bytes)), name).toBe(true);
      expect(exchange.truncated).toBeUndefined();
    }
  });

  it("is read to its end in every coding, so that the connection can be reused", async () => {
    let connections = 0;
    const server = createServer((request, response) => {
      const [coding, bytes] = codings[request.url?.slice(1) ?? ""] ?? [];
      response.setHeader("content-encoding", coding ?? "");
      response.end(bytes);
    });
    server.on("connection", () => (connections += 1));
    const port = await serve(server);
    const ask = open();
    for (const name of Object.keys(codings)) await exchangeOf(ask(`http://127.0.0.1:${port}/${name}`));
    expect(connections).toBe(1);
  });

  it("is cut at maxBytes, of the transport or of one request, and the part before the cut is kept", async () => {
    const port = await serveHttp((_, response) => {
      response.write("a".repeat(60_000));
      response.end("b".repeat(60_000));
    });
    const ask = open({ keepRaw: true });
    const { failure, exchange } = await failureOf(ask(`http://127.0.0.1:${port}/`));
    expect(failure).toEqual({ reason: "too-large", detail: "more than 100000 bytes", retryable: false });
    expect(exchange).toMatchObject({ status: 200, truncated: "length", address: "127.0.0.1" });
    expect(exchange?.rawBytes).toHaveLength(100_000);
    expect((await exchangeOf(ask(`http://127.0.0.1:${port}/`, { maxBytes: 120_000 }))).bytes).toHaveLength(
      120_000,
    );
    expect((await failureOf(ask(`http://127.0.0.1:${port}/`, { maxBytes: 119_999 }))).failure.reason).toBe(
      "too-large",
    );
  });

  it("uses no more memory than the cap if it is a decompression bomb", async () => {
    const zeros = Buffer.alloc(100_000_000);
    const quick = { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 1 } };
    const bombs = [
      ["gzip", zlib.gzipSync(zeros)],
      ["br", zlib.brotliCompressSync(zeros, quick)],
      ["gzip, gzip", zlib.gzipSync(zlib.gzipSync(zeros))],
    ] as const;
    const port = await serveHttp((request, response) => {
      const [coding, bytes] = bombs[Number(request.url?.slice(1))] ?? ["", ""];
      response.setHeader("content-encoding", coding);
      response.end(bytes);
    });
    const ask = open();
    const before = process.memoryUsage().rss;
    let most = before;
    const timer = setInterval(() => {
      most = Math.max(most, process.memoryUsage().rss);
    }, 1);
    for (const at of bombs.keys()) {
      const { failure } = await failureOf(ask(`http://127.0.0.1:${port}/${at}`));
      expect(failure.reason).toBe("too-large");
    }
    clearInterval(timer);
    expect(most - before).toBeLessThan(40_000_000);
  });

  it("is not read if its type is not accepted", async () => {
    let sent = 0;
    const port = await serveHttp((_, response) => {
      response.setHeader("content-type", "video/mp4");
      const more = (): void => {
        while (!response.destroyed && response.write("a".repeat(10_000))) sent += 10_000;
      };
      response.on("drain", more);
      more();
    });
    const accepts = (type: string | undefined): boolean => type === "text/html";
    const ask = open({ maxBytes: 1_000_000_000 });
    const { failure, exchange } = await failureOf(ask(`http://127.0.0.1:${port}/`, { accepts }));
    expect(failure).toEqual({ reason: "unsupported-type", detail: "video/mp4", retryable: false });
    expect(exchange).toMatchObject({ status: 200, contentType: "video/mp4" });
    expect(sent).toBeLessThan(5_000_000);
  });
});

describe("connections", () => {
  it("are reused, and never exceed the limit for each host", async () => {
    for (const connections of [1, 3]) {
      let made = 0;
      let now = 0;
      let most = 0;
      const server = createServer((_, response) => {
        now += 1;
        most = Math.max(most, now);
        setTimeout(() => {
          now -= 1;
          response.end(HTML);
        }, 30);
      });
      server.on("connection", () => (made += 1));
      const port = await serve(server);
      const ask = open({ connections });
      const all = Array.from({ length: 9 }, (_, at) => exchangeOf(ask(`http://127.0.0.1:${port}/${at}`)));
      expect((await Promise.all(all)).map(({ address }) => address)).toEqual(Array(9).fill("127.0.0.1"));
      expect([made, most]).toEqual([connections, connections]);
    }
  });

  it("report the address of each host", async () => {
    const port = await serve(createServer((_, response) => response.end(HTML)));
    const ask = open({
      lookup: (name) => Promise.resolve([name === "a.example" ? "127.0.0.1" : "127.0.0.2"]),
    });
    // 127.0.0.2 refuses because no server listens there; the result for one host must not affect the other.
    const [one, other] = await Promise.all([
      ask(`http://a.example:${port}/`),
      ask(`http://b.example:${port}/`),
    ]);
    expect(one).toMatchObject({ ok: true, exchange: { address: "127.0.0.1" } });
    expect(other).toMatchObject({ ok: false, failure: { reason: "fetch-failed", retryable: true } });
  });

  it("try the next address of a host if the first one does not answer", async () => {
    const port = await serve(createServer((_, response) => response.end(HTML)));
    const ask = open({ lookup: () => Promise.resolve(["127.0.0.3", "127.0.0.1"]) });
    expect((await exchangeOf(ask(`http://a.example:${port}/`))).address).toBe("127.0.0.1");
  });

  it("do not mix up answers if a server sends more than it announced", async () => {
    const server = await listenRaw((socket, request) => {
      const path = /GET (\S+)/.exec(request)?.[1] ?? "";
      const injected = "HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nevil";
      socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${path.length}\r\n\r\n${path}${injected}`);
    });
    closers.push(() => server.close());
    const ask = open();
    for (const path of ["/a", "/b", "/c"]) {
      const exchange = await exchangeOf(ask(`http://127.0.0.1:${server.port}${path}`));
      expect(Buffer.from(exchange.bytes).toString()).toBe(path);
    }
  });

  it("time out if a name lookup never answers", async () => {
    const hanging = open({ timeoutMs: 300, lookup: () => new Promise(() => undefined) });
    expect((await failureOf(hanging("http://a.example/"))).failure).toMatchObject({
      reason: "timeout",
      retryable: true,
    });
  });

  it("release the caller at once on abort, whatever they are doing", async () => {
    const port = await serveHttp((request, response) => {
      if (request.url === "/body") response.writeHead(200).write("half");
    });
    const reason = new Error("enough");
    for (const [url, lookup] of [
      [`http://127.0.0.1:${port}/head`, undefined],
      [`http://127.0.0.1:${port}/body`, undefined],
      ["http://a.example/", () => new Promise<string[]>(() => undefined)],
    ] as const) {
      const transport = openTransport({ ...OPTIONS, ...(lookup && { lookup }) });
      closers.push(() => transport.close());
      const stop = new AbortController();
      setTimeout(() => {
        stop.abort(reason);
      }, 50);
      await expect(transport.exchange({ url }, stop.signal)).rejects.toBe(reason);
      await expect(transport.exchange({ url }, stop.signal)).rejects.toBe(reason);
    }
  });

  it("cause no warnings and leave no listeners on the caller's signal, however many there are", async () => {
    const warnings: string[] = [];
    const onWarning = ({ message }: Error): void => void warnings.push(message);
    process.on("warning", onWarning);
    const port = await serveHttp((_, response) => response.end(HTML));
    const transport = openTransport({ ...OPTIONS, lookup: () => Promise.resolve(["127.0.0.1"]) });
    closers.push(() => transport.close());
    const { signal } = new AbortController();
    const all = Array.from({ length: 100 }, (_, at) =>
      transport.exchange({ url: `http://h${at}.example:${port}/` }, signal),
    );
    expect((await Promise.all(all)).every(({ ok }) => ok)).toBe(true);
    await sleep(20);
    process.off("warning", onWarning);
    expect(warnings).toEqual([]);
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });

  it("detect silence before the time limit of the whole exchange is over", async () => {
    const port = await serveHttp(() => undefined);
    const ask = (options: Partial<TransportOptions>) => failureOf(open(options)(`http://127.0.0.1:${port}/`));
    const whole = ask({ timeoutMs: 10_000, idleMs: 20_000 }).then(
      () => "the whole",
      () => "the whole",
    );
    const silence = ask({ timeoutMs: 20_000, idleMs: 200 });
    expect(await Promise.race([silence.then(() => "silence"), whole])).toBe("silence");
    expect((await silence).failure).toMatchObject({ reason: "timeout", retryable: true });
  });

  it("report which failures of a name lookup can be retried", async () => {
    for (const [code, retryable] of [
      ["ENOTFOUND", false],
      ["EAI_AGAIN", true],
      ["ESERVFAIL", true],
    ] as const) {
      const lookup = () => Promise.reject(Object.assign(new Error("no such name"), { code }));
      const { failure } = await failureOf(open({ lookup })("http://a.example/"));
      expect(failure).toEqual({ reason: "dns", detail: `${code}: no such name`, retryable });
    }
  });
});

describe("the replacement for undici in another runtime", () => {
  it("is refused before any request is made", () => {
    expect(() => {
      refuseStandIn({ close: () => undefined });
    }).toThrow(/use Node\.js or Deno/);
  });
});
