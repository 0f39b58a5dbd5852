import { execFile } from "node:child_process";
import { get as getPlain } from "node:http";
import { get as getSecure } from "node:https";
import { connect } from "node:http2";
import type { LookupFunction } from "node:net";
import { promisify } from "node:util";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  dated,
  go,
  later,
  packed,
  page,
  site,
  status,
  turns,
} from "../../../../bench/lab/crawl/farm/answers.js";
import { openFarm, type Farm } from "../../../../bench/lab/crawl/farm/farm.js";
import { reset, silence } from "../../../../bench/lab/crawl/farm/hostile.js";
import { countPages, findBreaches, type Visit } from "../../../../bench/lab/crawl/farm/log.js";
import { makeWeb, nameSite } from "../../../../bench/lab/crawl/farm/web.js";
import { calendar } from "../../../../bench/lab/crawl/farm/traps.js";

let farm: Farm;
beforeAll(async () => {
  farm = await openFarm({
    sites: {
      plain: site({
        "/": page("The front page"),
        "/packed": packed("<p>Packed", "gzip"),
        "/moved": go("/"),
        "/busy": turns(status(503, { "retry-after": "1" }), page("Back again")),
        "/dated": dated("<p>Once", { etag: '"1"' }),
        "/slow": later(50, page("Slow")),
      }),
      broken: site({ "/": reset, "/silent": silence }),
      expired: site({ "/": page("Nobody sees this") }),
      calendar,
      ...makeWeb({
        sources: ["<html><body><p>Page 12 of a book</p></body></html>"],
        sites: 2,
        pages: 9,
        seed: 1,
      }),
    },
    certificates: { expired: "expired" },
  });
});
afterAll(() => farm.close());

interface Got {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: Buffer;
}

/** Sends a request to the address that the farm's own lookup gives. */
async function ask(url: string, headers: Record<string, string> = {}): Promise<Got> {
  const { hostname } = new URL(url);
  const [address = ""] = await farm.lookup(hostname);
  const get = url.startsWith("https") ? getSecure : getPlain;
  return new Promise((resolve, reject) => {
    const lookup: LookupFunction = (_, { all }, done) => {
      if (all === true) done(null, [{ address, family: 4 }]);
      else done(null, address, 4);
    };
    const request = get(url, { agent: false, headers, lookup, ca: farm.authority }, (response) => {
      const parts: Buffer[] = [];
      response.on("data", (part: Buffer) => parts.push(part));
      response.on("error", reject);
      response.on("end", () => {
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: Buffer.concat(parts),
        });
      });
    });
    request.on("error", reject);
  });
}

