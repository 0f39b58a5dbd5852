import { createServer } from "node:http";
import { createSecureServer, type ServerHttp2Stream } from "node:http2";
import { createServer as createSecure } from "node:https";
import { createServer as createPlain, Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { afterEach, describe, expect, it } from "vitest";
import { closers, exchangeOf, failureOf, HTML, open, serve, serveHttp, closeAll } from "./asking.js";
import { makeCertificate } from "./certificate.js";
import { listenRaw } from "./servers.js";

afterEach(closeAll);

describe("TLS", () => {
  const good = makeCertificate(["secure.example", "127.0.0.1"]);
  const serveTls = (certificate = good): Promise<number> =>
    serve(createSecure(certificate, (_, response) => response.end(HTML)));
  const lookup = (): Promise<readonly string[]> => Promise.resolve(["127.0.0.1"]);

  it("accepts a server whose certificate is trusted", async () => {
    const port = await serveTls();
    const ask = open({ ca: good.cert, lookup });
    for (const host of ["secure.example", "127.0.0.1"]) {
      const exchange = await exchangeOf(ask(`https://${host}:${port}/`));
      expect(exchange).toMatchObject({ status: 200, address: "127.0.0.1", httpVersion: "1.1" });
    }
  });

  it("fails for every other certificate, and does not fall back to plain HTTP", async () => {
    const old = makeCertificate(["secure.example"], { to: "2021-01-01" });
    const early = makeCertificate(["secure.example"], { from: "2048-01-01" });
    const other = makeCertificate(["other.example"]);
    for (const [certificate, trusted, detail] of [
      [good, undefined, /SELF_SIGNED_CERT/],
      [other, other, /ERR_TLS_CERT_ALTNAME_INVALID/],
      [old, old, /CERT_HAS_EXPIRED/],
      [early, early, /CERT_NOT_YET_VALID/],
      [good, other, /SELF_SIGNED_CERT|CERT_SIGNATURE|UNABLE_TO/],
    ] as const) {
      const port = await serveTls(certificate);
      const ask = open({ lookup, ...(trusted && { ca: trusted.cert }) });
      for (let tries = 0; tries < 2; tries += 1) {
        const { failure } = await failureOf(ask(`https://secure.example:${port}/`));
        expect(failure).toMatchObject({ reason: "tls", retryable: false });
        expect(failure.detail).toMatch(detail);
      }
    }
  });

  it("fails if the server does not use TLS or never finishes the handshake", async () => {
    const plain = await serveHttp((_, response) => response.end(HTML));
    expect((await failureOf(open()(`https://127.0.0.1:${plain}/`))).failure.reason).toBe("tls");
    const silent = await serve(createPlain(() => undefined));
    const { failure } = await failureOf(open({ timeoutMs: 400 })(`https://127.0.0.1:${silent}/`));
    expect(failure).toMatchObject({ reason: "timeout", retryable: true });
    const rude = await serve(createPlain((socket) => socket.end()));
    expect((await failureOf(open()(`https://127.0.0.1:${rude}/`))).failure.retryable).toBe(true);
    const secure = await serveTls();
    expect((await failureOf(open()(`http://127.0.0.1:${secure}/`))).failure.reason).toBe("fetch-failed");
  });
});

describe("HTTP/2", () => {
  const certificate = makeCertificate(["127.0.0.1"]);
  const OPTIONS2 = { ca: certificate.cert, http2: true, timeoutMs: 1000 };
  async function serve2(onStream: (stream: ServerHttp2Stream, path: string) => void): Promise<number> {
    const server = createSecureServer({ ...certificate, allowHTTP1: true }, (request, response) => {
      if (request.httpVersion === "1.1") response.end("old");
    });
    server.on("stream", (stream, headers) => {
      stream.on("error", () => undefined);
      onStream(stream, headers[":path"] ?? "");
    });
    server.on("sessionError", () => undefined);
    return serve(server);
  }

  it("is used if the option allows it and the server offers it", async () => {
    const port = await serve2((stream) => {
      stream.respond({
        ":status": 200,
        "content-type": "text/html",
        "content-encoding": "gzip",
        location: "/x",
      });
      stream.end(gzipSync(HTML));
    });
    const ask = open({ ...OPTIONS2, keepRaw: true });
    for (let count = 0; count < 3; count += 1) {
      const exchange = await exchangeOf(ask(`https://127.0.0.1:${port}/`));
      expect(exchange).toMatchObject({
        httpVersion: "2",
        status: 200,
        contentType: "text/html",
        address: "127.0.0.1",
      });
      expect(exchange.headers.flat()).toContain("content-encoding");
      expect(exchange.headers.flat().join()).not.toContain(":status");
      expect(Buffer.from(exchange.bytes).toString()).toBe(HTML);
    }
    const old = await exchangeOf(open({ ca: certificate.cert })(`https://127.0.0.1:${port}/`));
    expect(old.httpVersion).toBe("1.1");
    expect(Buffer.from(old.bytes).toString()).toBe("old");
  });

  it("fails with the right reason whatever goes wrong, and the next request works", async () => {
    const port = await serve2((stream, path) => {
      if (path === "/reset") stream.close(2);
      if (path === "/goaway") stream.session?.goaway(1);
      if (path === "/destroy") stream.session?.destroy();
      if (path === "/headers") stream.respond({ ":status": 200, "x-long": "a".repeat(60_000) });
      if (path === "/stall") stream.respond({ ":status": 200 });
      if (path === "/cut") {
        stream.respond({ ":status": 200, "content-length": "100" });
        stream.write("half", () => {
          stream.close(2);
        });
      }
      if (path === "/large") {
        stream.respond({ ":status": 200 });
        const more = (): void => {
          while (!stream.destroyed && stream.write("a".repeat(10_000)));
        };
        stream.on("drain", more);
        more();
      }
      if (path === "/fine") {
        stream.respond({ ":status": 200 });
        stream.end(HTML);
      }
    });
    const ask = open(OPTIONS2);
    for (const [path, reason] of [
      ["/silent", "timeout"],
      ["/stall", "timeout"],
      ["/reset", "fetch-failed"],
      ["/cut", "fetch-failed"],
      ["/large", "too-large"],
      ["/goaway", "fetch-failed"],
      ["/destroy", "fetch-failed"],
    ] as const) {
      const { failure } = await failureOf(ask(`https://127.0.0.1:${port}${path}`));
      expect(failure.reason, `${path}: ${failure.detail}`).toBe(reason);
      await sleep(20);
      expect((await exchangeOf(ask(`https://127.0.0.1:${port}/fine`))).status, `after ${path}`).toBe(200);
    }
  });
});

describe("a proxy", () => {
  const certificate = makeCertificate(["secure.example"]);

  it("receives http requests and tunnels https, even for names that only the proxy can resolve", async () => {
    const seen: string[] = [];
    const target = await serve(createSecure(certificate, (_, response) => response.end(HTML)));
    const proxy = createServer((request, response) => {
      seen.push(
        `${request.url ?? ""} ${request.headers.host ?? ""} ${request.headers["proxy-authorization"] ?? ""}`,
      );
      response.end("by proxy");
    });
    proxy.on("connect", (request, socket) => {
      seen.push(`CONNECT ${request.url ?? ""}`);
      const onward = new Socket();
      onward.connect(target, "127.0.0.1", () => {
        socket.write("HTTP/1.1 200 Connected\r\n\r\n");
        onward.pipe(socket).pipe(onward);
      });
      onward.on("error", () => undefined);
      socket.on("error", () => undefined);
    });
    const port = await serve(proxy);
    const lookup = () => Promise.reject(Object.assign(new Error("none"), { code: "ENOTFOUND" }));
    const ask = open({
      proxy: `http://user:word@127.0.0.1:${port}/`,
      addresses: "public",
      lookup,
      ca: certificate.cert,
    });
    const plain = await exchangeOf(ask("http://inside.example/a?b"));
    expect(Buffer.from(plain.bytes).toString()).toBe("by proxy");
    expect(plain.address).toBe("");
    const secure = await exchangeOf(ask("https://secure.example/"));
    expect(Buffer.from(secure.bytes).toString()).toBe(HTML);
    expect(seen).toEqual([
      `http://inside.example/a?b inside.example Basic ${Buffer.from("user:word").toString("base64")}`,
      "CONNECT secure.example:443",
    ]);
    const wrong = await failureOf(ask("https://other.example/"));
    expect(wrong.failure.reason).toBe("tls");
  });

  it("causes a failure if it refuses, wants a password, is silent or does not exist", async () => {
    const lookup = (): Promise<readonly string[]> => Promise.resolve(["8.8.8.8"]);
    for (const [answer, reason] of [
      ["HTTP/1.1 407 Proxy Authentication Required\r\ncontent-length: 4\r\n\r\nText", "fetch-failed"],
      ["HTTP/1.1 502 Bad Gateway\r\ncontent-length: 0\r\n\r\n", undefined],
      ["garbage\r\n\r\n", "fetch-failed"],
      ["", "timeout"],
    ] as const) {
      const server = await listenRaw((socket) => {
        socket.write(answer);
      });
      closers.push(() => server.close());
      const ask = open({
        proxy: `http://127.0.0.1:${server.port}/`,
        lookup,
        timeoutMs: 600,
        addresses: "public",
      });
      for (const scheme of ["http", "https"]) {
        const result = await ask(`${scheme}://a.example/`);
        if (reason === undefined && scheme === "http") {
          expect(result).toMatchObject({ ok: true, exchange: { status: 502 } });
          continue;
        }
        if (result.ok) expect.unreachable(`${answer} over ${scheme} gave a page`);
        expect(result.failure.reason, `${answer} over ${scheme}: ${result.failure.detail}`).toBe(
          reason ?? "fetch-failed",
        );
      }
    }
    const { failure } = await failureOf(open({ proxy: "http://127.0.0.1:1/", lookup })("http://a.example/"));
    expect(failure.reason).toBe("fetch-failed");
  });
});
