import { request } from "node:http";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { appendFileSync, existsSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { parseLines, thresher } from "../cli/run.js";
import { createCatalog } from "../../src/inspect/records/catalog.js";
import { indexRecords } from "../../src/inspect/records/index-records.js";
import { createGuard } from "../../src/inspect/web/guard.js";
import { startInspector } from "../../src/inspect/web/server.js";
import { labellers } from "../../src/label/registry.js";
import { leftBehind } from "../left-behind.js";
import { freshPath, inspect, stopAll, TEA, toRecord, type Inspecting } from "./inspecting.js";

afterAll(stopAll);

const SLOW = { timeout: 60_000 };

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

interface Asking {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Sends any header: fetch would not send another host. */
function ask(url: string, { method = "GET", headers = {}, body }: Asking = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const asked = request(url, { method, headers, agent: false }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (part: string) => (text += part));
      response.on("end", () => {
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
      });
    });
    asked.on("error", reject);
    asked.end(body);
  });
}

async function enter({ url }: Inspecting): Promise<string> {
  const { headers } = await ask(url);
  return String(headers["set-cookie"]).split(";")[0] ?? "";
}

function writeTea(...more: readonly string[]): string {
  const path = freshPath("tea.jsonl");
  writeFileSync(path, `${[toRecord({ id: "tea", lines: TEA }), ...more].join("\n")}\n`);
  return path;
}

