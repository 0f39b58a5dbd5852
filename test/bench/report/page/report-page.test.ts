import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { placeLabels } from "../../../../bench/report/charts/labels.js";
import { renderPage } from "../../../../bench/report/html.js";
import { escapeHtml, Html, html } from "../../../../bench/report/markup.js";
import { findChromium, startChromium, type Browser, type Opened } from "./chromium.js";
import { EMPTY, HOSTILE, RESULTS } from "../report-results.js";

describe("markup", () => {
  it("escapes every value that is not HTML", () => {
    expect(html`<p title="${HOSTILE}">${HOSTILE}</p>`.markup).not.toMatch(/<(?:img|\/script)/u);
    expect(html`<p>${[1, "<b>", html`<i>${"&"}</i>`, undefined, false]}</p>`.markup).toBe(
      "<p>1&lt;b&gt;<i>&amp;</i></p>",
    );
    expect(html`${new Html("<hr />")}`.markup).toBe("<hr />");
  });

  it("shows characters that HTML cannot hold", () => {
    expect(escapeHtml("a\u0000b\ud800c\u202ed\te")).toBe("a�b�c�d\te");
    expect(escapeHtml("𝒜 ok")).toBe("𝒜 ok");
  });
});

describe("names of points", () => {
  const frame = { left: 0, top: 0, right: 300, bottom: 200 };

  it("are to the right of an isolated point, and to the left of one at the edge", () => {
    expect(placeLabels([{ x: 100, y: 100, text: "alone" }], frame, 12)).toMatchObject([
      { anchor: "start", dy: 0 },
    ]);
    expect(placeLabels([{ x: 290, y: 100, text: "edge" }], frame, 12)).toMatchObject([
      { anchor: "end", dy: 0 },
    ]);
  });

  it("are omitted if they would cover another", () => {
    const crowd = Array.from({ length: 60 }, (_, at) => ({
      x: 150 + (at % 3),
      y: 100,
      text: `system ${at}`,
    }));
    const places = placeLabels(crowd, frame, 12);
    expect(places.filter((place) => place !== undefined).length).toBeGreaterThan(1);
    expect(places.filter((place) => place === undefined).length).toBeGreaterThan(40);
    const used = places.filter((place) => place !== undefined).map(({ dx, dy }) => `${dx} ${dy}`);
    expect(new Set(used).size).toBe(used.length);
  });
});

describe("the page", () => {
  it("renders if nothing was measured", async () => {
    const page = await renderPage(EMPTY);
    expect(page.replace(/\s+/gu, " ")).toContain("0 systems, 0 corpora, 0 documents");
    const [first] = RESULTS.corpora;
    if (first === undefined) throw new RangeError("no corpus");
    expect(await renderPage({ ...RESULTS, corpora: [{ ...first, systems: [] }] })).toContain("At a glance");
  });

  it("requests nothing, and runs no script", async () => {
    const page = await renderPage(RESULTS);
    expect(
      page.match(/<script|<img|<iframe|<object|\son\w+="|@import|url\((?!#)|(?:src|href)="(?!#|data:,")/giu),
    ).toBeNull();
    expect(page).toContain(`default-src 'none'`);
    expect(page.match(/.{20}>\s*(?:NaN|undefined|null)\s*</gu)).toBeNull();
  });
});

const chromium = findChromium();

describe.skipIf(chromium === undefined)("the page in a browser", () => {
  let browser: Browser;
  let directory: string;
  let url: string;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), "report-page-"));
    const file = join(directory, "report.html");
    await writeFile(file, await renderPage(RESULTS));
    url = pathToFileURL(file).href;
    browser = await startChromium(chromium ?? "");
  });

  afterAll(async () => {
    await browser.close();
    await rm(directory, { recursive: true });
  });

  const open = async (width: number, scheme: "light" | "dark"): Promise<Opened> => {
    const page = await browser.open(url, { width, height: 800, scheme });
    await page.evaluate("for (const fold of document.querySelectorAll('details')) fold.open = true");
    return page;
  };

  it.each([
    [1280, "light"],
    [1280, "dark"],
    [360, "light"],
    [360, "dark"],
  ] as const)("has no error, no request and no overflow at %i px, %s", async (width, scheme) => {
    const page = await open(width, scheme);
    expect(page.complaints).toEqual([]);
    expect(page.requests).toEqual([url]);
    expect(await page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")).toBe(true);
    // elements wider than the page must be in a scrolling box
    const outside = `[...document.querySelectorAll("main *, header *")].filter((element) =>
      element.getBoundingClientRect().right > document.documentElement.clientWidth + 1 &&
      element.closest(".scroll") === null && element.closest("svg") === null).map((element) => element.outerHTML.slice(0, 200))`;
    expect(await page.evaluate(outside)).toEqual([]);
  });

  it("shows hostile text as text", async () => {
    const page = await open(1280, "light");
    expect(await page.evaluate("document.querySelectorAll('main img, main script').length")).toBe(0);
    const shown = String(await page.evaluate("document.body.textContent"));
    expect(shown).toContain(`</script><img src=x onerror=alert(1)>"'&|`);
    expect(shown).not.toContain("\u202e");
  });

  it("draws every chart for eyes and screen readers, in the available width", async () => {
    const wide = await open(1280, "light");
    const charts = `[...document.querySelectorAll("figure svg.plot")].filter((svg) => svg.checkVisibility())`;
    const widths = `${charts}.map((svg) => svg.viewBox.baseVal.width)`;
    expect(await wide.evaluate(`document.querySelectorAll("figure").length`)).toBe(14);
    expect(new Set((await wide.evaluate(widths)) as number[])).toEqual(new Set([540])); // the expression gives this type
    const narrow = await open(360, "light");
    expect(new Set((await narrow.evaluate(widths)) as number[])).toEqual(new Set([310]));
    expect(
      await narrow.evaluate(
        `${charts}.map((svg) => svg.parentElement).every(({ role, ariaLabel }) => role === "img" && ariaLabel.length > 40)`,
      ),
    ).toBe(true);
    expect(
      await wide.evaluate(
        `document.querySelectorAll("table:not(.steps):not(.lines):not(:has(caption))").length`,
      ),
    ).toBe(0);
  });

  it("is dark in dark mode, including charts, and legible in both modes", async () => {
    const contrast = `(() => {
      const canvas = (color) => { const [r, g, b] = color.match(/[\\d.]+/g).map(Number)
        .map((value) => value / 255).map((v) => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
        return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
      const ratio = (a, b) => (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
      const card = canvas(getComputedStyle(document.querySelector(".card")).backgroundColor);
      const of = (selector, property) => ratio(canvas(getComputedStyle(document.querySelector(selector))[property]), card);
      return [card, of(".card p", "color"), of("figcaption span", "color"), of("figure svg.plot text", "fill"),
        of('figure svg.plot [stroke="var(--ours)"]', "stroke")];
    })()`;
    const [light, dark] = [await open(1280, "light"), await open(1280, "dark")];
    const [paper = 0, ...onPaper] = (await light.evaluate(contrast)) as number[]; // the expression gives this type
    const [slate = 1, ...onSlate] = (await dark.evaluate(contrast)) as number[];
    expect(paper).toBeGreaterThan(0.9);
    expect(slate).toBeLessThan(0.05);
    expect(Math.min(...onPaper, ...onSlate)).toBeGreaterThan(4.5);
  });
});
