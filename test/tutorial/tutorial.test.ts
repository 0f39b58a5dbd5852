/** Follows docs/tutorial.md as a reader would: every command, in order, with a real browser. UPDATE_PICTURES=1 takes its pictures. */
import { execFileSync } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseLines, thresher } from "../cli/run.js";
import { readGold } from "../gold-lines.js";
import {
  hasBrowser,
  inspectIn,
  openDocument,
  openWindow,
  press,
  startBrowser,
  stopAll,
  until,
  type Inspecting,
} from "../inspect/inspecting.js";

const DOC = readFileSync("docs/tutorial.md", "utf8");
const PICTURES = resolve("docs/pictures");
const isUpdate = process.env["UPDATE_PICTURES"] === "1";
const FIXTURES = resolve("fixtures");
/** The 60 pages of the tutorial: all of two kinds of fixtures, and those of a third that have the most lines. */
const PAGES: readonly string[] = [
  ...["pages", "kinds"].flatMap((kind) => readdirSync(join(FIXTURES, kind)).map((slug) => join(kind, slug))),
  ...["json-ld-article-de", "discourse-thread-en", "nuxt-rich-text-fr"].map((slug) => join("scripts", slug)),
].filter((path) => existsSync(join(FIXTURES, path, "source.html")));
const MOST_PICTURES = 300_000;

const work = mkdtempSync(join(tmpdir(), "thresher-tutorial-"));
/** The commands in the order of the page. */
const commands = [...DOC.matchAll(/^```sh\n([^]*?)^```$/gm)].flatMap(([, block = ""]) =>
  block.trim().split("\n"),
);

let browser: Browser;
beforeAll(async () => {
  mkdirSync(join(work, "pages"));
  for (const path of PAGES)
    copyFileSync(join(FIXTURES, path, "source.html"), join(work, "pages", `${basename(path)}.html`));
  if (hasBrowser) browser = await startBrowser();
});
afterAll(async () => {
  stopAll();
  await browser.close();
});

async function take(page: Page, name: string): Promise<void> {
  if (isUpdate) await page.screenshot({ path: join(PICTURES, `${name}.png`), animations: "disabled" });
}

async function takeReport(name: string, part: string): Promise<void> {
  const page = await browser.newPage({ viewport: { width: 760, height: 480 }, colorScheme: "light" });
  await page.goto(pathToFileURL(join(work, `${name}.html`)).href);
  await page.getByText(part, { exact: true }).first().scrollIntoViewIfNeeded();
  await page.evaluate(
    `[...document.querySelectorAll("h2,h3")].find((one) => one.textContent === ${JSON.stringify(part)})?.scrollIntoView()`,
  );
  // One of the changed documents, as a reader opens it.
  if (name === "changes") await page.click("details:has-text('qa-en') > summary");
  await take(page, name);
  await page.close();
}

type Mark = "content" | "boilerplate" | "comment" | "unsure";
interface Shown {
  readonly digest: string;
  readonly marks: Readonly<Record<string, Mark>>;
  readonly lines: readonly {
    readonly text: string;
    readonly block: string;
    readonly path: string;
    readonly label: string;
  }[];
}

/** Decides as the tutorial's annotator: headings are boilerplate, readers' comments are comments, and the rest is as in the fixtures. */
function decide({ text, block, path }: Shown["lines"][number], gold: ReadonlyMap<string, string>): Mark {
  if (/^h[1-6]$/.test(block)) return "boilerplate";
  if (/comment|reply/i.test(path)) return "comment";
  const label = gold.get(text);
  return label === undefined ? "unsure" : label === "content" ? "content" : "boilerplate";
}

/** Reads the labels of a page's lines from its fixture or, for a page that only scripts can draw, from Thresher, as the key `a` accepts them. */
function readLabels(slug: string, { lines }: Shown): ReadonlyMap<string, string> {
  const folder = join(FIXTURES, PAGES.find((path) => basename(path) === slug) ?? "none");
  const known = existsSync(join(folder, "lines.jsonl")) ? readGold(folder) : lines;
  return new Map(known.map(({ text, label }) => [text, label]));
}

