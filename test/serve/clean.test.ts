/** Tests one document at a time: the input, the output, and every status that a client can see. */
import { readdirSync, readFileSync } from "node:fs";
import { gzipSync, brotliCompressSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createThresher, type Thresher } from "../../src/index.js";
import { parseLines, thresher } from "../cli/run.js";
import { GOOD_PAGE, get, post, serve, type Serving, stopServers } from "./serving.js";

afterAll(stopServers);

const LIMITS = { maxBytes: 1_000_000, timeoutMs: 5000 };
let server: Serving;
let library: Thresher;
let url: string;
beforeAll(async () => {
  library = await createThresher({ ...LIMITS, workers: 1 });
  server = await serve(["--max-bytes", "1M", "--timeout", "5s"]);
  url = `${server.url}/clean`;
});

afterAll(() => library.close());

const HTML = { "content-type": "text/html" };
const JSON_TYPE = { "content-type": "application/json" };
const FORM = { "content-type": "application/x-www-form-urlencoded" };
const FIXTURE = "fixtures/pages/qa-en/source.html";
const fixture = readFileSync(FIXTURE);
const record = (value: object): string => JSON.stringify(value);

describe("a document", () => {
  it("becomes the record that the command writes for it", async () => {
    const limits = ["--max-bytes", "1M", "--timeout", "5s"];
    const { stdout } = await thresher([
      FIXTURE,
      "--to",
      "jsonl",
      "--url",
      "https://example.org/q",
      ...limits,
    ]);
    const [expected] = parseLines(stdout);
    const { status, headers, json } = await post(`${url}?url=https://example.org/q`, fixture, HTML);
    expect(status).toBe(200);
    expect(headers["content-type"]).toBe("application/json; charset=utf-8");
    expect({ ...json(), id: expected?.["id"] }).toEqual(expected);
    expect(json()["id"]).toBe("https://example.org/q");
  });

  it.each([
    ["text", "text/plain"],
    ["markdown", "text/markdown"],
  ])("becomes %s if it is requested by name or by type", async (name, type) => {
    const { stdout } = await thresher([FIXTURE, "--to", name]);
    for (const [query, accept] of [
      [`?to=${name}`, "*/*"],
      ["", `image/png, ${type};q=0.9, application/json;q=0.1`],
    ] as const) {
      const { status, headers, text } = await post(`${url}${query}`, fixture, { ...HTML, accept });
      expect(status).toBe(200);
      expect(headers["content-type"]).toBe(`${type}; charset=utf-8`);
      expect(text).toBe(stdout);
    }
  });

  it("may be text, bytes in any charset, or lack a useful type", async () => {
    const swedish =
      "<title>Blåbär</title><p>Blåbär växer i skogen, och många plockar dem om hösten för att göra sylt.";
    const latin1 = Buffer.from(swedish, "latin1");
    const types = [
      "text/html; charset=iso-8859-1",
      "application/octet-stream",
      "application/x-www-form-urlencoded",
    ];
    for (const type of types) {
      const { json } = await post(url, latin1, { "content-type": type });
      expect(json()).toMatchObject({ title: "Blåbär", source: "html" });
    }
    const text = "This is a line of text that a person wrote, and it goes on for a while.";
    expect((await post(url, text, { "content-type": "text/plain" })).json()).toMatchObject({
      text,
      source: "text",
    });
    expect((await post(`${url}?from=text`, `<b>${text}`, HTML)).json()).toMatchObject({ text: `<b>${text}` });
  });

  it("may be what a browser saved with its images, with or without the head of the file", async () => {
    const type = 'multipart/related; boundary="b"';
    const parts = `--b\nContent-Type: text/html\n\n${GOOD_PAGE}\n--b--\n`;
    for (const body of [parts, `MIME-Version: 1.0\nContent-Type: ${type}\n\n${parts}`]) {
      const { status, json } = await post(url, body, { "content-type": type });
      expect([status, json()]).toEqual([200, expect.objectContaining({ title: "Tea", source: "html" })]);
    }
  });

  it("may be a record with its names, its options and other fields", async () => {
    const answer = await post(
      url,
      record({
        html: GOOD_PAGE,
        id: 7,
        url: "https://example.org/tea",
        options: { to: "json", "keep-boilerplate": true },
        n: 1,
      }),
      JSON_TYPE,
    );
    expect(answer.json()).toMatchObject({
      id: "7",
      url: "https://example.org/tea",
      title: "Tea",
      carried: { n: 1 },
    });
    const lines = answer.json()["lines"] as readonly Record<string, unknown>[];
    expect(new Set(lines.map(({ label }) => label))).toEqual(new Set(["content", "boilerplate"]));
    for (const type of ["text/json; charset=utf-8", "application/ld+json"]) {
      const other = await post(url, record({ html: GOOD_PAGE, id: 7 }), { "content-type": type });
      expect(other.json()).toMatchObject({ id: "7", title: "Tea", source: "html" });
    }
    const kept = await post(
      url,
      record({ lines: ["One line of text, which is long enough to stay.", "x"] }),
      JSON_TYPE,
    );
    expect(kept.json()).toMatchObject({ id: "1", source: "text" });
  });

  it("may be bytes in a record, which are not fetched even if the record has an address", async () => {
    const bytes = Buffer.from(GOOD_PAGE).toString("base64");
    const answer = await post(
      url,
      record({ bytes, contentType: "text/html", url: "https://example.org/tea" }),
      JSON_TYPE,
    );
    expect(answer.json()).toMatchObject({ id: "https://example.org/tea", title: "Tea", source: "html" });
  });

  it("is cleaned with its own options, next to others with other options", async () => {
    const cuts = ["0", "0.5", "1"];
    const answers = await Promise.all(
      [...cuts, ...cuts].map((cut) => post(`${url}?threshold=${cut}&keep-boilerplate`, GOOD_PAGE, HTML)),
    );
    const found = answers.map(({ json }) => (json()["page"] as Record<string, unknown>)["cut"]);
    expect(found).toEqual([0, 0.5, 1, 0, 0.5, 1]);
    const small = ['"threshold":1e-5', '"min-words":5.0', '"filter":"digits=1"', '"threshold":0.00000012'];
    for (const option of small) {
      const body = `{"html":${JSON.stringify(GOOD_PAGE)},"options":{${option}}}`;
      expect([option, (await post(url, body, JSON_TYPE)).status]).toEqual([option, 200]);
    }
    const removed = await post(`${url}?to=text&remove=h1&remove=p:last-of-type`, GOOD_PAGE, HTML);
    expect(removed.text).toMatch(/^Tea is a drink/);
    expect(removed.text).not.toContain("Europe");
  });

  it("can switch off what the server does by default", async () => {
    const other = await serve(["--keep-boilerplate", "--no-metadata"]);
    const asked = `${other.url}/clean?to=json`;
    expect((await post(asked, GOOD_PAGE, HTML)).json()).not.toHaveProperty("title");
    expect((await post(asked, GOOD_PAGE, HTML)).json()).toHaveProperty("lines");
    const plain = await post(`${asked}&keep-boilerplate=false&no-metadata=false`, GOOD_PAGE, HTML);
    expect(plain.json()).not.toHaveProperty("lines");
    expect(plain.json()).toHaveProperty("title");
  });

  it("passes through the requested filters", async () => {
    expect((await post(`${url}?min-words=10&lang=en`, GOOD_PAGE, HTML)).status).toBe(200);
    const { status, json } = await post(`${url}?lang=sv,fi`, GOOD_PAGE, HTML);
    expect([status, json()["reason"]]).toEqual([422, "wrong-language"]);
    expect((await post(`${url}?min-words=1000`, GOOD_PAGE, HTML)).json()).toMatchObject({
      reason: "filtered",
    });
  });

  it("may be compressed, as a body or as a document", async () => {
    const { text } = await post(url, fixture, HTML);
    for (const [coding, packed] of [
      ["gzip", gzipSync(fixture)],
      ["br", brotliCompressSync(fixture)],
      ["identity", gzipSync(fixture)],
    ] as const)
      expect((await post(url, packed, { ...HTML, "content-encoding": coding })).text).toBe(text);
    const cut = await post(url, gzipSync(fixture).subarray(0, 3000), { ...HTML, "content-encoding": "gzip" });
    expect([cut.status, cut.json()["reason"], cut.json()["id"]]).toEqual([422, "broken-gzip", "1"]);
    const bomb = gzipSync(Buffer.alloc(5_000_000, "x"));
    expect((await post(url, bomb, { ...HTML, "content-encoding": "gzip" })).status).toBe(413);
    expect((await post(url, bomb, { "content-type": "application/octet-stream" })).json()).toMatchObject({
      reason: "too-large",
    });
  });
});

