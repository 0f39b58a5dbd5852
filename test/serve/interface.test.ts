/** Tests the server's description: a valid OpenAPI document, which its real answers match, and metrics that can be parsed. */
import { Validator } from "@seriousme/openapi-schema-validator";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import parsePrometheus from "parse-prometheus-text-format";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { GOOD_PAGE, get, post, serve, type Answer, type Serving, stopServers } from "./serving.js";

afterAll(stopServers);

type Json = Readonly<Record<string, unknown>>;

let server: Serving;
let api: Json;
const HTML = { "content-type": "text/html" };
const JSON_TYPE = { "content-type": "application/json" };
beforeAll(async () => {
  server = await serve(["--max-bytes", "100k"]);
  api = (await get(`${server.url}/openapi.json`)).json();
});

/** Follows names down a document that has them. */
function at(value: unknown, ...names: readonly string[]): unknown {
  return names.reduce<unknown>((inner, name) => (inner as Json | undefined)?.[name], value);
}

/** Returns the document's schema for this answer; fails if there is none. */
function promiseOf(path: string, method: string, { status, headers }: Answer): ValidateFunction | undefined {
  const type = String(headers["content-type"]).replace(/;.*/, "");
  const schema = at(api, "paths", path, method, "responses", String(status), "content", type, "schema");
  expect(schema, `${method} ${path} ${status} ${type}`).toBeDefined();
  if (type !== "application/json") return undefined;
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  ajv.addSchema({ $id: "api", ...api });
  return ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"api#/')) as Json);
}

describe("the OpenAPI document", () => {
  it("is a valid one, of version 3.1", async () => {
    const { valid, errors } = await new Validator().validate({ ...api });
    expect(errors).toBeUndefined();
    expect(valid).toBe(true);
    expect(api["openapi"]).toBe("3.1.0");
    const refusal = at(api, "paths", "/clean", "post", "responses", "400", "description");
    expect(refusal).toMatch(/JSON.* or wrong option$/);
  });

  it("lists every option of a request, and no other", async () => {
    const parameters = at(api, "paths", "/clean", "post", "parameters") as readonly Json[];
    const names = parameters.map(({ name }) => String(name));
    expect(names).toEqual(
      expect.arrayContaining(["id", "url", "from", "to", "focus", "keep", "min-words", "timeout"]),
    );
    for (const name of ["model", "jobs", "dedup"]) expect(names).not.toContain(name);
    const wrong = await post(`${server.url}/clean?colour=red`, GOOD_PAGE, HTML);
    const [, listed = ""] = /there are (.*)/.exec(String(wrong.json()["message"])) ?? [];
    expect(listed.split(", ")).toEqual(
      names.filter((name) => !["id", "url", "from", "to"].includes(name)).sort(),
    );
  });

  it("lists the fields of records", () => {
    const input = ["requestBody", "content", "application/json", "schema", "properties"];
    const inputs = at(api, "paths", "/clean", "post", ...input) as Json;
    expect(Object.keys(inputs)).toEqual(
      expect.arrayContaining(["html", "text", "lines", "bytes", "contentType"]),
    );
    const fields = at(api, "components", "schemas", "Record", "properties") as Json;
    expect(Object.keys(fields)).toEqual(expect.arrayContaining(["formatted", "registers"]));
  });

  it("lists only options and values that requests accept", async () => {
    const parameters = at(api, "paths", "/clean", "post", "parameters") as readonly Json[];
    const values: Json = { keep: "main", remove: "nav", lang: "en", filter: "min-words", "min-words": "2" };
    const others: Json = {
      ...values,
      threshold: "0.5",
      "max-bytes": "50k",
      timeout: "2s",
      url: "https://example.org/",
      id: "x",
    };
    for (const { name, schema } of parameters) {
      const choices = (at(schema, "enum") as readonly string[] | undefined)?.filter(
        (one) => !NEEDS_MODEL.has(one),
      );
      const isSwitch = at(schema, "type") === "boolean";
      for (const value of choices ?? [isSwitch ? "true" : String(others[String(name)])]) {
        const { status, text } = await post(
          `${server.url}/clean?${String(name)}=${encodeURIComponent(value)}`,
          GOOD_PAGE,
          HTML,
        );
        expect([name, value, text.slice(0, 200), [200, 422].includes(status)]).toEqual([
          name,
          value,
          text.slice(0, 200),
          true,
        ]);
      }
    }
  });

  it.each([
    ["/clean", "post", 200, () => post(`${server.url}/clean?keep-boilerplate&spans`, GOOD_PAGE, HTML)],
    [
      "/clean",
      "post",
      200,
      () => post(`${server.url}/clean?lines`, "A line of text that is long enough to be kept.", HTML),
    ],
    [
      "/clean",
      "post",
      200,
      () => post(`${server.url}/clean`, JSON.stringify({ html: GOOD_PAGE, more: [1] }), JSON_TYPE),
    ],
    ["/clean", "post", 200, () => post(`${server.url}/clean?registers&formatted=html`, GOOD_PAGE, HTML)],
    ["/clean", "post", 200, () => post(`${server.url}/clean?to=text`, GOOD_PAGE, HTML)],
    ["/clean", "post", 200, () => post(`${server.url}/clean?to=markdown`, GOOD_PAGE, HTML)],
    ["/clean", "post", 200, () => post(`${server.url}/clean?to=jsonl`, GOOD_PAGE, HTML)],
    ["/clean", "post", 400, () => post(`${server.url}/clean?focus=blunt`, GOOD_PAGE, HTML)],
    ["/clean", "post", 400, () => post(`${server.url}/clean`, "{", JSON_TYPE)],
    ["/clean", "post", 403, () => post(`${server.url}/clean`, '{"url":"http://a.example/"}', JSON_TYPE)],
    ["/clean", "post", 406, () => post(`${server.url}/clean`, GOOD_PAGE, { ...HTML, accept: "image/png" })],
    ["/clean", "post", 413, () => post(`${server.url}/clean`, "x".repeat(200_000), HTML)],
    [
      "/clean",
      "post",
      413,
      () => post(`${server.url}/clean`, JSON.stringify({ text: "x".repeat(200_000) }), JSON_TYPE),
    ],
    ["/clean", "post", 415, () => post(`${server.url}/clean`, "x", { "content-type": "multipart/mixed" })],
    ["/clean", "post", 422, () => post(`${server.url}/clean`, "", HTML)],
    ["/clean/stream", "post", 200, () => post(`${server.url}/clean/stream`, "{}\n")],
    ["/clean/stream", "post", 400, () => post(`${server.url}/clean/stream?id=1`, "{}\n")],
    ["/clean/stream", "post", 415, () => post(`${server.url}/clean/stream`, "{}\n", HTML)],
    ["/health", "get", 200, () => get(`${server.url}/health`)],
    ["/metrics", "get", 200, () => get(`${server.url}/metrics`)],
    ["/openapi.json", "get", 200, () => get(`${server.url}/openapi.json`)],
  ])("matches the answers of %s %s: %i", async (path, method, status, ask) => {
    const answer = await ask();
    expect(answer.status).toBe(status);
    const holds = promiseOf(path, method, answer);
    if (holds === undefined) expect(answer.text).not.toBe("");
    else expect(holds(answer.json()), JSON.stringify(holds.errors)).toBe(true);
  });

  it("distinguishes a wrong answer from a right one", async () => {
    const answer = await post(`${server.url}/clean`, GOOD_PAGE, HTML);
    const holds = promiseOf("/clean", "post", answer);
    expect(holds?.({ ...answer.json(), score: 2 })).toBe(false);
    expect(holds?.({ ...answer.json(), text: undefined })).toBe(false);
  });
});

