import * as zlib from "node:zlib";
import { brotliCompressSync, deflateRawSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import {
  openTransport,
  type ExchangeResult,
  type TransportOptions,
} from "../../../src/acquire/http/transport.js";
import type { Reason } from "../../../src/outcome.js";
import { drip, listenRaw, pour, type Script } from "./servers.js";

const OPTIONS: TransportOptions = { maxBytes: 100_000, timeoutMs: 800, addresses: "any" };
const NEVER = new AbortController().signal;

const say =
  (...parts: readonly (string | Uint8Array)[]): Script =>
  (socket) => {
    for (const part of parts) socket.write(part);
  };
const sayAndEnd =
  (...parts: readonly (string | Uint8Array)[]): Script =>
  (socket) => {
    say(...parts)(socket);
    socket.end();
  };
const then =
  (first: string, next: Script): Script =>
  (socket) => {
    socket.write(first);
    next(socket);
  };

const OK = "HTTP/1.1 200 OK\r\ncontent-type: text/html\r\n";
const sized = (body: Uint8Array, coding: string): (string | Uint8Array)[] => [
  `${OK}content-encoding: ${coding}\r\ncontent-length: ${body.length}\r\n\r\n`,
  body,
];
/** Bytes that are neither text nor compressed. */
const NOT_TEXT = Buffer.from([0, 1, 2, 3]);
const ZEROS = Buffer.alloc(30_000_000);

type Case = readonly [name: string, script: Script, reason: Reason, retryable: boolean];

/** A Node.js that can compress with zstd can also decompress it. */
const ZSTD_CASES: readonly Case[] =
  "zstdCompressSync" in zlib && typeof zlib.zstdCompressSync === "function"
    ? [zlib.zstdCompressSync as (bytes: Uint8Array) => Buffer].flatMap((pack): Case[] => [
        ["sends a zstd bomb", say(...sized(pack(ZEROS), "zstd")), "too-large", false],
        [
          "sends half of a zstd",
          say(...sized(pack(ZEROS.subarray(0, 50_000)).subarray(0, 12), "zstd")),
          "broken-gzip",
          false,
        ],
        [
          "hangs up in zstd",
          sayAndEnd(
            `${OK}content-encoding: zstd\r\ncontent-length: 1000\r\n\r\n`,
            pack(ZEROS.subarray(0, 50_000)).subarray(0, 12),
          ),
          "fetch-failed",
          true,
        ],
      ])
    : [];

/** What a server does, and how the exchange ends; each one must end within the time limit. */
const CASES: readonly Case[] = [
  ["does not speak HTTP", sayAndEnd("HELLO\r\n\r\n"), "fetch-failed", false],
  ["speaks HTTP/0.9", sayAndEnd("<html><p>Text"), "fetch-failed", false],
  ["speaks SSH", sayAndEnd("SSH-2.0-OpenSSH_9.6\r\n"), "fetch-failed", false],
  ["has a status of two digits", sayAndEnd("HTTP/1.1 20 OK\r\n\r\n"), "fetch-failed", false],
  ["has a status of four digits", sayAndEnd("HTTP/1.1 2000 OK\r\n\r\n"), "fetch-failed", false],
  ["has the status 000", sayAndEnd("HTTP/1.1 000 No\r\ncontent-length: 0\r\n\r\n"), "fetch-failed", false],
  ["has the status 099", sayAndEnd("HTTP/1.1 099 No\r\ncontent-length: 0\r\n\r\n"), "fetch-failed", false],
  ["has a NUL in a header", sayAndEnd(`${OK}x: a\0b\r\ncontent-length: 0\r\n\r\n`), "fetch-failed", false],
  ["has a header without a name", sayAndEnd(`${OK}: a\r\ncontent-length: 0\r\n\r\n`), "fetch-failed", false],
  ["never ends its header", then(OK, pour(`x: ${"a".repeat(1000)}\r\n`)), "too-large", false],
  ["never ends a line of its header", then(`${OK}x: `, pour("a".repeat(5000))), "too-large", false],
  ["never ends its status line", then("HTTP/1.1 200 ", pour("a".repeat(5000))), "timeout", true],
  ["drips its header", then(OK, drip("x: a\r\n", 20)), "timeout", true],
  ["is silent", () => undefined, "timeout", true],
  ["stalls after its header", say(`${OK}\r\n`), "timeout", true],
  ["stalls in its body", say(`${OK}content-length: 100\r\n\r\nhalf`), "timeout", true],
  ["drips its body", then(`${OK}\r\n`, drip(".", 20)), "timeout", true],
  ["drips chunks", then(`${OK}transfer-encoding: chunked\r\n\r\n`, drip("1\r\n.\r\n", 20)), "timeout", true],
  ["drips a chunk's size", then(`${OK}transfer-encoding: chunked\r\n\r\n`, drip("0", 20)), "timeout", true],
  ["floods with 103", pour("HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n".repeat(50)), "timeout", true],
  ["drips 102", drip("HTTP/1.1 102 Processing\r\n\r\n", 20), "timeout", true],
  [
    "sends 100 Continue",
    sayAndEnd("HTTP/1.1 100 Continue\r\n\r\n", `${OK}content-length: 0\r\n\r\n`),
    "fetch-failed",
    true,
  ],
  [
    "switches protocols",
    sayAndEnd("HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\nabc"),
    "fetch-failed",
    true,
  ],
  ["hangs up", (socket) => void socket.end(), "fetch-failed", true],
  ["resets", (socket) => void socket.resetAndDestroy(), "fetch-failed", true],
  ["hangs up in its header", sayAndEnd(OK), "fetch-failed", true],
  ["hangs up in its body", sayAndEnd(`${OK}content-length: 100\r\n\r\nhalf`), "fetch-failed", true],
  [
    "resets in its body",
    then(
      `${OK}content-length: 100\r\n\r\nhalf`,
      (socket) => void setTimeout(() => socket.resetAndDestroy(), 50),
    ),
    "fetch-failed",
    true,
  ],
  [
    "hangs up between chunks",
    sayAndEnd(`${OK}transfer-encoding: chunked\r\n\r\n4\r\nhalf\r\n`),
    "fetch-failed",
    true,
  ],
  [
    "hangs up in a packed body",
    sayAndEnd(
      `${OK}content-encoding: gzip\r\ncontent-length: 1000\r\n\r\n`,
      gzipSync("Text").subarray(0, 12),
    ),
    "fetch-failed",
    true,
  ],
  [
    "sends a chunk without a size",
    sayAndEnd(`${OK}transfer-encoding: chunked\r\n\r\nxyz\r\n`),
    "fetch-failed",
    false,
  ],
  [
    "has a chunk of 2^68",
    sayAndEnd(`${OK}transfer-encoding: chunked\r\n\r\nfffffffffffffffff\r\n`),
    "fetch-failed",
    false,
  ],
  ["has a negative chunk", sayAndEnd(`${OK}transfer-encoding: chunked\r\n\r\n-1\r\n`), "fetch-failed", false],
  [
    "has a chunk longer than it says",
    sayAndEnd(`${OK}transfer-encoding: chunked\r\n\r\n2\r\nText\r\n0\r\n\r\n`),
    "fetch-failed",
    false,
  ],
  [
    "never ends a chunk's extension",
    then(`${OK}transfer-encoding: chunked\r\n\r\n1;`, pour("a".repeat(5000))),
    "timeout",
    true,
  ],
  [
    "never ends its trailer",
    then(`${OK}transfer-encoding: chunked\r\n\r\n0\r\n`, pour(`x: ${"a".repeat(1000)}\r\n`)),
    "too-large",
    false,
  ],
  [
    "has a length that is not a number",
    sayAndEnd(`${OK}content-length: many\r\n\r\nText`),
    "fetch-failed",
    false,
  ],
  ["has a negative length", sayAndEnd(`${OK}content-length: -1\r\n\r\nText`), "fetch-failed", false],
  [
    "has two lengths",
    sayAndEnd(`${OK}content-length: 4\r\ncontent-length: 3\r\n\r\nText`),
    "fetch-failed",
    true,
  ],
  [
    "has a length and chunks",
    sayAndEnd(`${OK}content-length: 4\r\ntransfer-encoding: chunked\r\n\r\n4\r\nText\r\n0\r\n\r\n`),
    "fetch-failed",
    true,
  ],
  ["never ends its body", then(`${OK}\r\n`, pour("a".repeat(5000))), "too-large", false],
  ["announces a huge body", say(`${OK}content-length: 99999999999\r\n\r\n`), "too-large", false],
  ["sends a gzip bomb", say(...sized(gzipSync(ZEROS), "gzip")), "too-large", false],
  ["sends a brotli bomb", say(...sized(brotliCompressSync(ZEROS), "br")), "too-large", false],
  ["sends a bomb inside a bomb", say(...sized(gzipSync(gzipSync(ZEROS)), "gzip, gzip")), "too-large", false],
  [
    "sends a bomb of an inner coding",
    say(...sized(brotliCompressSync(deflateRawSync(ZEROS, { level: 0 })), "deflate, br")),
    "too-large",
    false,
  ],
  // An endless series of empty stored blocks, which unpack to nothing.
  [
    "sends empty compressed blocks for ever",
    then(`${OK}content-encoding: deflate\r\n\r\n`, pour(Buffer.from("000000ffff".repeat(1000), "hex"))),
    "too-large",
    false,
  ],
  ["sends damaged gzip", say(...sized(NOT_TEXT, "gzip")), "broken-gzip", false],
  [
    "sends half a gzip file",
    say(...sized(gzipSync(ZEROS.subarray(0, 50_000)).subarray(0, 40), "gzip")),
    "broken-gzip",
    false,
  ],
  ["packs in an unknown coding", say(...sized(Buffer.from("Text"), "sdch")), "unsupported-type", false],
  [
    "compresses too many times",
    say(...sized(gzipSync("Text"), "gzip,gzip,gzip,gzip")),
    "unsupported-type",
    false,
  ],
  ...ZSTD_CASES,
];

async function ask(port: number, options: Partial<TransportOptions> = {}): Promise<ExchangeResult> {
  const transport = openTransport({ ...OPTIONS, ...options });
  try {
    return await transport.exchange({ url: `http://127.0.0.1:${port}/` }, NEVER);
  } finally {
    await transport.close();
  }
}

describe("an exchange fails with the right reason if a server", () => {
  it.each(CASES)("%s", async (_, script, reason, retryable) => {
    const server = await listenRaw((socket) => {
      script(socket);
    });
    const result = await ask(server.port);
    await server.close();
    expect(result).toMatchObject({ ok: false, failure: { reason, retryable } });
  });
});