describe("what cannot become text", () => {
  it("becomes the reject that the command writes for it, even poison", async () => {
    for (const file of readdirSync("fixtures/poison")) {
      if (!/\.(?:html|html\.gz|txt)$/.test(file)) continue;
      const bytes = readFileSync(`fixtures/poison/${file}`);
      const contentType = file.endsWith(".txt") ? "text/plain" : "text/html";
      const expected = await library.clean({ bytes, contentType });
      const { status, json } = await post(url, bytes, { "content-type": contentType });
      if (expected.ok)
        expect({ file, status, text: json()["text"] }).toEqual({
          file,
          status: 200,
          text: expected.value.text,
        });
      else {
        const { reason, stage } = expected;
        expect({ file, status, ...json() }).toMatchObject({
          file,
          status: reason === "too-large" ? 413 : 422,
          reason,
          stage,
        });
      }
    }
    expect((await get(`${server.url}/health`)).status).toBe(200);
  }, 60_000);

  it.each([
    ["an empty body", "", 422, "empty"],
    ["an object without a page", "{}", 422, "bad-record"],
    ["an invalid page", record({ html: 7 }), 422, "bad-record"],
    ["a page that is too long", record({ html: "x".repeat(1_100_000) }), 413, "too-large"],
  ])("becomes a reject: %s", async (_, body, status, reason) => {
    const answer = await post(url, body, body === "" ? HTML : JSON_TYPE);
    expect([answer.status, answer.json()["reason"]]).toEqual([status, reason]);
  });
});