/** Labellers whose models are not included. */
const NEEDS_MODEL = new Set(["transformer", "boilernet", "fasttext"]);

interface Family {
  readonly name: string;
  readonly type: string;
  readonly metrics: readonly {
    readonly labels?: Json;
    readonly value?: string;
    readonly count?: string;
    readonly buckets?: Json;
  }[];
}

describe("the metrics", () => {
  const read = async (): Promise<ReadonlyMap<string, Family>> => {
    const { text } = await get(`${server.url}/metrics`);
    return new Map((parsePrometheus(text) as readonly Family[]).map((family) => [family.name, family]));
  };
  const value = (families: ReadonlyMap<string, Family>, name: string, labels: Json = {}): number =>
    Number(
      families
        .get(name)
        ?.metrics.find((one) => Object.entries(labels).every(([key, text]) => one.labels?.[key] === text))
        ?.value ?? 0,
    );

  it("can be parsed, and count requests and their results", async () => {
    const before = await read();
    for (const [query, body] of [
      ["", GOOD_PAGE],
      ["", ""],
      ["?focus=blunt", GOOD_PAGE],
    ] as const)
      await post(`${server.url}/clean${query}`, body, HTML);
    await post(`${server.url}/clean/stream`, `${JSON.stringify({ html: GOOD_PAGE })}\nbad\n`);
    const after = await read();
    const grown = (name: string, labels: Json): number =>
      value(after, name, labels) - value(before, name, labels);
    expect(grown("thresher_requests_total", { endpoint: "/clean", status: "200" })).toBe(1);
    expect(grown("thresher_requests_total", { endpoint: "/clean", status: "422" })).toBe(1);
    expect(grown("thresher_requests_total", { endpoint: "/clean", status: "400" })).toBe(1);
    expect(grown("thresher_documents_total", { outcome: "ok" })).toBe(2);
    expect(grown("thresher_documents_total", { outcome: "empty" })).toBe(1);
    expect(grown("thresher_documents_total", { outcome: "not-json" })).toBe(1);
    expect(value(after, "thresher_documents_running")).toBe(0);
    expect(value(after, "process_resident_memory_bytes")).toBeGreaterThan(1e7);
    expect(after.get("thresher_request_seconds")?.type).toBe("HISTOGRAM");
    const { text } = await get(`${server.url}/metrics`);
    const rows = text.matchAll(
      /^thresher_request_seconds_bucket\{endpoint="\/clean",le="([^"]+)"\} (\d+)$/gm,
    );
    const buckets = [...rows].map(([, most, count]) => [
      Number(most?.replace("+", "").replace("Inf", "Infinity")),
      Number(count),
    ]);
    expect(buckets).toEqual([...buckets].sort(([one = 0], [other = 0]) => one - other));
    const counts = buckets.map(([, count = 0]) => count);
    expect(counts).toEqual([...counts].sort((one, other) => one - other));
    expect(text).toContain(`thresher_request_seconds_count{endpoint="/clean"} ${counts.at(-1)}\n`);
  });

  it("do not grow with unknown paths and methods", async () => {
    for (let n = 0; n < 5; n += 1) await get(`${server.url}/nothing/${n}?"\\`);
    const { text } = await get(`${server.url}/metrics`);
    expect(text).toContain('thresher_requests_total{endpoint="other",status="404"} 5\n');
    expect(text).not.toContain("nothing");
  });
});
