/** Makes the answers of broken and hostile servers: endless, cut short, malformed, or huge when unpacked. */
import { brotliCompressSync, constants, deflateSync, gzipSync } from "node:zlib";
import type { Socket } from "node:net";
import type { Answer } from "./farm.js";

const HEAD = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n";

/** Never answers. */
export const silence: Answer = () => undefined;

/** Writes every `ms` milliseconds until the socket closes. */
function repeat(socket: Socket, ms: number, write: () => void): void {
  const timer = setInterval(write, ms);
  socket.on("close", () => {
    clearInterval(timer);
  });
}

/** Sends a head, then one byte of the body at a time without end. */
export const drip: Answer = ({ socket }) => {
  socket.write(`${HEAD}\r\n<p>`);
  repeat(socket, 50, () => socket.write("a"));
};

/** Sends one header at a time without end. */
export const dripHeaders: Answer = ({ socket }) => {
  socket.write(HEAD);
  let number = 0;
  repeat(socket, 50, () => socket.write(`X-${(number += 1)}: ${"a".repeat(20)}\r\n`));
};

/** Sends as much as the client takes, without end. */
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

/** Sends this text and ends the connection. */
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

/** Closes the connection before it sends anything. */
export const slam: Answer = ({ socket }) => {
  socket.destroy();
};

/** Resets the connection in the middle of the body. */
export const reset: Answer = ({ socket }) => {
  socket.write(`${HEAD}Content-Length: 5000\r\n\r\n<p>Half`, () => {
    socket.resetAndDestroy();
  });
};

export type BombCoding = "gzip" | "deflate" | "br" | "gzip, gzip";

/** Each bomb is packed once, at its first use, and cached; it has a few hundred kilobytes at most. */
const bombs = new Map<string, Uint8Array>();

/** Sends a page of `megabytes` million bytes, nearly all spaces, compressed to few bytes. */
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
