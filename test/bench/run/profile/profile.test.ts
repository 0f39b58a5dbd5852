import { Writable } from "node:stream";
import { describe, expect, it } from "vitest";
import { openProbe } from "../../../../bench/run/profile/command-cost.js";
import { profilePages, STAGES } from "../../../../bench/run/profile/page-stages.js";
import { runProfile } from "../../../../bench/run/profile/run-profile.js";
import { openCorpus } from "../../../../bench/corpora/registry.js";

async function readFixtures(count: number): Promise<{ id: string; html: string }[]> {
  const pages: { id: string; html: string }[] = [];
  for await (const { id, html } of openCorpus("fixtures", { fixturesDir: "fixtures" }).documents())
    if (html !== undefined && pages.length < count) pages.push({ id, html });
  return pages;
}

const SLOW = { timeout: 120_000 };

describe("the profile of the page path", SLOW, () => {
  it("splits the cost of a page into its stages", async () => {
    const pages = (await readFixtures(3)).map(({ id, html }) => ({ id, bytes: Buffer.from(html) }));
    const rounds: string[] = [];
    const profile = await profilePages(pages, {
      rounds: 2,
      onRound: (done, of) => rounds.push(`${done}/${of}`),
    });
    expect(rounds.at(-1)).toBe("5/5");
    expect(Object.keys(profile.stages)).toEqual(STAGES);
    const sum = Object.values(profile.stages).reduce((total, ms) => total + ms, 0);
    expect(sum).toBeCloseTo(profile.all, 6);
    expect(profile.pages).toBe(3);
    expect(profile.lines).toBeGreaterThan(30);
    // A first page costs more than one of many.
    expect(profile.first).toBeGreaterThan(profile.all);
  });

  it("is rejected without pages", async () => {
    await expect(profilePages([])).rejects.toThrow("no page");
  });
});

describe("the cost of the command", SLOW, () => {
  it("includes all its processes", async () => {
    const [page] = await readFixtures(1);
    const probe = await openProbe([page!.html], 40);
    try {
      const start = await probe.start();
      const one = await probe.run(1);
      const two = await probe.run(2);
      expect(start.cpu).toBeGreaterThan(50);
      expect(one).toMatchObject({ pages: 40 });
      // It cannot be cheaper than its start, and the second process must start, too.
      expect(one.cpu * 40).toBeGreaterThan(start.cpu * 0.8);
      expect(two.cpu).toBeGreaterThan(one.cpu * 0.8);
      expect(one.peak).toBeGreaterThan(30e6);
    } finally {
      probe.close();
    }
  });
});

describe("thresher bench --profile", SLOW, () => {
  it("prints stages, the command and the systems that were available", async () => {
    const written: string[] = [];
    const sink = (): Writable =>
      new Writable({
        write(chunk: Buffer, _, done) {
          written.push(chunk.toString());
          done();
        },
      });
    const io = { stdout: sink(), stderr: sink(), signal: new AbortController().signal };
    const code = await runProfile({ corpora: ["fixtures"], systems: ["page"], sample: 2 }, io);
    expect(code).toBe(0);
    const text = written.join("");
    for (const stage of STAGES) expect(text).toContain(`| ${stage} `);
    expect(text).toMatch(/\| -j 1 ÷ the library +\| +[\d.]+ \|/);
    expect(text).toMatch(/\| page +\| +[\d.]+ \| +1\.00 \| +[\d.]+ \| +1\.00 \|/);
  });

  it("rejects a corpus without pages", async () => {
    const io = { stdout: process.stdout, stderr: process.stderr, signal: new AbortController().signal };
    await expect(runProfile({ corpora: ["fixtures-text"], systems: ["page"] }, io)).rejects.toThrow(
      "has no pages",
    );
  });
});
