import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createRequire } from "node:module";
import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { showPage } from "../../src/inspect/page-view.js";
import { parseLines, thresher } from "../cli/run.js";
import {
  freshPath,
  hasBrowser,
  inspect,
  openDocument,
  openWindow,
  press,
  readMarks,
  startBrowser,
  stopAll,
  TEA,
  toRecord,
  until,
} from "./inspecting.js";

/** Allows for a busy machine. */
const SLOW = { timeout: 120_000 };

let browser: Browser;
beforeAll(async () => {
  if (hasBrowser) browser = await startBrowser();
});
afterAll(async () => {
  stopAll();
  await browser.close();
});

/** Exports the marks of an annotator's first document, as in gold. */
async function exportLabels(input: string, ...args: readonly string[]): Promise<unknown[]> {
  const gold = freshPath("gold.jsonl");
  const { code, stderr } = await thresher(["inspect", input, "--export", gold, ...args]);
  expect(code, stderr).toBe(0);
  const [first] = parseLines(readFileSync(gold, "utf8"));
  const lines = first?.["lines"] as { label: unknown; cls?: string }[];
  return lines.map(({ label, cls }) => cls ?? label);
}

describe.runIf(hasBrowser)("annotation by keys", SLOW, () => {
  it("survives reloading and kill -9, and becomes gold that the bench reads", async () => {
    const input = freshPath("tea.jsonl");
    writeFileSync(input, `${toRecord({ id: "tea", title: "Tea", lang: "en", lines: TEA })}\n`);
    const who = ["--annotator", "ann"];
    const first = await inspect(input, ...who);
    const { page, problems } = await openWindow(browser, first.url);
    await openDocument(page, 0);
    // A mark moves to the next line, so that most documents need one key per line.
    await press(page, "b", "c", "c", "m");
    expect(await readMarks(page, 5)).toEqual([
      "boilerplate",
      "content",
      "content",
      "comment",
      "boilerplate?",
    ]);
    await press(page, "k", "k", "Shift+ArrowDown", "t");
    expect(await readMarks(page, 5)).toEqual(["boilerplate", "content", "title", "title", "boilerplate?"]);
    await press(page, "z");
    expect(await readMarks(page, 5)).toEqual([
      "boilerplate",
      "content",
      "content",
      "comment",
      "boilerplate?",
    ]);
    await press(page, "y", "z", "End", "u", "x", "u");
    await page.reload();
    await page.waitForSelector("#lines:focus");
    const before = ["boilerplate", "content", "content", "comment", "unsure"];
    expect(await readMarks(page, 5)).toEqual(before);
    expect(await page.textContent("#progress")).toContain("1 done");
    // Earlier steps can still be undone and redone.
    await press(page, "z");
    expect(await readMarks(page, 5)).toEqual([...before.slice(0, 4), "boilerplate?"]);
    await press(page, "z");
    expect(await readMarks(page, 4)).toEqual(["boilerplate", "content", "content", "boilerplate?"]);
    await press(page, "y", "y");
    expect(await readMarks(page, 5)).toEqual(before);

    await first.stop("SIGKILL");
    await page.keyboard.press("Home");
    await page.keyboard.press("t");
    await until(page, `document.getElementById("error").textContent.includes("keep it open")`);
    // Marks from before the kill are saved, and later ones wait in the window.
    const second = await inspect(input, ...who, "--port", new URL(first.url).port);
    const other = await openWindow(browser, second.url);
    await openDocument(other.page, 0);
    expect(await readMarks(other.page, 5)).toEqual(before);
    // The same browser gets the new token in another window, and the first window saves its marks.
    const third = await page.context().newPage();
    await third.goto(second.url);
    await until(other.page, `document.querySelector("#lines .mark").textContent === "title"`);
    await press(other.page, "Home", "b");
    expect(problems).toEqual([]);
    await second.stop();

    expect(await exportLabels(input, ...who)).toEqual([0, 1, 1, "comment", null]);
    const gold = freshPath("tea-gold.jsonl");
    await thresher(["inspect", input, ...who, "--export", gold, "--comments-as", "content"]);
    const [row] = parseLines(readFileSync(gold, "utf8"));
    expect(row).toMatchObject({ id: "tea", lang: "en", title: "Tea" });
    const lines = row?.["lines"] as unknown[];
    expect(lines[3]).toEqual({
      ...{ text: "Anna: I like it with milk.", label: 1, cls: "comment" },
      ...{ block: "text", path: "", linkChars: 0, breakBefore: "line" },
    });
    const out = freshPath("bench");
    const bench = await thresher([
      "bench",
      "--corpus",
      gold,
      "--systems",
      "raw",
      "-o",
      out,
      "--resamples",
      "0",
    ]);
    expect(bench.code, bench.stderr).toBe(0);
    const features = await thresher(["features", gold, "-o", freshPath("features")]);
    expect(features.code, features.stderr).toBe(0);
    expect(features.stderr).toContain("1 document, 5 lines");
  });

  it("works with caps lock and on keyboards of other scripts, and redoes with the usual keys", async () => {
    const input = freshPath("tea.jsonl");
    writeFileSync(input, `${toRecord({ id: "tea", lang: "en", lines: TEA })}\n`);
    const served = await inspect(input, "--annotator", "ann");
    const { page, problems } = await openWindow(browser, served.url);
    await openDocument(page, 0);
    const type = async (init: object): Promise<void> => {
      const event = JSON.stringify({ bubbles: true, ...init });
      await page.evaluate(
        `document.getElementById("lines").dispatchEvent(new KeyboardEvent("keydown", ${event}))`,
      );
      await press(page);
    };
    await type({ key: "B", code: "KeyB" });
    await type({ key: "с", code: "KeyC" }); // Cyrillic
    await type({ key: "ζ", code: "KeyZ" });
    await type({ key: "B", code: "KeyB", shiftKey: true }); // not one of our keys
    const before = ["boilerplate", "content?"];
    expect(await readMarks(page, 2)).toEqual(before);
    await type({ key: "Z", code: "KeyZ", ctrlKey: true, shiftKey: true });
    expect(await readMarks(page, 2)).toEqual(["boilerplate", "content"]);
    await type({ key: "ζ", code: "KeyZ", ctrlKey: true });
    expect(await readMarks(page, 2)).toEqual(before);
    expect(problems).toEqual([]);
    await served.stop();
  });

  it("shows conflicting marks of two windows, and loses none", async () => {
    const input = freshPath("two.jsonl");
    writeFileSync(input, `${toRecord({ id: "tea", lines: TEA })}\n`);
    const { url, origin, stop } = await inspect(input, "--annotator", "ann");
    const one = await openWindow(browser, url);
    const two = { page: await one.page.context().newPage() };
    // It does not read the marks of other windows in time.
    await two.page.route("**/api/marks*", (route) => route.abort());
    await two.page.goto(origin);
    await two.page.waitForSelector(".entry");
    for (const { page } of [one, two]) await openDocument(page, 0);
    await press(one.page, "c", "b");
    await press(two.page, "b");
    await two.page.waitForSelector("#conflict[open]");
    expect(await two.page.textContent("#conflict li")).toBe("Line 1: boilerplate here, content there");
    await two.page.click("#theirs");
    expect(await readMarks(two.page, 3)).toEqual(["content", "boilerplate", "content?"]);
    await press(one.page, "Home", "t");
    await two.page.focus("#lines");
    await press(two.page, "Home", "u");
    await two.page.waitForSelector("#conflict[open]");
    await two.page.click("#mine");
    // The first window reads them by itself.
    await until(one.page, `document.querySelector("#lines .mark").textContent === "unsure"`);
    await stop();
    expect(await exportLabels(input, "--annotator", "ann")).toEqual([null, 0, null, null, null]);
  });

  it.each([
    ["theirs", ["content", "boilerplate", "content"]],
    ["mine", ["boilerplate", "boilerplate", "content"]],
  ])("keeps the marks made before a conflict is resolved with %s", async (answer, marks) => {
    const input = freshPath(`${answer}.jsonl`);
    writeFileSync(input, `${toRecord({ id: "tea", lines: TEA })}\n`);
    const { url, origin, stop } = await inspect(input, "--annotator", "ann");
    const one = await openWindow(browser, url);
    const two = { page: await one.page.context().newPage() };
    await two.page.route("**/api/marks*", (route) => route.abort());
    let send = (): void => undefined;
    const sent = new Promise<void>((resolve) => (send = resolve));
    await two.page.route("**/api/mark", async (route) => {
      await sent;
      await route.continue();
    });
    await two.page.goto(origin);
    await two.page.waitForSelector(".entry");
    for (const { page } of [one, two]) await openDocument(page, 0);
    await press(one.page, "c");
    // The second and the third wait for the answer to the first.
    for (const key of ["b", "b", "c"]) await two.page.keyboard.press(key);
    send();
    await two.page.waitForSelector("#conflict[open]");
    await two.page.click(`#${answer}`);
    await until(two.page, `document.getElementById("status").textContent === "Saved."`);
    expect(await readMarks(two.page, 3)).toEqual(marks);
    await stop();
  });

  it("keeps the chosen host when others push it off the list of the most frequent ones", async () => {
    const input = freshPath("hosts.jsonl");
    writeFileSync(input, `${toRecord({ id: "tea", url: "https://tea.example/", lines: TEA })}\n`);
    const { url, stop } = await inspect(input);
    const { page } = await openWindow(browser, url);
    await page.route("**/api/list*", async (route) => {
      const response = await route.fetch();
      const list = (await response.json()) as { readonly facets: object };
      const facets = { ...list.facets, host: [["coffee.example", 7]] };
      await route.fulfill({ response, json: { ...list, facets } });
    });
    const answered = page.waitForResponse(/api\/list.*host=tea/);
    await page.selectOption("#host", "tea.example");
    await answered;
    await until(page, `document.querySelector("#host option[value='coffee.example']") !== null`);
    expect(await page.inputValue("#host")).toBe("tea.example");
    await stop();
  });

  it("says so if a mark was refused", async () => {
    const input = freshPath("refused.jsonl");
    writeFileSync(input, `${toRecord({ id: "tea", lines: TEA })}\n`);
    const { url, stop } = await inspect(input);
    const { page } = await openWindow(browser, url);
    await openDocument(page, 0);
    const refusal = { status: 409, json: { error: "the input has changed" } };
    await page.route("**/api/mark", (route) => route.fulfill(refusal));
    await press(page, "c");
    expect(await page.textContent("#error")).toBe("Not saved: the input has changed");
    expect(await page.textContent("#status")).toBe("Not everything was saved.");
    await stop();
  });

  it("shows the agreement of a second annotator", async () => {
    const input = freshPath("agreement.jsonl");
    writeFileSync(input, `${toRecord({ id: "tea", lines: TEA })}\n`);
    const keys = { ann: ["b", "c", "c", "c", "b"], bob: ["b", "c", "c", "b", "b"] };
    for (const [name, pressed] of Object.entries(keys)) {
      const { url, stop } = await inspect(input, "--annotator", name);
      const { page, problems } = await openWindow(browser, url);
      await openDocument(page, 0);
      // The other annotator's marks are hidden.
      expect(await readMarks(page, 1)).toEqual(["boilerplate?"]);
      await press(page, ...pressed);
      if (name === "bob") {
        await page.click("#agreement summary");
        await page.waitForSelector("#agreement p");
        // The observed agreement is 4/5, and by chance 3/5 · 2/5 + 2/5 · 3/5.
        expect(await page.textContent("#agreement p")).toContain("per line 0.615");
        expect(await page.textContent("#agreement p")).toMatch(/per word 0\.\d{3}/);
        expect(await page.textContent("#agreement li")).toContain("boilerplate, not content: Anna");
        const refusal = { status: 404, json: { error: "it is gone" } };
        await page.route("**/api/document*", (route) => route.fulfill(refusal));
        await page.click("#agreement li button");
        await until(page, `document.getElementById("error").textContent === "it is gone"`);
        expect(problems).toEqual([]);
      }
      await stop();
    }
  });

  it("shows the document that was requested last, even if an earlier one arrives after it", async () => {
    const input = freshPath("late.jsonl");
    writeFileSync(input, ["slow", "fast"].map((id) => `${toRecord({ id, lines: TEA })}\n`).join(""));
    const { url, stop } = await inspect(input);
    const { page } = await openWindow(browser, url);
    let isGiven = false;
    await page.route(/api\/document.*key=slow/, async (route) => {
      await page.waitForSelector("#lines:focus");
      await route.continue();
      isGiven = true;
    });
    await page.click("#entry-0");
    await page.click("#entry-1");
    while (!isGiven) await page.waitForTimeout(50);
    await page.waitForTimeout(500);
    expect(await page.textContent("#title")).toBe("fast");
    expect(page.url()).toContain("#fast");
    await stop();
  });
});

