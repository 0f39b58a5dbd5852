/** Starts the real command as a server on loopback, and talks to it. */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import type { Readable } from "node:stream";
import { Agent, request, type Dispatcher } from "undici";
import { BIN } from "../cli/run.js";

export interface Serving {
  readonly url: string;
  readonly port: number;
  readonly child: ChildProcess;
  /** Returns its messages so far. */
  readonly stderr: () => string;
  /** Sends a signal, and waits for the exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

const running = new Set<ChildProcess>();

/** Must be called after all tests of a file. */
export function stopServers(): void {
  for (const child of running) child.kill("SIGKILL");
}

/** Starts a server on a free port with one worker, unless `args` say otherwise. */
export async function serve(
  args: readonly string[] = [],
  env: Record<string, string> = {},
): Promise<Serving> {
  const child = spawn(process.execPath, [BIN, "serve", "--port", "0", "-j", "1", ...args], {
    env: { ...process.env, ...env },
    stdio: ["ignore", "ignore", "pipe"],
  });
  running.add(child);
  const ended = once(child, "close").then(() => {
    running.delete(child);
    return child.exitCode;
  });
  let said = "";
  const url = await new Promise<string>((resolve, reject) => {
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      said += text;
      const [, address] = /listening on (\S+)\n/.exec(said) ?? [];
      if (address !== undefined) resolve(address);
    });
    void ended.then((code) => {
      reject(new Error(`it ended with ${String(code)}: ${said}`));
    });
  });
  return {
    url,
    port: Number(new URL(url).port),
    child,
    stderr: () => said,
    stop(signal = "SIGTERM") {
      child.kill(signal);
      return ended;
    },
  };
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  readonly json: () => Record<string, unknown>;
}

const agent = new Agent({ keepAliveTimeout: 1000 });

/** POSTs to the server. */
export async function post(
  url: string,
  body: string | Uint8Array | AsyncIterable<Uint8Array>,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const sent = typeof body === "string" || body instanceof Uint8Array ? body : toIterable(body);
  return read(await request(url, { method: "POST", body: sent, headers, dispatcher: agent }));
}

export async function get(url: string, headers: Record<string, string> = {}): Promise<Answer> {
  return read(await request(url, { headers, dispatcher: agent }));
}

/** undici's type of bodies describes iterables by their methods. */
function toIterable(body: AsyncIterable<Uint8Array>): Readable {
  return body as unknown as Readable;
}

async function read({ statusCode, headers, body }: Dispatcher.ResponseData): Promise<Answer> {
  const text = await body.text();
  return { status: statusCode, headers, text, json: () => JSON.parse(text) as Record<string, unknown> };
}

/** Opens a bare connection, for requests that no client would send. `received` resolves with all received text when it is closed. */
export function dial(port: number): { readonly socket: Socket; readonly received: Promise<string> } {
  const socket = connect(port, "127.0.0.1");
  const parts: Buffer[] = [];
  socket.on("data", (part: Buffer) => parts.push(part));
  socket.on("error", () => undefined); // only the text before the error counts
  const received = new Promise<string>((resolve) => {
    socket.once("close", () => {
      resolve(Buffer.concat(parts).toString());
    });
  });
  return { socket, received };
}

/** A page that keeps any extractor busy for seconds. */
export const LONG_PAGE = `<p>${"word <b>bold</b> ".repeat(500_000)}`;
export const GOOD_PAGE = `<!doctype html><title>Tea</title><nav><a href=/>Home</a> <a href=/a>About</a></nav><main><h1>Tea</h1>
<p>Tea is a drink that people make by pouring hot water over the leaves of a shrub, and they have done so for a very long time.
<p>It came to Europe on ships, and for a while only the rich could afford to drink it in the afternoon.</main>
<footer><a href=/imprint>Imprint</a> <a href=/privacy>Privacy</a></footer>`;

export async function waitFor<T>(
  what: () => Promise<T | undefined> | T | undefined,
  ms = 15_000,
): Promise<T> {
  const end = performance.now() + ms;
  while (performance.now() < end) {
    const found = await what();
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`it did not happen within ${ms} ms`);
}

/** Returns the value of a figure among the server's metrics; 0 if it does not exist yet. */
export async function figure(url: string, name: string): Promise<number> {
  const { text } = await get(`${url}/metrics`);
  const line = text.split("\n").find((one) => one.startsWith(`${name} `));
  return line === undefined ? 0 : Number(line.slice(name.length + 1));
}
