import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { parseLines, thresherAlone, type Result } from "./run.js";

const html = readFileSync("fixtures/pages/unclosed-tags/source.html");
/** No machine outside of the tests has a name that ends like this (RFC 6761). */
const HIDDEN = "http://only-the-proxy-knows.invalid";
const work = mkdtempSync(join(tmpdir(), "thresher-proxy-"));
/** The requests that reached the proxy, and those that reached the server directly. */
const proxied: string[] = [];
const direct: string[] = [];
let proxy: Server;
let server: Server;
let proxyUrl = "";
let serverUrl = "";

beforeAll(async () => {
  proxy = createServer((request, response) => {
    const url = request.url ?? "";
    proxied.push(url);
    if (url.endsWith("/to-private")) response.writeHead(302, { location: `${serverUrl}/` }).end();
    else if (url.endsWith("/robots.txt")) response.writeHead(404).end();
    else response.setHeader("content-type", "text/html; charset=utf-8").end(html);
  });
  proxy.on("connect", (request, socket) => {
    proxied.push(`CONNECT ${request.url ?? ""}`);
    socket.on("error", () => undefined);
    socket.end("HTTP/1.1 403 Forbidden\r\n\r\n");
  });
  server = createServer((request, response) => {
    direct.push(request.url ?? "");
    response.setHeader("content-type", "text/html; charset=utf-8").end(html);
  });
  proxyUrl = await listen(proxy);
  serverUrl = await listen(server);
});

afterAll(() => {
  proxy.close();
  server.close();
  rmSync(work, { recursive: true });
});

beforeEach(() => {
  proxied.length = 0;
  direct.length = 0;
});

async function listen(one: Server): Promise<string> {
  await new Promise<void>((resolve) => one.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(one.address() as AddressInfo).port}`; // a listening TCP server has such an address
}

/** Runs the command with no other variables for proxies than these. */
function run(args: readonly string[], env: Readonly<Record<string, string>>): Promise<Result> {
  return thresherAlone(args, {
    env: { http_proxy: "", https_proxy: "", all_proxy: "", no_proxy: "", ...env },
    stdin: [],
  });
}

describe("the proxies of the environment", () => {
  it("fetch the page of a URL, also of hosts that only they can resolve", async () => {
    const { code, stdout } = await run([`${HIDDEN}/a`], { http_proxy: proxyUrl });
    expect(code).toBe(0);
    expect(stdout).toContain("\n");
    expect(proxied).toEqual([`${HIDDEN}/a`]);
    // It is the user who names the host, so it may be private, as without a proxy.
    expect((await run([serverUrl], { http_proxy: proxyUrl })).code).toBe(0);
    expect(proxied.at(-1)).toBe(`${serverUrl}/`);
    expect(direct).toEqual([]);
  });

  it("do not fetch hosts in NO_PROXY", async () => {
    const { code, stdout } = await run([serverUrl], {
      http_proxy: proxyUrl,
      no_proxy: "localhost,127.0.0.0/8",
    });
    expect({ code, isEmpty: stdout === "" }).toEqual({ code: 0, isEmpty: false });
    expect({ direct, proxied }).toEqual({ direct: ["/"], proxied: [] });
  });

  it("are named when they may be the reason that a page does not come", async () => {
    const { host } = new URL(proxyUrl);
    const refused = await run(["https://a.invalid/"], { https_proxy: proxyUrl });
    expect(proxied).toEqual(["CONNECT a.invalid:443"]);
    expect(refused.stderr).toContain(`(through the proxy ${host})`);
    const gone = await run([serverUrl], { http_proxy: "http://127.0.0.1:1" });
    expect(gone.stderr).toContain("(through the proxy 127.0.0.1:1)");
    expect({ codes: [refused.code, gone.code], direct }).toEqual({ codes: [75, 75], direct: [] });
  });

  it("do not lead from a page of a public host to a private one", async () => {
    const { code, stderr } = await run([`${HIDDEN}/to-private`], { http_proxy: proxyUrl });
    expect(stderr).toContain("blocked-address");
    expect(code).toBe(1);
    expect({ proxied, direct }).toEqual({ proxied: [`${HIDDEN}/to-private`], direct: [] });
  });

  it("are not used by a server, which says so", async () => {
    const serve = (...args: readonly string[]): Promise<Result> =>
      thresherAlone(["serve", "--port", "0", ...args], {
        env: { https_proxy: proxyUrl },
        onStart: (child) => {
          child.stderr?.on("data", (chunk: Buffer) => {
            if (chunk.includes("listening")) child.kill("SIGINT");
          });
        },
      });
    expect((await serve("--allow-fetch")).stderr).toContain("fetched without the proxy");
    expect((await serve()).stderr).not.toContain("proxy");
  });

  it("are wrong usage only for URLs", async () => {
    const env = { all_proxy: "socks5://127.0.0.1:1" };
    const { code, stderr } = await run([serverUrl], env);
    expect(stderr).toContain("the variable ALL_PROXY is not the URL of an http or https proxy");
    expect({ code, direct }).toEqual({ code: 2, direct: [] });
    expect((await run(["fixtures/pages/unclosed-tags/source.html"], env)).code).toBe(0);
  });

  it("fetch the pages of a crawl, except from private addresses, and --proxy replaces them", async () => {
    const crawl = (dir: string, ...args: readonly string[]): Promise<Result> =>
      run(
        ["crawl", `${HIDDEN}/a`, serverUrl, "-o", join(work, dir), "--delay", "0", "--retries", "0", ...args],
        {
          http_proxy: args.length === 0 ? proxyUrl : "http://127.0.0.1:1",
        },
      );
    for (const args of [[], ["--proxy", proxyUrl]]) {
      const dir = `crawl-${args.length}`;
      expect((await crawl(dir, ...args)).code).toBe(0);
      expect(parseLines(gunzipSync(readFileSync(join(work, dir, "text.jsonl.gz"))).toString())).toMatchObject(
        [{ url: `${HIDDEN}/a` }],
      );
      expect(readFileSync(join(work, dir, "rejects.jsonl"), "utf8")).toContain('"blocked-address"');
    }
    expect(new Set(proxied)).toEqual(new Set([`${HIDDEN}/robots.txt`, `${HIDDEN}/a`]));
    expect(direct).toEqual([]);
  });
});
