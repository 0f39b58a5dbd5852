/** Tests who may send requests, how much, and for how long: the server survives what clients and pages do to it. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough, Readable } from "node:stream";
import { Pool } from "undici";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { main } from "../../src/cli/main.js";
import { thresher } from "../cli/run.js";
import {
  dial,
  figure,
  get,
  GOOD_PAGE,
  LONG_PAGE,
  post,
  serve,
  waitFor,
  type Serving,
  stopServers,
} from "./serving.js";

afterAll(stopServers);

const HTML = { "content-type": "text/html" };
const JSON_TYPE = { "content-type": "application/json" };
const folder = mkdtempSync(join(tmpdir(), "thresher-serve-"));
const tokenFile = join(folder, "token");
writeFileSync(tokenFile, "s3cret-word\n");
afterAll(() => {
  rmSync(folder, { recursive: true });
});
const requestOf = (page: string): string =>
  `POST /clean?timeout=5s HTTP/1.1\r\nHost: x\r\nContent-Length: ${page.length}\r\n\r\n${page}`;
const running = (url: string): Promise<number> => figure(url, "thresher_documents_running");

describe("a server with small limits", () => {
  let server: Serving;
  let url: string;
  beforeAll(async () => {
    server = await serve(["--timeout", "60s", "--max-bytes", "20M", "--queue", "2", "--arrival", "3s"]);
    url = `${server.url}/clean`;
  });

  it("gives up a page that takes too long, and answers the next one", async () => {
    const [long, good] = await Promise.all([
      post(`${url}?timeout=1s`, LONG_PAGE.repeat(2), HTML),
      post(url, GOOD_PAGE, HTML),
    ]);
    expect([long.status, long.json()["reason"]]).toEqual([422, "timeout"]);
    expect(good.status).toBe(200);
    const strict = await serve(["--timeout", "1s"]);
    const { status, json } = await post(`${strict.url}/clean`, LONG_PAGE, HTML);
    expect([status, json()["reason"]]).toEqual([422, "timeout"]);
  });

  it("answers all requests of a crowd: some at once with 503, and the others with documents", async () => {
    // It takes one of three places for so long that the crowd comes meanwhile.
    const long = post(`${url}?timeout=5s`, LONG_PAGE, HTML);
    await waitFor(async () => ((await running(server.url)) > 0 ? true : undefined));
    const crowd = await Promise.all(Array.from({ length: 12 }, () => post(url, GOOD_PAGE.repeat(50), HTML)));
    await long;
    const refused = crowd.filter(({ status }) => status === 503);
    const documents = crowd.filter(({ status }) => status === 200);
    expect(documents.length).toBeGreaterThanOrEqual(2);
    expect(refused.length).toBeGreaterThan(0);
    expect(refused.length + documents.length).toBe(crowd.length);
    for (const { headers, json } of refused) {
      expect(headers["retry-after"]).toBe("1");
      expect(json()["error"]).toBe("busy");
    }
    expect((await get(`${server.url}/health`)).status).toBe(200);
  });

  it("rejects a body of 100 MB before it arrives", async () => {
    const { socket, received } = dial(server.port);
    socket.write(
      `POST /clean HTTP/1.1\r\nHost: x\r\nContent-Type: text/html\r\nContent-Length: 100000000\r\n\r\n`,
    );
    const part = Buffer.alloc(1 << 16, "x");
    let sent = 0;
    // It sends as long as the server accepts more.
    while (sent < 100_000_000 && !socket.destroyed && socket.writable) {
      sent += part.length;
      if (!socket.write(part))
        await new Promise<void>((resolve) => {
          for (const event of ["drain", "close"])
            socket.once(event, () => {
              resolve();
            });
        });
    }
    // The connection cannot be reused, and the client must be told.
    expect(await received).toMatch(/^HTTP\/1\.1 413 [^]*\r\nConnection: close\r\n[^]*"too-large"/);
    expect(sent).toBeLessThan(20_000_000);
  });

  it("rejects it if its length is unknown, and if the client asks first", async () => {
    const endless = async function* (): AsyncGenerator<Uint8Array> {
      for (let sent = 0; sent < 100_000_000; sent += 1 << 20)
        yield Promise.resolve(Buffer.alloc(1 << 20, "x"));
    };
    expect((await post(url, endless(), HTML)).status).toBe(413);
    const { socket, received } = dial(server.port);
    socket.write(
      `POST /clean HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 100000000\r\n\r\n`,
    );
    expect(await received).toMatch(/^HTTP\/1\.1 413 /);
  });

  it("tells the client of a long stream to continue", async () => {
    const { socket, received } = dial(server.port);
    const head =
      "Host: x\r\nExpect: 100-continue\r\nContent-Type: application/x-ndjson\r\nConnection: close\r\n";
    socket.write(`POST /clean/stream HTTP/1.1\r\n${head}Content-Length: 100000000\r\n\r\n`);
    socket.once("data", () => socket.destroy());
    expect(await received).toMatch(/^HTTP\/1\.1 100 /);
  });

  it.each([
    ["header", "POST /clean HTTP/1.1\r\nHost: x\r\nX-Slow:"],
    ["body", "POST /clean HTTP/1.1\r\nHost: x\r\nContent-Type: text/html\r\nContent-Length: 1000\r\n\r\n<p>"],
  ])("waits no longer for a slow %s than its limit", async (_, start) => {
    const { socket, received } = dial(server.port);
    const begun = performance.now();
    socket.write(start);
    expect(await received).toMatch(/^HTTP\/1\.1 408 /);
    expect(performance.now() - begun).toBeLessThan(8000);
  });

  it("drops the work of a client that disconnects", async () => {
    for (let round = 0; round < 5; round += 1) {
      const { socket, received } = dial(server.port);
      socket.write(requestOf(LONG_PAGE));
      await waitFor(async () => ((await running(server.url)) > 0 ? true : undefined));
      socket.destroy();
      await received;
      await waitFor(async () => ((await running(server.url)) === 0 ? true : undefined));
    }
    expect((await post(url, GOOD_PAGE, HTML)).status).toBe(200);
    expect(await figure(server.url, 'thresher_requests_total{endpoint="/clean",status="gone"}')).toBe(5);
    expect(server.stderr()).not.toContain("Error");
  });

  it("drops all work of a client that has sent several requests at once and disconnects", async () => {
    const { socket, received } = dial(server.port);
    for (const page of [LONG_PAGE, GOOD_PAGE]) socket.write(requestOf(page));
    await waitFor(async () => ((await running(server.url)) > 1 ? true : undefined));
    socket.destroy();
    await received;
    await waitFor(async () => ((await running(server.url)) === 0 ? true : undefined));
    expect((await post(url, GOOD_PAGE, HTML)).status).toBe(200);
  });

  it("keeps connections, and reads bodies in parts", async () => {
    const parts = async function* (): AsyncGenerator<Uint8Array> {
      for (const letter of GOOD_PAGE) yield Promise.resolve(Buffer.from(letter));
    };
    const { text } = await post(url, GOOD_PAGE, HTML);
    expect((await post(url, parts(), HTML)).text).toBe(text);
    const pool = new Pool(server.url, { connections: 1 });
    let connections = 0;
    pool.on("connect", () => (connections += 1));
    for (let round = 0; round < 5; round += 1) {
      const { statusCode, body } = await pool.request({
        path: "/clean",
        method: "POST",
        body: GOOD_PAGE,
        headers: HTML,
      });
      expect([statusCode, await body.text()]).toEqual([200, text]);
    }
    // An answer before the end of a small request does no harm.
    const refused = await pool.request({ path: "/nothing", method: "POST", body: GOOD_PAGE });
    await refused.body.dump();
    const { statusCode, body } = await pool.request({ path: "/health", method: "GET" });
    await body.dump();
    expect([refused.statusCode, statusCode, connections]).toEqual([404, 200, 1]);
    await pool.close();
  });
});

describe("an answer that its client does not read", () => {
  it("keeps its place among the requests until the time limit closes its connection", async () => {
    const server = await serve(["--timeout", "1m", "--max-bytes", "20M", "--queue", "0", "--arrival", "4s"]);
    const url = `${server.url}/clean?labeller=none`;
    const { socket, received } = dial(server.port);
    socket.pause();
    const body = "word ".repeat(3_000_000);
    const head = `Host: x\r\nContent-Type: text/plain\r\nContent-Length: ${body.length}`;
    socket.write(`POST /clean?labeller=none HTTP/1.1\r\n${head}\r\n\r\n${body}`);
    const cleaned = (): Promise<number> => figure(server.url, 'thresher_documents_total{outcome="ok"}');
    await waitFor(async () => ((await cleaned()) > 0 ? true : undefined), 30_000);
    expect((await post(url, GOOD_PAGE, HTML)).status).toBe(503);
    await waitFor(async () => ((await running(server.url)) === 0 ? true : undefined), 30_000);
    expect((await post(url, GOOD_PAGE, HTML)).status).toBe(200);
    socket.resume();
    const text = await received;
    expect(text).toMatch(/^HTTP\/1\.1 200 /);
    expect(text.length).toBeLessThan(body.length);
    expect(server.stderr()).not.toContain("Error");
  }, 60_000);
});

describe("a server whose processes die", () => {
  it("returns a reject for each page that killed a process, and starts others", async () => {
    const server = await serve(["-j", "2"]);
    const { execFileSync } = await import("node:child_process");
    const children = (): number[] =>
      execFileSync("ps", ["--ppid", String(server.child.pid), "-o", "pid=,args="], { encoding: "utf8" })
        .split("\n")
        .filter((row) => row.includes("process-body"))
        .map((row) => Number(row.trim().split(" ")[0]));
    const before = children();
    expect(before.length).toBeGreaterThan(0);
    for (const pid of before) process.kill(pid, "SIGKILL");
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => post(`${server.url}/clean`, GOOD_PAGE, HTML)),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(children().some((pid) => before.includes(pid))).toBe(false);
    // The signal that ends a service goes to all its processes.
    const started = children();
    for (const pid of started) process.kill(pid, "SIGTERM");
    expect((await post(`${server.url}/clean`, GOOD_PAGE, HTML)).status).toBe(200);
    expect(await server.stop()).toBe(0);
    expect(started.filter(isAlive)).toEqual([]);
  });
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

describe("a server with a token", () => {
  it.each([
    ["in a file", ["--token-file", tokenFile], {}],
    ["in a variable", [], { THRESHER_TOKEN: "s3cret-word" }],
  ])("requires it: %s", async (_, args, env: Record<string, string>) => {
    const { url } = await serve(args, env);
    const answer = async (token: string): Promise<number> =>
      (await post(`${url}/clean`, GOOD_PAGE, { ...HTML, authorization: token })).status;
    expect(await answer("Bearer s3cret-word")).toBe(200);
    for (const wrong of [
      "Bearer s3cret-wor",
      "Bearer s3cret-word2",
      "Basic s3cret-word",
      "s3cret-word",
      "Bearer",
    ])
      expect(await answer(wrong)).toBe(401);
    const { status, headers, json } = await post(`${url}/clean/stream`, "{}");
    expect([status, headers["www-authenticate"], json()["error"]]).toEqual([401, "Bearer", "no-token"]);
    expect((await get(`${url}/metrics`)).status).toBe(401);
    expect((await get(`${url}/health`)).status).toBe(200);
    expect((await get(`${url}/openapi.json`)).status).toBe(200);
  });
});

describe("pages of other origins", () => {
  const PREFLIGHT = { origin: "https://a.example", "access-control-request-method": "POST" };
  const preflight = (url: string): Promise<Response> =>
    fetch(`${url}/clean`, { method: "OPTIONS", headers: PREFLIGHT });

  it("are rejected unless they are allowed", async () => {
    const closed = await serve();
    const refused = await preflight(closed.url);
    expect([refused.status, refused.headers.get("access-control-allow-origin")]).toEqual([405, null]);
    expect(
      (await post(`${closed.url}/clean`, GOOD_PAGE, HTML)).headers["access-control-allow-origin"],
    ).toBeUndefined();
    const open = await serve(["--cors", "https://a.example"]);
    const { status, headers } = await preflight(open.url);
    expect([status, headers.get("access-control-allow-origin")]).toEqual([204, "https://a.example"]);
    expect(headers.get("access-control-allow-headers")).toMatch(/Authorization.*Content-Type/);
    const answer = await post(`${open.url}/clean?colour=red`, GOOD_PAGE, HTML);
    expect([answer.status, answer.headers["access-control-allow-origin"]]).toEqual([
      400,
      "https://a.example",
    ]);
  });
});

describe("a server that fetches", () => {
  let site: Server;
  let address: string;
  beforeAll(async () => {
    site = createServer((_, response) => {
      response.setHeader("content-type", "text/html");
      response.end(GOOD_PAGE);
    });
    await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
    address = `http://127.0.0.1:${(site.address() as AddressInfo).port}/tea`;
  });
  afterAll(() => {
    site.close();
  });

  it("fetches only public addresses, and others on request", async () => {
    const careful = await serve(["--allow-fetch"]);
    for (const to of [
      address,
      "http://localhost:1/",
      "http://169.254.169.254/latest/meta-data",
      "http://[::1]/",
    ]) {
      const { status, json } = await post(`${careful.url}/clean`, JSON.stringify({ url: to }), JSON_TYPE);
      expect([to, status, json()["reason"]]).toEqual([to, 422, "blocked-address"]);
    }
    const file = await post(`${careful.url}/clean`, JSON.stringify({ url: "file:///etc/passwd" }), JSON_TYPE);
    expect([file.status, file.json()["reason"]]).toEqual([422, "bad-url"]);
    const own = await serve(["--allow-fetch", "--allow-private"]);
    const { status, json } = await post(
      `${own.url}/clean`,
      JSON.stringify({ url: address, id: "tea" }),
      JSON_TYPE,
    );
    expect([status, json()["id"], json()["url"], json()["title"]]).toEqual([200, "tea", address, "Tea"]);
  });
});

describe("a server that cannot start", () => {
  it("says why, and exits with 2", async () => {
    const { port } = await serve();
    const taken = await thresher(["serve", "--port", String(port), "-j", "1"]);
    expect([taken.code, taken.stdout]).toEqual([2, ""]);
    expect(taken.stderr).toMatch(/cannot listen on 127\.0\.0\.1 port \d+: another program listens there/);
    const twice = serve(["--token-file", tokenFile], { THRESHER_TOKEN: "other" });
    await expect(twice).rejects.toThrow(/ended with 2: .*both give a token/);
  });

  it.each([
    [["--host", "192.0.2.1"], /this machine has no such address/],
    [["--port", "70000"], /from 0 to 65535/],
    [["--allow-private"], /--allow-fetch/],
    [["--dedup", "exact"], /one run/],
    [["--dedup-memory", "1G"], /one run/],
    [["--cors", "example.org"], /origin/],
    [["--token-file", join(folder, "none")], /cannot be read: ENOENT/],
    [["--model", folder], /model/],
    [["--keep", "[["], /selector/],
    [["page.html"], /too many arguments/],
  ])("reports wrong options: %s", async (args, why) => {
    let stderr = "";
    const streams = {
      stdin: Readable.from([]),
      stdout: new PassThrough(),
      signal: new AbortController().signal,
    };
    const messages = new PassThrough().on("data", (text: Buffer) => (stderr += text.toString()));
    const code = await main(["serve", "--port", "0", "-j", "1", ...args], { ...streams, stderr: messages });
    expect([code, streams.stdout.read()]).toEqual([2, null]);
    expect(stderr).toMatch(why);
  });
});