describe("an invalid request", () => {
  const page = record({ html: GOOD_PAGE });
  it.each([
    ["half an object", "", '{"html":', JSON_TYPE, 400, "bad-json"],
    ["not an object", "", "[]", JSON_TYPE, 400, "bad-json"],
    ["not UTF-8", "", Buffer.from('{"html":"\xe9"}', "latin1"), JSON_TYPE, 400, "bad-json"],
    ["an unknown option", "?colour=red", GOOD_PAGE, HTML, 400, "bad-option"],
    ["a wrong value", "?focus=sharp", GOOD_PAGE, HTML, 400, "bad-option"],
    ["a value that looks like an option", "?threshold=--to", GOOD_PAGE, HTML, 400, "bad-option"],
    ["an invalid selector", "?keep=%5B%5B", GOOD_PAGE, HTML, 400, "bad-option"],
    ["an option of the server", "?model=/etc", GOOD_PAGE, HTML, 400, "bad-option"],
    ["removal of duplicates", "?dedup=exact", GOOD_PAGE, HTML, 400, "bad-option"],
    ["a labeller without its model", "?labeller=transformer", GOOD_PAGE, HTML, 400, "bad-option"],
    ["more time than allowed", "?timeout=6s", GOOD_PAGE, HTML, 400, "bad-option"],
    ["more bytes than allowed", "?max-bytes=2M", GOOD_PAGE, HTML, 400, "bad-option"],
    ["a value and its opposite", "?metadata=brief&no-metadata", GOOD_PAGE, HTML, 400, "bad-option"],
    [
      "more than a number can hold",
      "",
      '{"html":"x","options":{"threshold":1e999}}',
      JSON_TYPE,
      400,
      "bad-option",
    ],
    ["two values that contradict", "?focus=recall&focus=precision", GOOD_PAGE, HTML, 400, "bad-option"],
    ["a format that is not written", "?to=parquet", GOOD_PAGE, HTML, 400, "bad-option"],
    ["an invalid address", "?url=tea", GOOD_PAGE, HTML, 400, "bad-option"],
    ["options that are not an object", "", record({ html: "x", options: 7 }), JSON_TYPE, 400, "bad-option"],
    [
      "an option that is an object",
      "",
      record({ html: "x", options: { keep: {} } }),
      JSON_TYPE,
      400,
      "bad-option",
    ],
    [
      "query and body that contradict",
      "?focus=recall",
      record({ html: "x", options: { focus: "precision" } }),
      JSON_TYPE,
      400,
      "bad-option",
    ],
    [
      "two addresses",
      "?url=https://example.org/",
      record({ html: "x", url: "https://example.com/" }),
      JSON_TYPE,
      400,
      "bad-option",
    ],
    ["an id among options", "", record({ html: "x", options: { id: "a" } }), JSON_TYPE, 400, "bad-option"],
    ["the format of a record", "?from=text", page, JSON_TYPE, 400, "bad-option"],
    ["only an address", "", record({ url: "http://127.0.0.1/" }), JSON_TYPE, 403, "fetch-forbidden"],
    ["an unsupported type of answer", "", page, { ...JSON_TYPE, accept: "image/png" }, 406, "not-acceptable"],
    ["a form", "", "x", { "content-type": "multipart/form-data; boundary=x" }, 415, "unsupported-type"],
    ["fields of a form", "", "html=%3Cp%3Ex&a=b", FORM, 415, "unsupported-type"],
    ["a record without its type", "", '{"id":1,"text":"x"}', FORM, 415, "unsupported-type"],
    ["many records", "", "{}\n{}", { "content-type": "application/x-ndjson" }, 415, "unsupported-type"],
    ["an unknown coding", "", "x", { ...HTML, "content-encoding": "rot13" }, 415, "unsupported-type"],
  ])("gets the reason: %s", async (_, query, body, headers: Record<string, string>, status, error) => {
    const answer = await post(`${url}${query}`, body, headers);
    expect([answer.status, answer.json()["error"]]).toEqual([status, error]);
    expect(answer.json()["message"]).toMatch(/\w+ \w+/);
  });

  it("gets the list of options", async () => {
    const unknown = (await post(url, record({ body: "x" }), JSON_TYPE)).json();
    expect(unknown["detail"]).toBe("the body: no html, text, lines or bytes; there are body");
    const streamed = await post(`${server.url}/clean/stream`, record({ body: "x" }), {});
    expect(streamed.text).toContain("there are body");
    expect(streamed.text).not.toContain("--column");
    const form = (await post(url, "a=b", FORM)).json();
    expect(form["message"]).toContain("curl --data-binary @page.html");
  });

  it("is told a limit of time with its unit", async () => {
    const { message } = (await post(`${url}?timeout=60s`, GOOD_PAGE, HTML)).json();
    expect(message).toMatch(/^wrong option: timeout may be at most \d+ms on this server$/);
  });

  it("gets 404 or 405 for an unknown path or method", async () => {
    const missing = (await get(`${server.url}/nothing`)).json();
    expect(missing).toMatchObject({ error: "not-found" });
    expect(missing["message"]).toMatch(/^this path does not exist, but others do: \/clean, /);
    const { status, headers } = await get(url);
    expect([status, headers["allow"]]).toEqual([405, "POST"]);
    expect((await get(`${server.url}/__proto__`)).status).toBe(404);
  });

  it("has no effect: the next one is answered, and no bug is logged", async () => {
    expect((await post(url, GOOD_PAGE, HTML)).status).toBe(200);
    expect(server.stderr()).toMatch(/^thresher: listening on \S+\n$/);
  });
});