describe("the server of thresher inspect", SLOW, () => {
  it("says which options only affect exported gold", async () => {
    const served = await inspect(writeTea(), "--only", "done", "--comments-as", "content", "--no-source");
    for (const flag of ["--only", "--comments-as", "--no-source"])
      expect(served.stderr()).toContain(`${flag} has no effect here: it only affects --export\n`);
    await served.stop();
    const plain = await inspect(writeTea());
    expect(plain.stderr()).not.toContain("no effect");
    await plain.stop();
  });

  it("sends gold row by row, and cuts it off where the input has changed", async () => {
    const input = writeTea(toRecord({ id: "next", lines: TEA }));
    const served = await inspect(input, "--annotator", "ann");
    const headers = { cookie: await enter(served), "content-type": "application/json" };
    for (const key of ["tea", "next"]) {
      const shown = await ask(`${served.origin}/api/document?key=${key}`, { headers });
      const { digest } = JSON.parse(shown.text) as { digest: string };
      const body = JSON.stringify({ key, digest, changes: [{ line: 0, was: null, mark: "content" }] });
      expect(await ask(`${served.origin}/api/mark`, { method: "POST", headers, body })).toMatchObject({
        status: 200,
      });
    }
    const { status, text } = await ask(`${served.origin}/api/gold`, { headers });
    expect({ status, ids: parseLines(text).map(({ id }) => id) }).toEqual({
      status: 200,
      ids: ["tea", "next"],
    });
    writeFileSync(input, readFileSync(input, "utf8").replace('"next"', '"last"'));
    const cut = await fetch(`${served.origin}/api/gold`, { headers });
    expect(cut.status).toBe(200);
    await expect(cut.text()).rejects.toThrow();
    expect(served.stderr()).toContain("has changed since it was read");
    await served.stop();
  });

  it("answers only the browser that has the token", async () => {
    const input = writeTea();
    const served = await inspect(input, "--annotator", "ann");
    const { url, origin } = served;
    const paths = [
      "/",
      "/style.css",
      "/app/main.js",
      "/api/list",
      "/api/document?key=tea",
      "/api/gold",
      "/page?key=tea",
      "/nothing",
    ];
    for (const path of paths) expect((await ask(`${origin}${path}`)).status, path).toBe(403);
    expect((await ask(`${origin}/?token=wrong`)).status).toBe(403);
    const first = await ask(url);
    expect(first.status).toBe(303);
    expect(first.headers["location"]).toBe("/");
    expect(String(first.headers["set-cookie"])).toMatch(/; Path=\/; HttpOnly; SameSite=Strict$/);
    const cookie = await enter(served);
    const page = await ask(`${origin}/`, { headers: { cookie } });
    expect(page.status).toBe(200);
    expect(page.headers["content-security-policy"]).toContain("default-src 'none'; script-src 'self'");
    expect((await ask(`${origin}/nothing`, { headers: { cookie } })).status).toBe(404);

    // These are a page whose name resolves to this machine (DNS rebinding), and one that sends a form (CSRF).
    const { port } = new URL(url);
    for (const host of [`evil.example:${port}`, "127.0.0.1", `127.0.0.1.evil.example:${port}`])
      expect((await ask(`${origin}/`, { headers: { cookie, host } })).status, host).toBe(403);
    const marking = { key: "tea", digest: "", changes: [{ line: 0, was: null, mark: "content" }] };
    const post = (headers: Record<string, string>, body = JSON.stringify(marking)): Promise<Answer> =>
      ask(`${origin}/api/mark`, { method: "POST", headers: { cookie, ...headers }, body });
    const json = { "content-type": "application/json" };
    expect((await post({ ...json, origin: "https://evil.example" })).status).toBe(403);
    expect((await post({ ...json, origin: "null" })).status).toBe(403);
    expect((await post({ ...json, "sec-fetch-site": "cross-site" })).status).toBe(403);
    expect((await post({ "content-type": "text/plain" })).status).toBe(415);
    expect((await post({ ...json, origin })).status).toBe(409);
    for (const body of [
      "nonsense",
      "[]",
      '{"key":"tea","digest":"","changes":[{"line":-1,"was":null,"mark":null}]}',
    ])
      expect((await post(json, body)).status, body).toBe(400);
    expect((await post(json, " ".repeat(5_000_000))).status).toBe(413);
    expect((await ask(`${origin}/api/document?key=none`, { headers: { cookie } })).status).toBe(404);
    expect((await ask(`${origin}/api/cut?key=tea&cut=2`, { headers: { cookie } })).status).toBe(400);
    expect(readFileSync(`${input}.marks.jsonl`, "utf8")).toBe('{"thresher":"annotations","version":1}\n');
    await served.stop();
  });

  it("accepts its address without the port 80, which browsers omit", () => {
    const guard = createGuard(() => 80);
    const ask = (host: string): unknown =>
      guard.check({
        ...{ method: "GET", path: "/", query: new URLSearchParams(guard.query), cookie: () => undefined },
        header: (name) => (name === "Host" ? host : ""),
      });
    expect(ask("127.0.0.1")).toMatchObject({ to: "/" });
    expect(ask("localhost")).toMatchObject({ to: "/" });
    expect(() => ask("example.org")).toThrow("address of the inspector");
  });

  it("reports that an input changed meanwhile, and keeps the marks of the old one", async () => {
    const input = writeTea();
    const served = await inspect(input, "--annotator", "ann");
    const cookie = await enter(served);
    const read = (path: string): Promise<Answer> => ask(`${served.origin}${path}`, { headers: { cookie } });
    const { digest } = JSON.parse((await read("/api/document?key=tea")).text) as { digest: string };
    const body = JSON.stringify({ key: "tea", digest, changes: [{ line: 1, was: null, mark: "content" }] });
    const headers = { cookie, "content-type": "application/json" };
    expect((await ask(`${served.origin}/api/mark`, { method: "POST", headers, body })).status).toBe(200);
    await served.stop();

    writeFileSync(
      input,
      `${toRecord({ id: "tea", lines: [...TEA, ["One more line.", 0.9]] })}\n${toRecord({ id: "b", lines: TEA })}\n`,
    );
    const again = await inspect(input, "--annotator", "ann");
    const other = await enter(again);
    const shown = await ask(`${again.origin}/api/document?key=tea`, { headers: { cookie: other } });
    expect(JSON.parse(shown.text)).toMatchObject({ stale: 1, marks: {} });
    writeFileSync(input, "\n".repeat(5000));
    const gone = await ask(`${again.origin}/api/document?key=b`, { headers: { cookie: other } });
    expect(gone.status).toBe(409);
    expect(gone.text).toContain("has changed since it was read");
    await again.stop();
    expect(readFileSync(`${input}.marks.jsonl`, "utf8").split("\n")).toHaveLength(3);
  });
});