/** Annotates one page with keys, and the others with the requests that the page sends. */
async function annotate({ url }: Inspecting): Promise<void> {
  const { page, problems } = await openWindow(browser, url);
  await page.setViewportSize({ width: 1000, height: 700 });
  const documents = readdirSync(join(work, "pages")).sort();
  await until(
    page,
    `document.getElementById("found").textContent === "${documents.length} of ${documents.length} documents"`,
  );
  const ask = async <T>(path: string, body?: object): Promise<T> =>
    await page.evaluate(
      `fetch(${JSON.stringify(path)}, ${JSON.stringify(
        body === undefined
          ? {}
          : { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) },
      )}).then((response) => response.json())`,
    );
  await page.fill("#text", "qa-en");
  await until(page, `document.getElementById("found").textContent.startsWith("1 of ")`);
  await openDocument(page, 0);
  await page.fill("#text", "");
  await page.focus("#lines");
  await page.frameLocator("#page").locator("[data-line]").first().waitFor();
  await press(page, "b", "b", "b", "b");
  const { documents: listed } = await ask<{ readonly documents: readonly { readonly key: string }[] }>(
    "/api/list?count=500",
  );
  expect(listed).toHaveLength(documents.length);
  for (const { key } of listed) {
    const shown = await ask<Shown>(`/api/document?${new URLSearchParams({ key }).toString()}`);
    const slug = /([^/]+)\.html$/.exec(key)?.[1] ?? "";
    const gold = readLabels(slug, shown);
    const changes = shown.lines.flatMap((line, place) => {
      const [was, mark] = [shown.marks[place] ?? null, decide(line, gold)];
      return line.text.trim() === "" || was === mark ? [] : [{ line: place, was, mark }];
    });
    const { conflicts } = await ask<{ readonly conflicts: readonly unknown[] }>("/api/mark", {
      ...{ key, digest: shown.digest, changes },
    });
    expect(conflicts).toEqual([]);
  }
  // The window shows the marks of other windows.
  await until(
    page,
    `document.getElementById("lines-title").textContent.match(/(\\d+) of \\1 marked/) !== null`,
  );
  await page.reload();
  await page.waitForSelector("#lines:focus");
  await until(page, `document.getElementById("progress").textContent.includes(": ${documents.length} done")`);
  await page.selectOption("#lang", "en");
  await page.focus("#lines");
  for (let step = 0; step < 17; step += 1) await page.keyboard.press("j");
  await page.keyboard.press("w");
  await page.waitForSelector("#why li");
  await take(page, "inspect");
  expect(problems).toEqual([]);
}

const figureOf = (table: string, system: string): number =>
  Number(new RegExp(`${system} .*? (\\d?\\.\\d{3}) `).exec(table)?.[1] ?? NaN);

describe.runIf(hasBrowser)("the tutorial", { timeout: 300_000 }, () => {
  it("gives the results that it shows, command by command", async () => {
    const said = new Map<string, string>();
    for (const command of commands) {
      if (command.startsWith("npx thresher inspect") && !command.includes("--export")) {
        const served = await inspectIn(work, command.split(" ").slice(3));
        await annotate(served);
        await served.stop();
      } else if (command.startsWith("npx thresher ")) {
        const args = command.split(" ").slice(2);
        const { code, stdout, stderr } = await thresher(args, { cwd: work });
        expect(code, `${command}: ${stderr}`).toBe(0);
        said.set(args[0] ?? "", stdout + stderr);
      } else execFileSync("sh", ["-c", command], { cwd: work });
    }
    const read = (name: string) => parseLines(readFileSync(join(work, name), "utf8"));
    const pages = readdirSync(join(work, "pages")).length;
    expect(pages).toBe(60);
    expect(read("gold.jsonl")).toHaveLength(pages);
    expect(read("train.jsonl").length + read("test.jsonl").length).toBe(pages);
    // The table of the page has the form that the command prints; its figures depend on the models and the fixtures.
    const withoutFigures = (text: string): string =>
      text.replace(/[+-]?\.\d{3}/g, "#").replace(/[ -]+/g, " ");
    const [, table = "there is no table"] = /^```text\n([^]*?)^```$/m.exec(DOC) ?? [];
    expect(withoutFigures(said.get("train") ?? "")).toContain(withoutFigures(table));
    expect(said.get("train")).toMatch(
      /step correction; macro F1 .* against page-\d+: correction \+\.?0?\.\d+/,
    );
    const bench = said.get("bench") ?? "";
    expect(figureOf(bench, "ours:model=my-model"), bench).toBeGreaterThan(figureOf(bench, "page"));
    // The new model differs in not keeping headings.
    const headings = (name: string): number =>
      (read(name) as { lines: { block: string; label: string }[] }[])
        .flatMap(({ lines }) => lines)
        .filter(({ block, label }) => /^h[1-6]$/.test(block) && label === "content").length;
    expect(headings("mine.jsonl")).toBeLessThan(headings("all.jsonl") / 2);
    await takeReport("report", "Other cuts");
    await takeReport("changes", "Most changed documents");
  });
});

describe("its pictures", () => {
  it("exist, are shown, and are small together", () => {
    const shown = [...DOC.matchAll(/\]\(pictures\/([^)]+)\)/g)].map(([, name = ""]) => name);
    expect(readdirSync(PICTURES).sort()).toEqual([...shown].sort());
    const bytes = shown.reduce((sum, name) => sum + statSync(join(PICTURES, name)).size, 0);
    expect(bytes).toBeLessThan(MOST_PICTURES);
    // The signature of PNG.
    for (const name of shown)
      expect(readFileSync(join(PICTURES, name)).subarray(1, 4).toString("latin1")).toBe("PNG");
  });
});
