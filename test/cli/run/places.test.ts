import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import { openInputs } from "../../../src/acquire/inputs.js";
import type { Document, LabelledLine } from "../../../src/document.js";
import { accept, reject } from "../../../src/outcome.js";
import { openPlaces, type Places } from "../../../src/cli/run/places.js";
import { makeDocument } from "../../filter/documents.js";

const PASSED_OVER = { request: 3 };

function makeJob(): { folder: string; open: () => Promise<Places>; said: string[] } {
  const folder = mkdtempSync(join(tmpdir(), "thresher-places-"));
  const said: string[] = [];
  writeFileSync(join(folder, "in.jsonl"), `{"text":"a"}\n`);
  const io = { stdin: new PassThrough(), stdout: new PassThrough(), stderr: new PassThrough() };
  const open = (): Promise<Places> =>
    openPlaces({
      output: join(folder, "out.jsonl.gz"),
      rejects: join(folder, "rejects.jsonl"),
      job: "job",
      inputs: [join(folder, "in.jsonl")],
      isFresh: false,
      saveEveryMs: 0,
      say: (sentence) => said.push(sentence),
      io: { ...io, signal: new AbortController().signal },
    });
  return { folder, open, said };
}

async function fill(places: Places, folder: string): Promise<void> {
  const drafts = await places.open({
    lines: "none",
    links: "drop",
    fingerprint: "f",
    version: "1",
    isSingle: () => false,
  });
  const source = openInputs([join(folder, "in.jsonl")], { maxBytes: 1000, timeoutMs: 1000 });
  for await (const { ok } of source.pages(new AbortController().signal)) {
    expect(ok).toBe(true);
    const document: Document<LabelledLine> = makeDocument(["Some text."]);
    await drafts.write(accept(document), { ms: 1 });
    await drafts.write(reject(document, "label", "no-content"), { ms: 1 });
    const position = source.position();
    if (position !== undefined) await places.reach({ position, seconds: 2 });
  }
}

const END = { passedOver: PASSED_OVER, bytesRead: 7 };
const FINAL = ["in.jsonl", "out.jsonl.gz", "rejects.jsonl"];

describe("the places of a run", () => {
  it("are final even if the run is killed between renaming the output and removing its state", async () => {
    const { folder, open, said } = makeJob();
    const first = await open();
    await fill(first, folder);
    const killed = new Error("killed");
    await expect(first.finish(END, () => Promise.reject(killed))).rejects.toBe(killed);
    await first.abandon();
    expect(readdirSync(folder).sort()).toEqual([".out.jsonl.gz.resume", ...FINAL]);
    const output = readFileSync(join(folder, "out.jsonl.gz"));
    const second = await open();
    expect(second.saved).toMatchObject({ end: END, seconds: 2 });
    let reports = 0;
    await second.settle(() => Promise.resolve(void (reports += 1)));
    expect(reports).toBe(1);
    expect(readdirSync(folder).sort()).toEqual(FINAL);
    expect(readFileSync(join(folder, "out.jsonl.gz")).equals(output)).toBe(true);
    expect(said.at(-1)).toMatch(/^continuing/);
    // Nothing is left from which a third run could continue.
    const third = await open();
    expect(third.saved).toBeUndefined();
    await third.abandon();
    expect(readdirSync(folder).sort()).toEqual(FINAL);
  });

  it("are created again if the finished output was removed", async () => {
    const { folder, open, said } = makeJob();
    const first = await open();
    await fill(first, folder);
    await expect(first.finish(END, () => Promise.reject(new Error("killed")))).rejects.toThrow("killed");
    await first.abandon();
    rmSync(join(folder, "out.jsonl.gz"));
    const second = await open();
    expect([second.saved, said.at(-1)]).toEqual([undefined, expect.stringContaining("starting over")]);
    await second.abandon();
    expect(readdirSync(folder).sort()).toEqual(["in.jsonl", "rejects.jsonl"]);
  });

  it("are empty again if a run ends before anything was saved", async () => {
    const { folder, open } = makeJob();
    const places = await open();
    await places.open({
      lines: "none",
      links: "drop",
      fingerprint: "f",
      version: "1",
      isSingle: () => false,
    });
    expect(readdirSync(folder).length).toBeGreaterThan(3);
    await places.abandon();
    expect(readdirSync(folder)).toEqual(["in.jsonl"]);
  });
});