const HOSTILE = (listener: string): string => `<!doctype html><html><head><base href="${listener}/base/">
<meta http-equiv="refresh" content="0;url=${listener}/refresh"><link rel="stylesheet" href="${listener}/sheet.css"><link rel="preload" as="image" href="${listener}/preload">
<link rel="dns-prefetch" href="${listener}"><link rel="preconnect" href="${listener}"><link rel="prerender" href="${listener}/pre"><title>"><img src=${listener}/title></title>
<style>@import "${listener}/import.css"; body { background: url(${listener}/background) } @font-face { font-family: x; src: url(${listener}/font) } p { font-family: x; content: image-set("${listener}/set" 1x) } #a { background: \\75rl(${listener}/escaped) }</style>
<script>parent.document.title = "taken"; fetch("${listener}/fetch"); top.location = "${listener}/top"; navigator.sendBeacon("${listener}/beacon")</script></head>
<body onload="fetch('${listener}/onload')" background="${listener}/bg"><p id="a" style="background:url(${listener}/inline)">The first paragraph of a hostile page has some words in it, as pages do.</p>
<p>A <a id="js" href="javascript:fetch('${listener}/js');parent.document.title='taken'" ping="${listener}/ping">link that runs a script</a> is in this long sentence, and <a href="${listener}/link" target="_top">another link</a> leads away.</p>
<img src="${listener}/img" srcset="${listener}/srcset 2x" onerror="fetch('${listener}/onerror')"><img src=x onerror="parent.document.title='taken'">
<iframe src="${listener}/frame" srcdoc="<script>fetch('${listener}/srcdoc')</script>"></iframe><object data="${listener}/object"></object><embed src="${listener}/embed"><video src="${listener}/video" poster="${listener}/poster" autoplay></video>
<svg><script>fetch("${listener}/svg")</script><image href="${listener}/svgimage"/><use href="${listener}/use#a"/></svg><form action="${listener}/form" id="f"><input name="q" autofocus onfocus="fetch('${listener}/focus')"><button formaction="${listener}/button">Send</button></form>
<template><img src="${listener}/template"></template><noscript><img src="${listener}/noscript"></noscript><details open ontoggle="fetch('${listener}/toggle')"><summary>More</summary>hidden</details>
${`<p>${"These are the words of one of very many paragraphs, which make the page long; <b>five megabytes</b> of them. ".repeat(5)}</p>\n`.repeat(9_000)}</body></html>`;