describe("a farm", () => {
  it("answers by host name, and logs each request", async () => {
    farm.forget();
    expect(String((await ask(farm.url("plain"))).body)).toContain("The front page");
    expect(gunzipSync((await ask(farm.url("plain", "/packed"))).body).toString()).toBe("<p>Packed");
    expect((await ask(farm.url("plain", "/moved"))).headers).toMatchObject({ location: "/" });
    expect((await ask(farm.url("plain", "/none"))).status).toBe(404);
    const visits = farm.visits();
    expect(visits.map(({ path, status }) => [path, status])).toEqual([
      ["/", 200],
      ["/packed", 200],
      ["/moved", 302],
      ["/none", 404],
    ]);
    expect(visits[0]).toMatchObject({ host: new URL(farm.url("plain")).host, protocol: "http/1.1" });
    for (const { begin, end } of visits) expect(end).toBeGreaterThanOrEqual(begin);
  });

  it("counts page visits, and marks conditional requests", async () => {
    farm.forget();
    const codes = [];
    for (let turn = 0; turn < 3; turn += 1) codes.push((await ask(farm.url("plain", "/busy"))).status);
    expect(codes).toEqual([503, 200, 200]);
    expect((await ask(farm.url("plain", "/dated"))).status).toBe(200);
    expect((await ask(farm.url("plain", "/dated"), { "if-none-match": '"1"' })).status).toBe(304);
    expect(farm.visits().map(({ isConditional }) => isConditional)).toEqual([
      ...[false, false, false, false],
      true,
    ]);
    expect([...countPages(farm.visits()).values()]).toEqual([3, 2]);
  });

  it("breaks connections off, and logs when", async () => {
    await expect(ask(farm.url("broken"))).rejects.toThrow();
    expect(farm.visits().at(-1)?.end).toBeGreaterThan(0);
  });

  it("speaks TLS and HTTP/2, and shows untrusted certificates", async () => {
    expect(String((await ask(farm.secureUrl("plain"))).body)).toContain("The front page");
    await expect(ask(farm.secureUrl("expired"))).rejects.toThrow("expired");
    const { port } = new URL(farm.secureUrl("plain"));
    const [address = ""] = await farm.lookup("plain.farm.test");
    const session = connect(`https://${address}:${port}`, {
      ca: farm.authority,
      servername: "plain.farm.test",
    });
    const stream = session.request({ ":authority": `plain.farm.test:${port}`, ":path": "/" });
    let body = "";
    for await (const part of stream) body += String(part);
    session.close();
    expect(body).toContain("The front page");
    expect(farm.visits().at(-1)).toMatchObject({
      protocol: "https/2",
      host: `plain.farm.test:${port}`,
      status: 200,
    });
  });

  it("can be reached from another process", async () => {
    const code = `
      import { lookup } from "node:dns/promises";
      import { get } from "node:http";
      await lookup("nowhere.farm.test").catch((error) => console.log(error.code));
      get(${JSON.stringify(farm.url("plain"))}, (response) => { console.log(response.statusCode); response.resume(); });`;
    const { stdout } = await promisify(execFile)(process.execPath, [
      ...["--import", farm.names],
      ...["--input-type=module", "--eval", code],
    ]);
    expect(stdout.trim().split("\n")).toEqual(["ENOTFOUND", "200"]);
  });

  it("serves sites of linked pages with sitemaps and feeds, the same each time", async () => {
    const name = nameSite(1);
    const first = String((await ask(farm.url(name))).body);
    expect(first).toContain('<a href="/p/4">');
    expect(String((await ask(farm.url(name))).body)).toBe(first);
    expect((await ask(farm.url(name, "/p/8"))).status).toBe(200);
    expect((await ask(farm.url(name, "/p/9"))).status).toBe(404);
    const map = gunzipSync((await ask(farm.url(name, "/sitemap-1.xml.gz"))).body).toString();
    expect(map.match(/<loc>/g)).toHaveLength(9);
    for (const path of ["/feed.xml", "/atom.xml", "/feed.json"])
      expect(String((await ask(farm.url(name, path))).body)).toContain(farm.url(name, "/p/8"));
  });

  it("has traps", async () => {
    const body = String((await ask(farm.url("calendar", "/calendar?month=2024-12"))).body);
    expect(body).toContain("/calendar?month=2025-01");
  });
});

describe("findBreaches", () => {
  const visit = (host: string, begin: number, end: number | undefined): Visit => ({
    ...{ host, path: `/${begin}`, protocol: "http/1.1", address: "127.0.0.1", userAgent: "" },
    ...{ isConditional: false, begin, end, status: 200 },
  });

  it("finds requests that overlap, come too early or never end", () => {
    const visits = [
      ...[visit("a", 0, 100), visit("b", 50, 60), visit("a", 1100, 1200), visit("a", 1700, 1800)],
      ...[visit("c", 0, 500), visit("c", 100, 200), visit("c", 1400, 1500)],
      ...[visit("d", 0, undefined), visit("d", 9000, 9001)],
    ];
    const found = findBreaches(visits, () => 1000);
    expect(found.map(({ host, gapMs }) => [host, gapMs])).toEqual([
      ["a", 500],
      ["c", -400],
      ["c", 900],
      ["d", -Infinity],
    ]);
    expect(findBreaches(visits, (host) => (host === "a" ? 500 : 0)).map(({ host }) => host)).toEqual([
      ...["c", "d"],
    ]);
  });
});
