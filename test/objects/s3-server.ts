/** Starts a real S3 server (moto, from PyPI) and a proxy before it that can do whatever networks and busy servers do. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { createServer, request as send, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";

/** `.ci/run` installs it there; elsewhere `MOTO_SERVER` may name it. */
const PROGRAM = process.env["MOTO_SERVER"] ?? join("out", "tools", "bin", "moto_server");

/** Outside of CI the tests that need the server are left out where it is not installed. */
export const hasServer = existsSync(PROGRAM) || process.env["CI"] !== undefined;

/** What happens to one request instead of its answer, or to its answer. */
export interface Fault {
  /** Answers with this, and does not ask the server. */
  readonly status?: number;
  readonly code?: string;
  /** Bytes of the body after which the connection is cut. */
  readonly cutAfter?: number;
  /** Bytes of the body after which nothing more comes. */
  readonly stopAfter?: number;
  /** The header says this instead. */
  readonly etag?: string;
  /** The server does what it is told, but its answer never comes. */
  readonly isAnswerLost?: boolean;
  /** Goes into the query, instead of what is there. */
  readonly query?: Readonly<Record<string, string>>;
}

/** A request, as it came. */
export interface Asked {
  readonly method: string;
  readonly url: string;
  readonly range: string | undefined;
  readonly ifMatch: string | undefined;
}

export interface S3Server {
  /** Of the proxy. */
  readonly endpoint: string;
  /** All requests since it was emptied. */
  readonly asked: Asked[];
  /** Decides about each request. */
  fault: (asked: Asked) => Fault | undefined;
  close(): Promise<void>;
}

const START_MS = 90_000;

export async function startS3(): Promise<S3Server> {
  const child = spawn(PROGRAM, ["-p", "0"], { stdio: ["ignore", "pipe", "pipe"] });
  const port = await new Promise<number>((resolve, reject) => {
    let said = "";
    const listen = (chunk: Buffer): void => {
      said += chunk.toString();
      const [, found] = /Running on http:\/\/127\.0\.0\.1:(\d+)/.exec(said) ?? [];
      if (found !== undefined) resolve(Number(found));
    };
    child.stdout.on("data", listen);
    child.stderr.on("data", listen);
    child.on("error", reject);
    child.on("close", (code) => {
      reject(new Error(`moto_server ended with ${code}: ${said}`));
    });
    setTimeout(() => {
      reject(new Error(`moto_server does not start: ${said}`));
    }, START_MS).unref();
  });
  const asked: Asked[] = [];
  // S3 lets one writer after the other see whether an object is there; moto lets them look at the same time.
  let last = Promise.resolve();
  const proxy = createServer((request, response) => {
    const one: Asked = {
      method: request.method ?? "",
      url: request.url ?? "",
      range: request.headers.range,
      ifMatch: request.headers["if-match"],
    };
    asked.push(one);
    const way = { port, fault: server.fault(one) ?? {} };
    if (request.headers["if-none-match"] === undefined) {
      pass(request, response, way);
      return;
    }
    last = last.then(async () => {
      const ended = once(response, "close");
      pass(request, response, way);
      await ended;
    });
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  const { port: own } = proxy.address() as AddressInfo;
  const server: S3Server = {
    endpoint: `http://127.0.0.1:${own}`,
    asked,
    fault: () => undefined,
    async close() {
      proxy.closeAllConnections();
      await new Promise((resolve) => proxy.close(resolve));
      child.removeAllListeners("close");
      child.kill("SIGKILL");
    },
  };
  return server;
}

interface Way {
  readonly port: number;
  readonly fault: Fault;
}

function pass(request: IncomingMessage, response: ServerResponse, { port, fault }: Way): void {
  const { status, code = "InternalError" } = fault;
  if (status !== undefined) {
    request.resume();
    request.on("end", () => {
      response.writeHead(status, { "content-type": "application/xml" });
      response.end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>no</Message></Error>`);
    });
    return;
  }
  const url = new URL(request.url ?? "/", "http://127.0.0.1");
  for (const [name, value] of Object.entries(fault.query ?? {})) url.searchParams.set(name, value);
  const path = fault.query === undefined ? request.url : `${url.pathname}${url.search}`;
  const onward = send(
    { host: "127.0.0.1", port, method: request.method, path, headers: request.headers },
    (answer) => {
      if (fault.isAnswerLost === true) {
        answer.resume();
        answer.on("end", () => response.destroy());
        return;
      }
      const headers = fault.etag === undefined ? answer.headers : { ...answer.headers, etag: fault.etag };
      response.writeHead(answer.statusCode ?? 502, headers);
      const most = fault.cutAfter ?? fault.stopAfter;
      if (most === undefined) answer.pipe(response);
      else cut(answer, response, { most, isEnded: fault.cutAfter !== undefined });
    },
  );
  onward.on("error", () => response.destroy());
  request.pipe(onward);
}

function cut(
  answer: IncomingMessage,
  response: ServerResponse,
  { most, isEnded }: { readonly most: number; readonly isEnded: boolean },
): void {
  let left = most;
  response.flushHeaders();
  answer.on("data", (chunk: Buffer) => {
    const part = chunk.subarray(0, left);
    left -= part.length;
    if (part.length > 0) response.write(part);
    if (left > 0) return;
    answer.destroy();
    // What was written goes out first.
    if (isEnded) setTimeout(() => response.destroy(), 20);
  });
}

/** What the client reads, for a server that admits everybody. */
export function awsEnvironment({ endpoint }: Pick<S3Server, "endpoint">): Record<string, string> {
  return {
    AWS_ENDPOINT_URL: endpoint,
    AWS_ACCESS_KEY_ID: "test",
    AWS_SECRET_ACCESS_KEY: "test",
    AWS_REGION: "us-east-1",
    AWS_EC2_METADATA_DISABLED: "true",
  };
}

/** Makes an empty bucket. */
export async function makeBucket({ endpoint }: Pick<S3Server, "endpoint">, name: string): Promise<void> {
  const answer = await fetch(`${endpoint}/${name}`, { method: "PUT" });
  if (!answer.ok) throw new Error(`no bucket ${name}: ${answer.status}`);
}

/** The server asks for a signature, and does not check it. */
const SIGNED = { authorization: "AWS4-HMAC-SHA256 Credential=test/20260101/us-east-1/s3/aws4_request" };

/** Puts an object that everybody may read; it may replace another one. */
export async function putObject(
  { endpoint }: Pick<S3Server, "endpoint">,
  path: string,
  body: Uint8Array | string,
): Promise<void> {
  const headers = { ...SIGNED, "x-amz-acl": "public-read" };
  const answer = await fetch(`${endpoint}/${path}`, { method: "PUT", headers, body });
  if (!answer.ok) throw new Error(`no object ${path}: ${answer.status}`);
}