describe.runIf(hasBrowser)("a hostile page of 5 MB", SLOW, () => {
  it("can run nothing, and sends nothing to a server", async () => {
    const heard: string[] = [];
    const listener = createServer((request, response) => {
      heard.push(request.url ?? "");
      response.end();
    });
    await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
    const { port } = listener.address() as AddressInfo;
    const path = freshPath("hostile.html");
    writeFileSync(path, HOSTILE(`http://127.0.0.1:${port}`));
    expect(statSync(path).size).toBeGreaterThan(5_000_000 * 0.95);
    const { url, origin, stop } = await inspect(path, "--timeout", "60s");
    const { page, problems } = await openWindow(browser, url);
    const foreign: string[] = [];
    page.on("request", (request) => {
      if (!request.url().startsWith(origin)) foreign.push(request.url());
    });
    await openDocument(page, 0);
    await page.frameLocator("#page").locator("[data-line]").first().waitFor();
    // A page handles clicks once it has loaded completely.
    await until(page, `document.getElementById("page").contentDocument.readyState === "complete"`);
    expect(await page.title()).toBe("Thresher inspector");
    const links = page.frameLocator("#page").locator("a");
    await links.filter({ hasText: "link that runs a script" }).click();
    // The click selects the line at this place.
    await until(page, `document.querySelector("#lines .active").textContent.includes("runs a script")`);
    await links.filter({ hasText: "another link" }).click();
    expect(await page.evaluate(LIT)).toBe(1);
    // Selecting a line highlights its place in turn.
    await page.keyboard.press("End");
    await until(page, `${LIT} === 1`);
    expect(page.url()).toContain(origin);
    expect(page.context().pages()).toHaveLength(1);
    // The browser's own rules apply even if ours fail: nothing can run in the frame.
    const policy = (await page.request.get(`${origin}/page?key=${encodeURIComponent(path)}`)).headers()[
      "content-security-policy"
    ];
    expect(policy).toMatch(/^sandbox allow-same-origin; default-src 'none'; style-src 'unsafe-inline';/);
    await page.evaluate(`
      const inside = document.getElementById("page").contentDocument;
      const script = inside.createElement("script");
      script.textContent = "parent.document.title = 'taken'";
      const image = inside.createElement("img");
      image.src = "http://127.0.0.1:${port}/put-in";
      inside.body.append(script, image);`);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(await page.title()).toBe("Thresher inspector");
    expect({ heard, foreign: foreign.filter((one) => !one.includes("/put-in")), problems }).toEqual({
      heard: [],
      foreign: [],
      problems: [],
    });
    await stop();
    listener.close();
  });
});

