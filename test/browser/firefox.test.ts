/** Tests the ES module and the playground in a real Firefox; `browser.test.ts` tests more of them, in Chromium. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { findFirefox, startFirefox, type Firefox } from "./firefox.js";
import { BUILT, CLEAN_FIXTURES, compareWithNode, startHost, type Host, type Outcome } from "./host.js";

const firefoxPath = findFirefox();

describe.skipIf(firefoxPath === undefined)("in a real Firefox", { timeout: 120_000 }, () => {
  let host: Host;
  let firefox: Firefox;
  beforeAll(async () => {
    host = await startHost();
    firefox = await startFirefox(firefoxPath ?? "", `127.0.0.1:${host.port}`);
  }, 180_000);
  afterAll(async () => {
    await firefox.close();
    host.close();
  });
  afterEach(() => {
    expect(firefox.crashes).toEqual([]);
    // Neither the page nor its worker requested anything from another host.
    const local = ["about:", "file:", "blob:", `${host.address}/`];
    expect(firefox.asked.filter((url) => !local.some((start) => url.startsWith(start)))).toEqual([]);
    expect(firefox.foreign).toEqual([]);
  });

  it("detects a page that requests another host", async () => {
    await firefox.open(`${host.address}/empty.html`);
    const url = "http://elsewhere.example/x";
    expect(await firefox.evaluate(`fetch("${url}").then(() => "fetched", () => "refused")`)).toBe("refused");
    expect(firefox.asked.splice(0)).toContain(url);
    expect(firefox.foreign.splice(0)).toEqual([url]);
  });

  it("gives the labels of Node.js for all fixtures, in its worker", async () => {
    await firefox.open(`${host.address}/empty.html`);
    const outcomes = await firefox.evaluate<Outcome[]>(
      `(async () => { const t = await import("/thresher.js"); ${CLEAN_FIXTURES} })()`,
    );
    const { others, most, lines } = await compareWithNode(outcomes);
    expect(others).toEqual([]);
    expect(lines).toBeGreaterThan(2000);
    // The last of three digits may differ, since its weights have fewer bits.
    expect(most).toBeLessThan(0.0015);
  });

  describe("the playground, from a file on the disk", () => {
    const playground = pathToFileURL(resolve(BUILT, "playground.html")).href;
    const textOf = (id: string): Promise<string> =>
      firefox.evaluate(`document.getElementById("${id}").textContent`);
    const ready = (expected: RegExp): Promise<void> =>
      expect.poll(() => textOf("status"), { timeout: 60_000 }).toMatch(expected);
    /** Writes a text as a person who pastes it. */
    const paste = (text: string): Promise<unknown> =>
      firefox.evaluate(
        `(() => { source.value = ${JSON.stringify(text)}; source.dispatchEvent(new Event("input")); })()`,
      );

    it("shows the output of Node.js for a page, with colours, and moves its cut", async () => {
      await firefox.open(playground);
      await paste(readFileSync("fixtures/pages/qa-en/source.html", "utf8"));
      await ready(/^\d+ of \d+ lines are content.*page, /);
      expect(await textOf("text")).toBe(readFileSync("fixtures/pages/qa-en/default.txt", "utf8").trimEnd());
      expect(await textOf("markdown")).toBe(readFileSync("fixtures/pages/qa-en/default.md", "utf8"));
      const colours = await firefox.evaluate<string[]>(
        `[...document.querySelectorAll("#lines li")].map((line) => getComputedStyle(line).backgroundColor)`,
      );
      expect(new Set(colours).size).toBeGreaterThan(10);
      const count = (): Promise<number> =>
        firefox.evaluate(`document.querySelectorAll("#lines li.content").length`);
      const before = await count();
      await firefox.evaluate(`document.getElementById("own-cut").click()`);
      await firefox.evaluate(
        `(() => { threshold.value = 0; threshold.dispatchEvent(new Event("input")); })()`,
      );
      await ready(/cut 0\.000/);
      expect(await count()).toBeGreaterThan(before);
    });

    it("decodes a file in its charset", async () => {
      await firefox.open(playground);
      await firefox.choose("#file", resolve("fixtures/pages/charset-koi8-r/source.html"));
      await ready(/lines are content/);
      expect(await textOf("text")).toBe(
        readFileSync("fixtures/pages/charset-koi8-r/default.txt", "utf8").trimEnd(),
      );
    });

    it("reports that its model is damaged", async () => {
      const folder = mkdtempSync(join(tmpdir(), "thresher-playground-"));
      const damaged = join(folder, "playground.html");
      const html = readFileSync(join(BUILT, "playground.html"), "utf8");
      writeFileSync(damaged, html.replace(/(id="model-page">.{4000}).{4000}/, "$1"));
      await firefox.open(pathToFileURL(damaged).href);
      await paste("<p>One line of text.</p>");
      await ready(/failed: the packed model is damaged or cut short/);
      rmSync(folder, { recursive: true });
    });
  });
});
