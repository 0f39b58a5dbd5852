/** Tests that long JSON is read outside the process that serves clients, so that it does not delay others. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { figure, GOOD_PAGE, post, serve, type Serving, stopServers } from "./serving.js";

afterAll(stopServers);

const JSON_TYPE = { "content-type": "application/json" };
const NDJSON = { "content-type": "application/x-ndjson" };

let server: Serving;
beforeAll(async () => {
  server = await serve(["--timeout", "20s"]);
});

/** A page of more than 300 KB. */
const LONG =
  GOOD_PAGE + "<p>Tea is a drink that people make by pouring hot water over leaves.</p>".repeat(4500);
/** Writes this many numbers that JavaScript would write with other digits, which are read one by one. */
const numbers = (count: number): string => `[${Array.from({ length: count }, () => "1.50").join()}]`;

describe("long JSON", () => {
  it("gives the same document as short JSON, with its options and the digits of its id", async () => {
    const record = `{"id":12345678901234567890,"url":"https://example.org/","html":${JSON.stringify(LONG)},"options":{"to":"jsonl"}}`;
    const answer = await post(`${server.url}/clean`, record, JSON_TYPE);
    expect(answer.status).toBe(200);
    expect(answer.json()).toMatchObject({ id: "12345678901234567890", url: "https://example.org/" });
    const page = await post(`${server.url}/clean?to=jsonl&url=https://example.org/`, LONG, {
      "content-type": "text/html; charset=utf-8",
    });
    expect(answer.json()["text"]).toBe(page.json()["text"]);
  });

  it("may be a line of a stream, between short ones, with its own fields", async () => {
    const lines = [
      `{"id":"a","text":"A line of text that somebody wrote with care."}`,
      `{"id":"b","html":${JSON.stringify(LONG)},"price":1.50}`,
      `{"id":"c","html":${JSON.stringify(LONG)}`,
      `{"id":"d","text":"Another line of text that somebody wrote with care."}`,
    ];
    const answer = await post(`${server.url}/clean/stream`, lines.join("\n"), NDJSON);
    const rows = answer.text.trim().split("\n");
    expect(rows.map((row) => (JSON.parse(row) as { id: string }).id)).toEqual(["a", "b", "stream:3", "d"]);
    expect(rows[1]).toContain('"price":1.50');
    expect(rows[2]).toContain('"reason":"not-json"');
  });

  it("is rejected like short JSON", async () => {
    const html = JSON.stringify(LONG);
    const broken = await post(`${server.url}/clean`, `{"html":${html}`, JSON_TYPE);
    expect([broken.status, broken.json()["error"]]).toEqual([400, "bad-json"]);
    const option = await post(`${server.url}/clean`, `{"html":${html},"options":{"focus":[{}]}}`, JSON_TYPE);
    expect([option.status, option.json()["error"]]).toEqual([400, "bad-option"]);
    expect(option.json()["message"]).toContain("focus must be text");
  });

  it("does not delay other requests", async () => {
    // It is refused as soon as it is read, so reading takes nearly all of its time.
    const record = `{"text":"A line of text.","numbers":${numbers(200_000)},"options":{"focus":[{}]}}`;
    let isRead = false;
    const long = post(`${server.url}/clean`, record, JSON_TYPE).finally(() => (isRead = true));
    let answers = 0;
    while (!isRead) if ((await figure(server.url, "thresher_documents_running")) > 0) answers += 1;
    expect((await long).status).toBe(400);
    // If one process did both, it could answer only while the record arrives.
    expect(answers).toBeGreaterThan(20);
  });
});

it("gives up long JSON that takes longer than a document may, and reads the next one", async () => {
  const strict = await serve(["--timeout", "3s"]);
  const record = `{"id":"x","text":"A line.","numbers":${numbers(4_000_000)}}`;
  const answer = await post(`${strict.url}/clean`, record, JSON_TYPE);
  expect([answer.status, answer.json()["reason"]]).toEqual([422, "timeout"]);
  const next = await post(`${strict.url}/clean`, JSON.stringify({ text: LONG.slice(0, 140_000) }), JSON_TYPE);
  expect(next.status).toBe(200);
  expect(await strict.stop()).toBe(0);
});