/** Counts the lines that are highlighted on the page. */
const LIT = `new Set([...document.getElementById("page").contentDocument.querySelectorAll(".on")]
  .map((one) => one.getAttribute("data-line"))).size`;

describe.runIf(hasBrowser)("ten thousand documents", SLOW, () => {
  it("open within two seconds, and scroll without a stall", async () => {
    const input = freshPath("many.jsonl");
    const rows = Array.from({ length: 10_000 }, (_, at) =>
      toRecord({
        ...{
          id: `doc-${at}`,
          title: `Document ${at}`,
          lang: at % 3 === 0 ? "fi" : "en",
          url: `https://host-${at % 50}.example/${at}`,
        },
        lines: [...TEA, ...TEA, ...TEA, ...TEA].map(
          ([text, score]) => [`${text} (${at})`, at === 7_777 ? 0.5 : score] as const,
        ),
      }),
    );
    writeFileSync(input, rows.join("\n"));
    const { url, stop } = await inspect(input);
    const { page } = await openWindow(browser, url);
    await until(page, `document.getElementById("found").textContent === "10000 of 10000 documents"`);
    const start = performance.now();
    await page.reload();
    await until(page, `document.getElementById("found").textContent === "10000 of 10000 documents"`);
    expect(performance.now() - start).toBeLessThan(2000);
    expect(await page.evaluate(SCROLL)).toBeLessThan(500);
    await until(page, `document.querySelector("#entry-9999 b").textContent !== "…"`);
    expect(await page.textContent("#entry-9999 b")).toBe("Document 9999");
    expect(await page.locator(".entry").count()).toBeLessThan(100);
    await page.fill("#text", "host-7.example/57");
    await page.selectOption("#lang", "fi");
    await until(page, `/^\\d of 10000 documents$/.test(document.getElementById("found").textContent ?? "")`);
    await page.fill("#text", "");
    await page.selectOption("#lang", "");
    await page.selectOption("#order", "doubt");
    await until(page, `document.querySelector("#entry-0 b").textContent === "Document 7777"`);
    await stop();
  });
});

