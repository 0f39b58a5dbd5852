/** Tests that every command in `docs/serving.md` runs as written. */
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseLines } from "../cli/run.js";
import { serve, type Serving, stopServers } from "./serving.js";

afterAll(stopServers);

const page = readFileSync("docs/serving.md", "utf8");
const blocks = [...page.matchAll(/^```sh\n([^]*?)^```$/gm)].map(([, code = ""]) => code);
const examples = blocks.filter((code) => code.includes("curl"));

let server: Serving;
beforeAll(async () => {
  server = await serve();
});

/** Runs an example with the address of this server instead of the default port. */
async function run(code: string): Promise<string> {
  const own = code.replaceAll("http://127.0.0.1:8080", server.url);
  expect(own).not.toBe(code);
  const { stdout } = await promisify(execFile)("bash", ["-euo", "pipefail", "-c", own]);
  return stdout;
}

describe("the examples of docs/serving.md", () => {
  it("are those that this test covers", () => {
    expect(examples).toHaveLength(4);
    expect(blocks.filter((code) => !examples.includes(code)).map((code) => code.split(/ {2,}#/)[0])).toEqual([
      "npx thresher serve",
    ]);
  });

  it("turn a page into Markdown, and a record into a record", async () => {
    const [markdown = "", record = ""] = await Promise.all(examples.slice(0, 2).map(run));
    expect(markdown).toMatch(/^# Why does my tabletop cup/);
    expect(JSON.parse(record)).toMatchObject({ id: "tea", url: "https://example.org/tea" });
    expect(JSON.parse(record)).toHaveProperty("lines");
  });

  it("send a stream, and monitor the server", async () => {
    const [stream = "", watch = ""] = await Promise.all(examples.slice(2).map(run));
    expect(parseLines(stream).map(({ id, reason }) => [id, reason])).toEqual([
      ["1", undefined],
      ["stream:2", "not-json"],
    ]);
    expect(watch).toMatch(/^\{"status":"ok".*\}\n# HELP thresher_info/);
  });
});
