import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { BIN, parseLines, thresher } from "./run.js";

// Tests what a program that feeds the command relies on: an answer to each line, at once, in order.

const html = readFileSync("fixtures/pages/qa-en/source.html", "utf8");
const STREAM = ["-", "--from", "jsonl", "--to", "jsonl", "--rejects", "-", "--quiet"];

describe("a stream of records", () => {
  it("is answered line by line, records and rejects, without waiting for the next line", async () => {
    const child = spawn(process.execPath, [BIN, ...STREAM, "-j", "1"], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    const answers = createInterface(child.stdout)[Symbol.asyncIterator]();
    const ask = async (line: string): Promise<unknown> => {
      child.stdin.write(`${line}\n`);
      const { value } = (await answers.next()) as { readonly value: string };
      return JSON.parse(value);
    };
    const text = "The boards were dry when I bought them, but the workshop was not, and so they moved.";
    expect(await ask(JSON.stringify({ id: "one", html }))).toMatchObject({ id: "one", source: "html" });
    expect(await ask(`{"text":"${text}"}`)).toMatchObject({ id: "stdin:2", text });
    expect(await ask("{")).toMatchObject({ id: "stdin:3", stage: "acquire", reason: "not-json" });
    expect(await ask('{"id":"four","html":" "}')).toMatchObject({ id: "four", reason: "empty" });
    child.stdin.end();
    expect((await answers.next()).done).toBe(true);
  });

  it("keeps the order of records and rejects with any number of workers", async () => {
    const lines = Array.from({ length: 60 }, (_, at) =>
      at % 3 === 2 ? `{"id":"${at}","html":""}` : JSON.stringify({ id: String(at), html }),
    );
    for (const workers of ["1", "2"]) {
      const stdin = [lines.join("\n")];
      const { stdout, stderr, code } = await thresher([...STREAM, "-j", workers], { stdin });
      expect([stderr, code]).toEqual(["", 0]);
      const answers = parseLines(stdout);
      expect(answers.map(({ id }) => id)).toEqual(lines.map((_, at) => String(at)));
      for (const [at, { reason }] of answers.entries())
        expect(reason).toBe(at % 3 === 2 ? "empty" : undefined);
    }
  });

  it("has rejects among records only if records are written", async () => {
    const { code, stderr } = await thresher(["-", "--rejects", "-"], { stdin: [html] });
    expect([code, stderr]).toEqual([
      2,
      "thresher: --rejects - puts rejects among the records on stdout: it needs --to jsonl\n",
    ]);
    const crawl = await thresher(["crawl", "https://example.org/", "-o", "x", "--rejects", "-"]);
    expect([crawl.code, crawl.stderr]).toEqual([
      2,
      "thresher: a crawl writes no records to stdout: --rejects needs a file\n",
    ]);
  });

  it("accepts the bytes of a page in base 64, in the charset that they or the server name", async () => {
    const page = (text: string, charset: string): Buffer =>
      Buffer.from(
        `<title>x</title>${charset}<p>${text}</p><p>${text.split(" ").reverse().join(" ")}</p>`,
        "latin1",
      );
    const text = "Fährverkehr über den Sund ruht seit Sonntag, weil drei Schiffe überholt werden müssen.";
    const encode = (bytes: Buffer): string => bytes.toString("base64");
    const records = [
      { id: "meta", bytes: encode(page(text, "<meta charset=iso-8859-1>")) },
      { id: "said", bytes: encode(page(text, "")), contentType: "text/html; charset=iso-8859-1" },
      { id: "plain", bytes: encode(Buffer.from(text)), contentType: "text/plain" },
      { id: "pdf", bytes: encode(Buffer.from("%PDF-1.7\n1 0 obj")) },
      { id: "wrong", bytes: "*" },
      { id: "text first", bytes: "*", text },
    ];
    const stdin = [records.map((one) => `${JSON.stringify(one)}\n`).join("")];
    const answers = parseLines(
      (await thresher([...STREAM, "--column", "text"], { stdin: [stdin[0] ?? ""] })).stdout,
    );
    expect(answers.filter(({ text: kept }) => kept !== undefined).map(({ id }) => id)).toEqual([
      "text first",
    ]);
    const read = parseLines((await thresher(STREAM, { stdin })).stdout);
    for (const at of [0, 1, 2, 5]) expect(String(read[at]?.["text"])).toContain("Fährverkehr über den Sund");
    expect(read[2]).toMatchObject({ source: "text" });
    expect(read[3]).toMatchObject({ id: "pdf", reason: "binary", detail: "line 4: PDF" });
    expect(read[4]).toMatchObject({ reason: "bad-record", detail: "line 5: bytes is not base64" });
    for (const { carried } of read.slice(0, 3)) expect(carried).toBeUndefined();
  });
});

describe("--formatted", () => {
  it("adds to each record what --to would write for the page alone, with workers and with filters", async () => {
    const records = Array.from({ length: 6 }, (_, at) => `${JSON.stringify({ id: "stdin", n: at, html })}\n`);
    for (const [format, more] of [
      ["markdown", ["-j", "2"]],
      ["xml", ["-j", "1", "--min-words", "5"]],
    ] as const) {
      const alone = (await thresher(["-", "--to", format, "--links"], { stdin: [html] })).stdout;
      const expected = alone.replace(/^<\?xml.*\n/, "");
      expect(expected.length).toBeGreaterThan(500);
      const args = [...STREAM, "--formatted", format, "--links", ...more];
      const read = parseLines((await thresher(args, { stdin: [records.join("")] })).stdout);
      expect(read.map(({ formatted }) => formatted)).toEqual(records.map(() => expected));
      expect(read.map(({ carried }) => carried)).toEqual(records.map((_, n) => ({ n })));
    }
  });
});