describe.runIf(hasBrowser)("a formula of KaTeX", SLOW, () => {
  it.each([
    "",
    "<style>.katex .katex-mathml{clip:rect(1px,1px,1px,1px);height:1px;overflow:hidden;position:absolute}</style>",
  ])("is visible once (%s)", async (style) => {
    const math = "<math><semantics><mrow><mi>x</mi></mrow><annotation>x</annotation></semantics></math>";
    const boxes = '<span class="katex-html" aria-hidden="true"><span class="mord">x</span></span>';
    const page = await browser.newPage();
    await page.setContent(
      showPage(
        `${style}<p>So <span class="katex"><span class="katex-mathml">${math}</span>${boxes}</span> it is.`,
        [],
      ),
    );
    const text = await page.locator("p").innerText();
    expect(text.normalize("NFKC").replace(/\s+/g, " ")).toBe("So x it is.");
    expect((await page.locator(".katex-mathml").boundingBox())?.height).toBeGreaterThan(1);
    await page.close();
  });
});

/** Measures the longest time between two frames, in milliseconds, while the list is scrolled to its end. */
const SCROLL = `(async () => {
  const list = document.getElementById("documents");
  let longest = 0;
  let last = performance.now();
  for (let step = 1; step <= 60; step += 1) {
    list.scrollTop = (list.scrollHeight * step) / 60;
    await new Promise(requestAnimationFrame);
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
  }
  return longest;
})()`;

