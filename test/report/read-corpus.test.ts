import { PassThrough } from "node:stream";
import { expect, it } from "vitest";
import { readCorpus } from "../../src/report/read-corpus.js";

it("does not use a partial corpus when it is aborted", async () => {
  const stdin = new PassThrough();
  stdin.write('{"id":"a","text":"A line."}\n');
  const stop = new AbortController();
  const options = { version: "1", maxBytes: 1000, timeoutMs: 1000, from: "jsonl", stdin } as const;
  const read = async (): Promise<void> => {
    for await (const one of readCorpus(["-"], options, stop.signal)) {
      expect(one).toMatchObject({ ok: true, value: { id: "a" } });
      stop.abort(new Error("stopped"));
    }
  };
  await expect(read()).rejects.toThrow("stopped");
});

it("counts no blank lines of a text that is already split", async () => {
  const stdin = new PassThrough();
  const lines = ["A line.", "", " ", "Menu"].map((text) => ({ text, score: 0.5, label: "content" }));
  stdin.end(`${JSON.stringify({ id: "a", lines })}\n`);
  const options = { version: "1", maxBytes: 1000, timeoutMs: 1000, from: "jsonl", stdin } as const;
  for await (const one of readCorpus(["-"], options, new AbortController().signal))
    expect(one.ok && one.value.lines.map(({ text }) => text)).toEqual(["A line.", "Menu"]);
  expect.assertions(1);
});
