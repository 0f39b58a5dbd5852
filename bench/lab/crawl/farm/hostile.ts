/** Gives the answers of broken and of hostile servers. Each ends only when the client has gone, or has an end that is wrong. */
import { brotliCompressSync, constants, deflateSync, gzipSync } from "node:zlib";
import type { Socket } from "node:net";
import type { Answer } from "./farm.js";

const HEAD = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n";

/** Says nothing at all. */
export const silence: Answer = () => undefined;

/** Whatever the client does, nothing of it is written behind its end. */
function repeat(socket: Socket, ms: number, write: () => void): void {
  const timer = setInterval(write, ms);
  socket.on("close", () => {
    clearInterval(timer);
  });
}

/** A head, and then one byte at a time, for ever. */
export const drip: Answer = ({ socket }) => {
  socket.write(`${HEAD}\r\n<p>`);
  repeat(socket, 50, () => socket.write("a"));
};

/** One header at a time, for ever. */
export const dripHeaders: Answer = ({ socket }) => {
  socket.write(HEAD);
  let number = 0;
  repeat(socket, 50, () => socket.write(`X-${(number += 1)}: ${"a".repeat(20)}\r\n`));
};

/** As much as the client takes, for ever. */
function flood(begin: string, chunk: string): Answer {
  return ({ socket }) => {
    const pour = (): void => {
      while (!socket.destroyed && socket.write(chunk));
    };
    socket.on("drain", pour);
    socket.write(begin);
    pour();
  };
}

export const endlessBody = flood(`${HEAD}\r\n`, "<p>And so on, and so on.</p>\n".repeat(1000));
export const endlessHeaders = flood(HEAD, `X-More: ${"a".repeat(1000)}\r\n`.repeat(20));
export const endlessChunk = flood(
  `${HEAD}Transfer-Encoding: chunked\r\n\r\nfffffffff\r\n`,
  "<p>One chunk.</p>\n".repeat(1000),
);

/** These bytes, and the end of the connection. */
function bytes(text: string): Answer {
  return ({ socket }) => {
    socket.end(text);
  };
}

export const longHeader = bytes(`${HEAD}X-Long: ${"a".repeat(300_000)}\r\n\r\n<p>Text.</p>`);
export const cutShort = bytes(`${HEAD}Content-Length: 5000\r\n\r\n<p>This was to be longer`);
export const cutChunk = bytes(`${HEAD}Transfer-Encoding: chunked\r\n\r\n400\r\n<p>This was to be longer`);
export const twoLengths = bytes(`${HEAD}Content-Length: 5\r\nContent-Length: 50\r\n\r\n<p>Which is it?</p>`);
export const lengthAndChunks = bytes(
  `${HEAD}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n<p>A\n\r\n0\r\n\r\n`,
);
export const garbage = bytes("\u0000\u0001 this is no HTTP \r\n\r\n");
export const noStatus = bytes("HTTP/1.1 abc\r\n\r\n");

/** Closes before a word is said. */
export const slam: Answer = ({ socket }) => {
  socket.destroy();
};

/** In the middle of the body, the hard way. */
export const reset: Answer = ({ socket }) => {
  socket.write(`${HEAD}Content-Length: 5000\r\n\r\n<p>Half`, () => {
    socket.resetAndDestroy();
  });
};

export type BombCoding = "gzip" | "deflate" | "br" | "gzip, gzip";

/** Packed once, before anybody asks, and kept; a few hundred kilobytes at most. */
const bombs = new Map<string, Uint8Array>();

/** Spaces without number behind the begin of a page, in few bytes. */
export function bomb(coding: BombCoding, megabytes: number): Answer {
  const name = `${coding} ${megabytes}`;
  const body = bombs.get(name) ?? packBomb(coding, megabytes);
  bombs.set(name, body);
  return ({ response }) => {
    response.writeHead(200, { "content-type": "text/html", "content-encoding": coding }).end(body);
  };
}

function packBomb(coding: BombCoding, megabytes: number): Uint8Array {
  const plain = Buffer.alloc(megabytes * 1_000_000, " ");
  plain.write("<!doctype html><p>Boom");
  switch (coding) {
    case "gzip":
      return gzipSync(plain);
    case "deflate":
      return deflateSync(plain);
    case "br":
      return brotliCompressSync(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } });
    case "gzip, gzip":
      return gzipSync(gzipSync(plain));
  }
}

const PACKED = gzipSync(
  "<!doctype html><p>A page that was packed, and of which the end is not there.</p>".repeat(200),
);

function labelled(coding: string, body: string | Uint8Array): Answer {
  return ({ response }) => {
    response.writeHead(200, { "content-type": "text/html", "content-encoding": coding }).end(body);
  };
}

export const cutGzip = labelled("gzip", PACKED.subarray(0, PACKED.length - 40));
export const unknownCoding = labelled("rot13", "<p>Grkg</p>");
export const manyCodings = labelled(Array(50).fill("gzip").join(", "), PACKED);