describe.runIf(hasBrowser)("the page", SLOW, () => {
  const pages = (): string => {
    const folder = freshPath("pages");
    mkdirSync(folder);
    for (const name of ["qa-en", "blog-comments-he"])
      writeFileSync(join(folder, `${name}.html`), readFileSync(`fixtures/pages/${name}/source.html`));
    return folder;
  };

  it("has no serious accessibility fault in light, in dark and at 500 pixels", async () => {
    const { url, stop } = await inspect(pages());
    const { page, problems } = await openWindow(browser, url);
    await openDocument(page, 0);
    await press(page, "c", "b", "u", "m", "t");
    for (const summary of ["#keys", "#agreement", "#export"]) await page.click(`${summary} > summary`);
    for (const colorScheme of ["light", "dark"] as const)
      for (const width of [1300, 500]) {
        await page.setViewportSize({ width, height: 900 });
        await page.emulateMedia({ colorScheme });
        expect(await findFaults(page), `${colorScheme}, ${width}`).toEqual([]);
        expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(width);
      }
    expect(problems).toEqual([]);
    await stop();
  });

  it("shows what counted for the score of a line, or why it cannot", async () => {
    const { url, stop } = await inspect(pages());
    const { page, problems } = await openWindow(browser, url);
    await openDocument(page, 1);
    await page.keyboard.press("w");
    await page.waitForSelector("#why li");
    const score = (await page.textContent("#lines li:first-child .score")) ?? "none";
    expect(await page.textContent("#why p")).toContain(`Line 1: the network gives it ${score}. `);
    expect(await page.textContent("#why li")).toMatch(/^(raised|lowered) by .+: 0\.\d{3} without$/);
    // It follows the selection.
    await page.keyboard.press("End");
    const last = (await page.getAttribute("#lines", "aria-activedescendant"))?.slice(5) ?? "none";
    await until(
      page,
      `document.querySelector("#why p").textContent.startsWith("Line ${Number(last) + 1}: ")`,
    );
    expect(problems).toEqual([]);
    await stop();

    const input = freshPath("foreign.jsonl");
    writeFileSync(input, `${toRecord({ id: "tea", lines: TEA })}\n`);
    const other = await inspect(input);
    const foreign = await openWindow(browser, other.url);
    await openDocument(foreign.page, 0);
    await foreign.page.keyboard.press("w");
    await foreign.page.waitForSelector("#why p");
    // These scores are invented, so no network gives them.
    expect(await foreign.page.textContent("#why p")).toMatch(
      /is unknown, because the available network gives 0\.\d+/,
    );
    await other.stop();
  });

  it("shows what another cut would keep", async () => {
    const { url, stop } = await inspect(pages());
    const { page } = await openWindow(browser, url);
    await openDocument(page, 1);
    const read = (): Promise<string | null> => page.textContent("#result");
    await until(page, `document.getElementById("result").textContent !== ""`);
    const stored = await read();
    await page.fill("#cut", "0.01");
    await until(page, `document.getElementById("result").textContent !== ${JSON.stringify(stored)}`);
    expect((await read())?.length).toBeGreaterThan(stored?.length ?? 0);
    await page.check("input[value=diff]");
    expect(await read()).toMatch(/^\+ /);
    expect(await page.locator("li.changes").count()).toBeGreaterThan(0);
    await page.check("input[value=markdown]");
    expect(await read()).toMatch(/^#/m);
    await page.click("#presets button");
    await page.check("input[value=text]");
    await until(page, `document.getElementById("result").textContent === ${JSON.stringify(stored)}`);
    await stop();
  });
});

/** Finds what axe calls serious or critical on the page, except in the displayed page, which is foreign. */
async function findFaults(page: Page): Promise<unknown[]> {
  const path = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
  await page.evaluate(readFileSync(path, "utf8"));
  const { violations } = await page.evaluate<{ readonly violations: readonly Fault[] }>(
    `axe.run({ exclude: ["#page"] })`,
  );
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => ({ id, nodes: nodes.slice(0, 3).map(({ html }) => html) }));
}

interface Fault {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly html: string }[];
}
