/** Tests the option that reports the registers of documents, with the real command. */
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { thresher } from "./run.js";

const NEWS = [
  "HARBOUR TOWN, 14 March 2023 — Three fishermen were rescued on Tuesday after their boat sank off the coast, police said.",
  "The men, aged 24, 31 and 57, were found by a helicopter crew shortly after 6 a.m. and were taken to hospital, where two of them remained on Wednesday.",
  "The boat had left the harbour on Monday evening, and an investigation was opened on Wednesday, a spokesman for the coast guard told reporters.",
  "In January, a cargo ship ran aground near the lighthouse, and its crew of twelve was evacuated, the agency reported.",
].join("\n");
const SHORT = "We had a good time at the lake, and it rained.";

const work = mkdtempSync(join(tmpdir(), "registers-"));
const input = join(work, "texts.jsonl");
writeFileSync(
  input,
  [NEWS, SHORT].map((text, at) => `${JSON.stringify({ id: `text-${at}`, text, lang: "en" })}\n`).join(""),
);

interface Told {
  readonly id: string;
  readonly registers?: { readonly found: readonly string[]; readonly machine: number };
}
const parse = (jsonl: string): Told[] =>
  jsonl
    .trim()
    .split("\n")
    .map((row) => JSON.parse(row) as Told); // its own records

const OPTIONS = [input, "--labeller", "none", "--to", "jsonl"];

describe("--registers", () => {
  it("reports the register of each text, in the records and in the figures, with any number of workers", async () => {
    const stats = join(work, "stats.json");
    const { stdout, code } = await thresher([...OPTIONS, "--registers", "--stats", stats, "-j", "1"]);
    expect(code).toBe(0);
    const [news, short] = parse(stdout);
    expect(news?.registers?.found).toContain("NA");
    expect(short?.registers?.found).toEqual([]);
    const { languages } = JSON.parse(readFileSync(stats, "utf8")) as { readonly languages: unknown };
    expect(languages).toMatchObject({
      en: { texts: 2, contentShare: 1, registers: { told: 2, unsure: 1, found: { NA: 1 } } },
    });
    expect((await thresher([...OPTIONS, "--registers", "-j", "2"])).stdout).toBe(stdout);
  });

  it("changes nothing else", async () => {
    const plain = (await thresher(OPTIONS)).stdout;
    const told = (await thresher([...OPTIONS, "--registers"])).stdout;
    const without = parse(told).map((row) => ({ ...row, registers: undefined, fingerprint: undefined }));
    expect(
      JSON.stringify(parse(plain).map((row) => ({ ...row, registers: undefined, fingerprint: undefined }))),
    ).toBe(JSON.stringify(without));
    expect(plain).not.toContain("registers");
  });

  it("is implied by the filters that use it", async () => {
    const rejects = join(work, "rejects.jsonl");
    const { stdout } = await thresher([...OPTIONS, "--rejects", rejects, "--filter", "register=NA,ne"]);
    expect(parse(stdout).map(({ id }) => id)).toEqual(["text-0"]);
    expect(readFileSync(rejects, "utf8")).toContain("register: none for certain, wanted NA or ne");
    const machines = await thresher([...OPTIONS, "--filter", "machine-text=0.9"]);
    expect(parse(machines.stdout).map(({ registers }) => registers !== undefined)).toEqual([true, true]);
    const preset = await thresher([...OPTIONS, "--preset", "register-oscar"]);
    expect(parse(preset.stdout)[0]?.registers).toBeDefined();
  });

  it("is kept in records whose lines are only cut again", async () => {
    const told = join(work, "told.jsonl");
    await thresher([...OPTIONS, "--registers", "--keep-boilerplate", "-o", told]);
    const [before] = parse(readFileSync(told, "utf8"));
    const { stdout } = await thresher([told, "--threshold", "0.4", "--to", "jsonl"]);
    expect(before?.registers?.found).toContain("NA");
    expect(parse(stdout)[0]?.registers).toEqual(before?.registers);
    const anew = await thresher([told, "--labeller", "rules", "--keep-boilerplate", "--to", "jsonl"]);
    expect(anew.stdout).not.toContain('"registers"');
  });

  it("rejects unknown registers", async () => {
    for (const wrong of ["register=XX", "register", "register=", "register=NA,"]) {
      const { code, stderr } = await thresher([...OPTIONS, "--filter", wrong]);
      expect(code).toBe(2);
      expect(stderr).toContain("some of the registers LY, SP, ID, NA");
    }
  });

  it("is described in TEI", async () => {
    const { stdout } = await thresher([input, "--labeller", "none", "--to", "tei", "--registers"]);
    expect(stdout).toContain('<taxonomy xml:id="registers">');
    expect(stdout).toContain('target="#register-NA"');
  });
});
