import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createThresher } from "../../src/index.js";
import { findChromium, startChromium, type Chromium } from "./chromium.js";
import {
  BUILT,
  CLEAN_FIXTURES,
  compareWithNode,
  labelsOf,
  startHost,
  type Host,
  type Outcome,
} from "./host.js";

const chromiumPath = findChromium();

let host: Host;
let address: string;
let browser: Chromium;
let page: Page;
/** Unhandled errors of the page. */
let crashes: string[];
/** The addresses that the page and its workers requested. */
let asked: string[];

describe.skipIf(chromiumPath === undefined)("in a real browser", () => {
  beforeAll(async () => {
    host = await startHost();
    address = host.address;
    browser = await startChromium(chromiumPath ?? "", [`127.0.0.1:${host.port}`]);
  }, 120_000);
  afterAll(async () => {
    await browser.close();
    host.close();
  });
  beforeEach(async () => {
    page = await browser.context.newPage();
    crashes = [];
    page.on("pageerror", (error) => crashes.push(error.message));
    asked = [];
    page.on("request", (request) => asked.push(request.url()));
  });
  afterEach(async () => {
    await page.close();
    expect(crashes).toEqual([]);
    // Neither the page nor its frames or workers requested anything from another host, or tried to.
    const local = ["file:", "blob:", `${address}/`];
    expect(asked.filter((url) => !local.some((start) => url.startsWith(start)))).toEqual([]);
    expect(browser.foreign).toEqual([]);
  });

  /** Runs the body of an async function in the window, where `t` is the ES module. */
  async function runModule<T>(body: string): Promise<T> {
    await page.goto(`${address}/empty.html`);
    return page.evaluate<T>(`(async () => { const t = await import("/thresher.js"); ${body} })()`);
  }

  it("detects a page that requests another host", async () => {
    await page.goto(`${address}/empty.html`);
    await page.evaluate("fetch('http://elsewhere.example/x').catch(() => 0)");
    expect(asked.splice(1)).toEqual(["http://elsewhere.example/x"]);
    expect(browser.foreign.splice(0)).toEqual(["http://elsewhere.example/x"]);
  });

  describe("the ES module", () => {
    it("fits into 3 MB with its worker and models, gzipped", () => {
      const loaded = readdirSync(BUILT).filter((name) => name !== "playground.html");
      const sizes = loaded.map((name) => gzipSync(readFileSync(join(BUILT, name)), { level: 9 }).length);
      expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(3_000_000);
      expect(readdirSync(BUILT).sort()).toEqual(
        ["page.model", "playground.html", "text.model", "thresher.js", "worker.js"].sort(),
      );
    });

    it("gives the labels of Node.js for all fixtures, in its worker", async () => {
      const { others, most, lines } = await compareWithNode(await runModule<Outcome[]>(CLEAN_FIXTURES));
      expect(others).toEqual([]);
      expect(lines).toBeGreaterThan(2000);
      // The last of three digits may differ, since its weights have fewer bits.
      expect(most).toBeLessThan(0.0015);
    }, 180_000);

    it("reads pages with each extractor, and without a worker", async () => {
      const html = readFileSync("fixtures/pages/news-article-sv/source.html", "utf8");
      const texts = await runModule<string[]>(`
        const open = async (name) => t.openModel("/" + name + ".model");
        const models = t.openModels({ page: await open("page"), text: await open("text") });
        const texts = [];
        for (const extractor of ["page", "body", "readability"]) {
          const core = await t.createCore(models, { extractor });
          const outcome = await core.clean({ html: ${JSON.stringify(html)} });
          texts.push(outcome.value.text);
        }
        return texts;
      `);
      for (const [at, extractor] of (["page", "body", "readability"] as const).entries()) {
        const thresher = await createThresher({ workers: 1, extractor });
        const wanted = await thresher.clean({ html });
        await thresher.close();
        expect(wanted.ok && wanted.value.text).toBe(texts[at]);
      }
    });

    it("works without WebAssembly, more slowly", async () => {
      await page.addInitScript("delete globalThis.WebAssembly");
      const [by, labels] = await runModule<[string, string[]]>(`
        const engine = t.createPortableEngine();
        const models = t.openModels({ page: await t.openModel("/page.model") }, engine);
        const core = await t.createCore(models, { keepBoilerplate: true });
        const html = await (await fetch("/fixtures/pages/qa-en/source.html")).text();
        const outcome = await core.clean({ html });
        return [engine.by, outcome.value.lines.map(({ label }) => label)];
      `);
      expect(by).not.toMatch(/SIMD/);
      const thresher = await createThresher({ workers: 1, keepBoilerplate: true });
      const outcome = await thresher.clean({
        html: readFileSync("fixtures/pages/qa-en/source.html", "utf8"),
      });
      await thresher.close();
      expect(outcome.ok && labelsOf(outcome.value)).toEqual(labels);
    });

    it("says which model cannot be used, and continues with one that can", async () => {
      const messages = await runModule<string[]>(`
        const tell = async (models) => {
          const worker = t.openWorker({ models });
          const told = await worker.clean({ html: "<p>x" }, { keepBoilerplate: true }).then(() => "fine", (error) => error.message);
          worker.close();
          return told;
        };
        return [
          await tell({ page: "/half.model" }),
          await tell({ page: "/none.model" }),
          await tell({ page: "/empty.html" }),
          await tell({ page: location.origin + "/page.model" }),
        ];
      `);
      expect(messages).toEqual([
        "the model /half.model cannot be read: the packed model is damaged or cut short",
        "the model /none.model could not be fetched: status 404",
        "the model /empty.html cannot be read: the packed model is damaged or cut short",
        "fine",
      ]);
    });

    it("stops a page that takes too long, and cleans the next one", async () => {
      const told = await runModule<unknown[]>(`
        const worker = t.openWorker({ maxMs: 20000 });
        const html = "<p>" + "The ferry crossed the bay twice a day. ".repeat(520000);
        const large = await worker.clean({ html });
        const hasty = t.openWorker({ maxMs: 1 });
        const stopped = await hasty.clean({ html }).then(() => "done", (error) => error.message);
        const next = await worker.clean({ html: "<p>One line.</p>" }, { keepBoilerplate: true });
        const wrong = await worker.clean({ html }, { focus: "fast" }).then(() => "done", (error) => error.name);
        worker.close();
        return [large.reason, stopped, next.ok, wrong];
      `);
      expect(told).toEqual(["too-large", "took longer than 1 ms and was stopped", true, "UsageError"]);
    });

    it("gives each page its own time, and stops only the one that takes too long", async () => {
      const told = await runModule<unknown[]>(`
        let made = 0;
        // Takes 300 ms for each page, one after another, and never answers for "hang".
        const make = () => {
          made += 1;
          let queue = Promise.resolve();
          let isOver = false;
          const worker = {
            onmessage: null,
            terminate: () => { isOver = true; },
            postMessage: ({ id, input }) => {
              if (id === undefined) return;
              queue = queue.then(() => new Promise((resolve) => {
                if (input.html !== "hang") setTimeout(resolve, 300);
              }));
              queue.then(() => isOver || worker.onmessage({ data: { id, outcome: input.html, engine: "" } }));
            },
          };
          return worker;
        };
        const worker = t.openWorker({ maxMs: 1000, worker: make });
        const cleanAll = (...pages) => Promise.all(pages.map((html) => worker.clean({ html }).catch(({ message }) => message)));
        const patient = await cleanAll("a", "b", "c", "d", "e");
        const before = made;
        const others = await cleanAll("a", "hang", "b", "c");
        worker.close();
        return [patient.join(), before, others, made];
      `);
      expect(told).toEqual(["a,b,c,d,e", 1, ["a", "took longer than 1000 ms and was stopped", "b", "c"], 2]);
    });

    it("requests a model again if it could not be fetched", async () => {
      let isLost = true;
      await browser.context.route("**/page.model", (route) => {
        const lost = isLost;
        isLost = false;
        return lost ? route.abort() : route.continue();
      });
      const told = await runModule<unknown[]>(`
        const worker = t.openWorker();
        const clean = () => worker.clean({ html: "<p>One line.</p>" }, { keepBoilerplate: true });
        const first = await clean().then(() => "done", (error) => error.message);
        const next = await clean().then(({ ok }) => ok, (error) => error.message);
        worker.close();
        return [first, next];
      `);
      await browser.context.unroute("**/page.model");
      expect(told).toEqual([`the model ${address}/page.model could not be fetched`, true]);
    });

    it("keeps its worker if a page cannot be sent to it", async () => {
      const told = await runModule<unknown[]>(`
        let made = 0;
        const make = () => {
          made += 1;
          return new Worker("/worker.js", { type: "module" });
        };
        const worker = t.openWorker({ maxMs: 5000, worker: make });
        const clean = (html) => worker.clean({ html }, { keepBoilerplate: true });
        const first = await clean("<p>One line.</p>");
        const wrong = await clean(() => "<p>").then(() => "done", (error) => error.name);
        await new Promise((resolve) => setTimeout(resolve, 5200));
        const next = await clean("<p>One line.</p>");
        worker.close();
        return [first.ok, wrong, next.ok, made];
      `);
      expect(told).toEqual([true, "DataCloneError", true, 1]);
    });
  });

  describe("the playground", () => {
    const status = (): Promise<string | null> => page.textContent("#status");
    const ready = (expected: RegExp): Promise<void> =>
      expect.poll(status, { timeout: 30_000 }).toMatch(expected);

    beforeEach(async () => {
      await page.goto(pathToFileURL(join(BUILT, "playground.html")).href);
    });

    it("shows the output of Node.js for a page, from a file on disk", async () => {
      await page.fill("#source", readFileSync("fixtures/pages/qa-en/source.html", "utf8"));
      await ready(/^\d+ of \d+ lines are content.*page, /);
      const wanted = readFileSync("fixtures/pages/qa-en/default.txt", "utf8");
      expect(await page.textContent("#text")).toBe(wanted.trimEnd());
      expect(await page.textContent("#markdown")).toBe(
        readFileSync("fixtures/pages/qa-en/default.md", "utf8"),
      );
      await page.fill("#source", "A plain text has lines, too.\nIt has two of them, to be exact.");
      await ready(/text, /);
      expect(await page.locator("#lines li").count()).toBe(2);
    });

    it("decodes a file in its charset", async () => {
      await page.setInputFiles("#file", "fixtures/pages/charset-koi8-r/source.html");
      await ready(/lines are content/);
      const wanted = readFileSync("fixtures/pages/charset-koi8-r/default.txt", "utf8");
      expect(await page.textContent("#text")).toBe(wanted.trimEnd());
    });

    it("moves the cut by focus and threshold", async () => {
      await page.setInputFiles("#file", "fixtures/pages/blog-with-comments-fi/source.html");
      const counts: number[] = [];
      const count = (): Promise<number> => page.locator("#lines li.content").count();
      await ready(/lines are content/);
      for (const focus of ["precision", "recall"]) {
        await page.selectOption("#focus", focus);
        await ready(/lines are content/);
        counts.push(await count());
      }
      expect(counts[1]).toBeGreaterThan(counts[0] ?? Infinity);
      await page.check("#own-cut");
      await page.fill("#threshold", "0");
      await ready(/cut 0\.000/);
      expect(await count()).toBe(await page.locator("#lines li").count());
    });

    it("can be used with the keyboard alone, and says why a line was kept", async () => {
      await page.fill("#source", readFileSync("fixtures/pages/qa-en/source.html", "utf8"));
      await ready(/lines are content/);
      await page.focus("#threshold, #own-cut");
      for (let presses = 0; presses < 3; presses += 1) await page.keyboard.press("Tab");
      await page.focus("#lines li");
      await page.keyboard.press("End");
      await page.keyboard.press("ArrowUp");
      const about = await page.textContent("#detail");
      expect(about).toMatch(/^Line 73: (?:content|boilerplate).*score \d\.\d{3}, grade [a-j]; body/);
      expect(await page.getAttribute("#lines li:nth-child(73)", "title")).toBe(about);
      expect(
        await page.evaluate("document.activeElement === document.querySelectorAll('#lines li')[72]"),
      ).toBe(true);
    });

    it("copies text and Markdown", async () => {
      await page.fill("#source", readFileSync("fixtures/pages/qa-en/source.html", "utf8"));
      await ready(/lines are content/);
      await page.evaluate("navigator.clipboard.writeText = async (text) => { globalThis.copied = text; }");
      for (const name of ["text", "markdown"]) {
        await page.click(`#copy-${name}`);
        await ready(/Copied/);
        expect(await page.evaluate("globalThis.copied")).toBe(await page.textContent(`#${name}`));
      }
    });

    it.each(["light", "dark"] as const)("fits into 500 pixels, %s", async (colorScheme) => {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width: 500, height: 800 });
      await page.fill("#source", `<p>${"long".repeat(2000)}</p><table><tr>${"<td>cell".repeat(100)}</table>`);
      await ready(/No text|lines are/);
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(500);
      const paper = await page.evaluate("getComputedStyle(document.body).backgroundColor");
      expect(paper).toBe(colorScheme === "light" ? "rgb(253, 253, 251)" : "rgb(22, 24, 27)");
    });

    it("runs nothing that hostile HTML contains", async () => {
      const url = "http://127.0.0.1:9/evil";
      const hostile = [
        `<script>globalThis.evil = 1; fetch("${url}")</script><img src="${url}.png" onerror="globalThis.evil = 2">`,
        `<link rel=stylesheet href="${url}.css"><iframe src="${url}"></iframe><svg onload="globalThis.evil = 3"></svg>`,
        `<meta http-equiv=refresh content="0;url=${url}"><base href="${url}">`,
        `<p>&lt;img src="${url}2.png" onerror="globalThis.evil = 4"&gt; is what this line shows, and no more than that.</p>`,
        `<p><a href="javascript:globalThis.evil = 5">A link</a> ![x](${url}3.png)</p></textarea></pre></script>`,
      ].join("\n");
      await page.check("#links");
      await page.fill("#source", hostile);
      await ready(/No text|lines are/);
      await page.fill("#source", `${hostile}<p>${"One more sentence of the article. ".repeat(20)}`);
      await page.check("#own-cut");
      await page.fill("#threshold", "0");
      await ready(/cut 0\.000/);
      expect(await page.textContent("#lines")).toContain("<img src=");
      expect(await page.locator("#lines li *, #text *, #markdown *, img, iframe, svg").count()).toBe(0);
      expect(await page.evaluate("globalThis.evil")).toBeUndefined();
      expect(page.url()).toMatch(/^file:/);
    });

    it("stays usable after 20 MB, a file that is not a page, and a damaged model", async () => {
      const folder = mkdtempSync(join(tmpdir(), "thresher-playground-"));
      const large = join(folder, "large.html");
      writeFileSync(
        large,
        `<title>x</title>${`<p>${"The ferry crossed the bay twice a day. ".repeat(25)}</p>\n`.repeat(20_500)}`,
      );
      await page.setInputFiles("#file", large);
      await expect.poll(status, { timeout: 60_000 }).toMatch(/lines are|No text|failed: took longer/);
      await page.setInputFiles("#file", `${BUILT}/page.model`);
      await ready(/No text: binary/);
      await page.fill("#source", "<p>One line of text.</p>");
      await ready(/lines are content|no-content/);
      const damaged = join(folder, "playground.html");
      const html = readFileSync(`${BUILT}/playground.html`, "utf8");
      writeFileSync(damaged, html.replace(/(id="model-page">.{4000}).{4000}/, "$1"));
      await page.goto(pathToFileURL(damaged).href);
      await page.fill("#source", "<p>One line of text.</p>");
      await ready(/failed: the packed model is damaged or cut short/);
      rmSync(folder, { recursive: true });
    }, 120_000);
  });
});