describe("thresher inspect", SLOW, () => {
  const run = async (...args: readonly string[]): Promise<string> => {
    const { code, stderr, stdout } = await thresher(["inspect", ...args]);
    expect(stdout).toBe("");
    expect(code, stderr).not.toBe(0);
    expect(stderr).not.toContain("This is a bug");
    return stderr;
  };

  it("says what is wrong with its inputs and its journal", async () => {
    const empty = freshPath("empty.jsonl");
    writeFileSync(empty, "");
    expect(await run(empty, "--gold", freshPath("j"))).toMatch(/there is no document in .*empty\.jsonl: /);
    const missing = freshPath("missing");
    expect(await run(missing)).toContain("there is no document in");
    expect(existsSync(`${missing}.marks.jsonl`)).toBe(false);
    expect(await run("-", "--gold", freshPath("j"))).toContain("it cannot read stdin");
    expect(await run("https://example.org/")).toContain("--gold");
    const other = freshPath("letter.txt");
    writeFileSync(other, "Dear grandmother,\n");
    expect(await run(writeTea(), "--gold", other)).toContain(`${other} is not a journal of annotations`);
    expect(readFileSync(other, "utf8")).toBe("Dear grandmother,\n");
    expect(await run(writeTea(), "--port", "70000")).toContain("from 0 to 65535");
    const nobody = freshPath("gold.jsonl");
    expect(await run(writeTea(), "--export", nobody, "--annotator", "ann")).toContain(
      "ann has marked nothing (the journal has no marks)",
    );
    expect(existsSync(nobody)).toBe(false);
  });

  it("gives each document its own key, even if an id looks like such a key", () => {
    const catalog = createCatalog();
    const keys = ["a", "a#2", "a", "b", "b", "b#2", "a", "b"].map((id) => catalog.nameKey(id));
    expect(keys).toEqual(["a", "a#2", "a#3", "b", "b#2", "b#2#2", "a#4", "b#3"]);
  });

  it("says that a record is too long", async () => {
    const path = freshPath("long.jsonl");
    writeFileSync(path, "");
    truncateSync(path, 257 * 1024 * 1024);
    appendFileSync(path, "\n[]\n");
    const catalog = createCatalog();
    await indexRecords(path, catalog, new AbortController().signal);
    expect(catalog.damage.first).toEqual([
      `${path}:1: longer than 256 MiB, the most for a record`,
      `${path}:2: not a JSON object`,
    ]);
  });

  it("leaves no folder behind if a model cannot be used", async () => {
    const left = await leftBehind(async () => {
      expect(await run(writeTea(), "--model", freshPath("none"))).toContain("cannot be used");
    });
    expect(left).toEqual([]);
  });

  it("leaves no folder behind if the shipped model is missing", async () => {
    const { modelDir } = labellers.text;
    onTestFinished(() => void Object.assign(labellers.text, { modelDir }));
    Object.assign(labellers.text, { modelDir: freshPath("none") });
    const [inputs, journal] = [[writeTea()], freshPath("marks.jsonl")];
    const options = { inputs, journal, clean: {}, port: 0, annotator: "ann" };
    const tools = { signal: new AbortController().signal, say: () => undefined, onBug: () => undefined };
    const left = await leftBehind(async () => {
      await expect(startInspector(options, tools)).rejects.toThrow("does not include the model");
    });
    expect(left).toEqual([]);
  });

  it("says that the journal has marks of documents that the inputs do not have", async () => {
    const input = writeTea('{"lines":[{"text":"A line without an id.","score":0.9}]}');
    const journal = `${input}.marks.jsonl`;
    const mark = { at: "2026-01-01T00:00:00.000Z", annotator: "ann", digest: "0", changes: [[0, "content"]] };
    const keys = ["tea", `${input}:2`, "other.jsonl:2"];
    writeFileSync(
      journal,
      `${['{"thresher":"annotations","version":1}', ...keys.map((key) => JSON.stringify({ ...mark, key }))].join("\n")}\n`,
    );
    expect(await run(input, "--export", freshPath("gold.jsonl"), "--annotator", "ann")).toContain(
      `${journal} has marks of 1 document that the inputs do not have`,
    );
  });

  it("says that a port is taken", async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, "127.0.0.1", resolve));
    const { port } = taken.address() as AddressInfo;
    // It stops reading the second input.
    expect(await run(writeTea(), "fixtures/pages", "--port", String(port))).toMatch(
      new RegExp(`^thresher: cannot listen on port ${port}: another program.*\n$`),
    );
    taken.close();
  });

  it("continues after damaged records, and with a truncated journal", async () => {
    const input = writeTea(
      '{"id":"half","lines":[{"te',
      '{"id":"bare","text":"no lines"}',
      "[]",
      toRecord({ id: "tea", lines: TEA }),
    );
    const journal = `${input}.marks.jsonl`;
    writeFileSync(journal, '{"thresher":"annotations","version":1}\n');
    appendFileSync(journal, '{"at":"2026-01-01","annotator":"a');
    const served = await inspect(input);
    expect(served.stderr()).toContain(`the last entry of ${journal} was cut off (33 bytes)`);
    const cookie = await enter(served);
    const list = JSON.parse((await ask(`${served.origin}/api/list`, { headers: { cookie } })).text) as {
      documents: { key: string }[];
      damage: { count: number; first: string[] };
    };
    // The second document with an id has its own key.
    expect(list.documents.map(({ key }) => key)).toEqual(["tea", "tea#2"]);
    expect(list.damage).toEqual({
      count: 3,
      first: [
        `${input}:2: not a JSON object`,
        `${input}:3: no lines with text and score (records of --keep-boilerplate have them)`,
        `${input}:4: not a JSON object`,
      ],
    });
    await served.stop();
  });

  it("exports pages with their source, which the benchmark gives to extractors", async () => {
    const page = freshPath("qa.html");
    const source = readFileSync("fixtures/pages/qa-en/source.html", "utf8");
    writeFileSync(page, source);
    const who = ["--annotator", "ann"];
    const served = await inspect(page, ...who);
    const cookie = await enter(served);
    const list = JSON.parse((await ask(`${served.origin}/api/list`, { headers: { cookie } })).text) as {
      documents: { key: string }[];
    };
    const key = list.documents[0]?.key ?? "";
    const query = new URLSearchParams({ key }).toString();
    const shown = JSON.parse(
      (await ask(`${served.origin}/api/document?${query}`, { headers: { cookie } })).text,
    ) as { digest: string; lines: { text: string; label: "content" | "boilerplate" }[] };
    const changes = shown.lines.flatMap(({ text, label }, line) =>
      text.trim() === "" ? [] : [{ line, was: null, mark: label }],
    );
    const headers = { cookie, "content-type": "application/json" };
    const body = JSON.stringify({ key, digest: shown.digest, changes });
    expect((await ask(`${served.origin}/api/mark`, { method: "POST", headers, body })).status).toBe(200);
    for (const [source, has] of [
      ["with", true],
      ["without", false],
    ] as const) {
      const { text } = await ask(`${served.origin}/api/gold?source=${source}`, { headers: { cookie } });
      expect("html" in (JSON.parse(text) as object)).toBe(has);
    }
    await served.stop();

    const [gold, bare] = [freshPath("gold.jsonl"), freshPath("bare.jsonl")];
    for (const [path, ...more] of [[gold], [bare, "--no-source"]] as const) {
      const { code, stderr } = await thresher(["inspect", page, ...who, "--export", path, ...more]);
      expect(code, stderr).toBe(0);
    }
    expect(parseLines(readFileSync(gold, "utf8"))[0]?.["html"]).toBe(source);
    expect(parseLines(readFileSync(bare, "utf8"))[0]).not.toHaveProperty("html");
    // The marks are Thresher's own labels, so that its text is right, and the whole text is not.
    const out = freshPath("bench");
    const args = ["--systems", "page", "raw", "-o", out, "--resamples", "0"];
    const bench = await thresher(["bench", "--corpus", gold, ...args]);
    expect(bench.code, bench.stderr).toBe(0);
    expect(bench.stdout).toMatch(/page +100\.0 +100\.0 /);
    expect(bench.stdout).toMatch(/raw +\d\d\.\d +\d\d\.\d /);
  });

  it("reports records whose scores are not probabilities, and skips them", async () => {
    const input = writeTea(toRecord({ id: "odd", lines: [["A line of text.", 7]] }));
    const served = await inspect(input);
    const { text } = await ask(`${served.origin}/api/list`, { headers: { cookie: await enter(served) } });
    expect(JSON.parse(text)).toMatchObject({ total: 1, damage: { count: 1 } });
    await served.stop();
  });

  it("never exports over an input or the journal, and exports to stdout for -", async () => {
    const input = writeTea();
    const journal = `${input}.marks.jsonl`;
    const served = await inspect(input, "--annotator", "ann");
    const cookie = await enter(served);
    const { text } = await ask(`${served.origin}/api/list`, { headers: { cookie } });
    const key = (JSON.parse(text) as { documents: { key: string }[] }).documents[0]?.key ?? "";
    const shown = await ask(`${served.origin}/api/document?${new URLSearchParams({ key }).toString()}`, {
      headers: { cookie },
    });
    const { digest } = JSON.parse(shown.text) as { digest: string };
    const body = JSON.stringify({ key, digest, changes: [{ line: 1, was: null, mark: "content" }] });
    const headers = { cookie, "content-type": "application/json" };
    expect((await ask(`${served.origin}/api/mark`, { method: "POST", headers, body })).status).toBe(200);
    await served.stop();

    const [records, marks] = [readFileSync(input, "utf8"), readFileSync(journal, "utf8")];
    const who = ["--annotator", "ann"];
    expect(await run(input, ...who, "--export", input)).toContain(
      `--export would overwrite the input ${input}`,
    );
    expect(await run(input, ...who, "--export", journal)).toContain(
      `--export would overwrite the journal of marks ${journal}`,
    );
    expect([readFileSync(input, "utf8"), readFileSync(journal, "utf8")]).toEqual([records, marks]);
    const { code, stdout } = await thresher(["inspect", input, ...who, "--export", "-"]);
    expect(code).toBe(0);
    expect(parseLines(stdout)).toMatchObject([{ annotator: "ann" }]);
    expect(existsSync("-")).toBe(false);
    const packed = freshPath("gold.jsonl.gz");
    await thresher(["inspect", input, ...who, "--export", packed]);
    expect(gunzipSync(readFileSync(packed)).toString()).toBe(stdout);
  });

  it.each([".jsonl.gz", ".parquet"])("reads records that are compressed as %s", async (end) => {
    const packed = freshPath(end);
    const cleaned = await thresher(["fixtures/pages/qa-en/source.html", "--keep-boilerplate", "-o", packed]);
    expect(cleaned.code, cleaned.stderr).toBe(0);
    const served = await inspect(packed);
    const cookie = await enter(served);
    const { text } = await ask(`${served.origin}/api/list`, { headers: { cookie } });
    expect(JSON.parse(text)).toMatchObject({ total: 1, documents: [{ lang: "en", state: "none" }] });
    await served.stop();
  });
});
