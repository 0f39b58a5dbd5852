/** Tests the use in an extension that docs/browser.md describes: a content script sends the page, and a page of the extension cleans it. */
import { createHash } from "node:crypto";
import { copyFileSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createThresher } from "../../src/index.js";
import { findChromium, startChromium, type Chromium } from "./chromium.js";
import { BUILT, listen } from "./host.js";

const FILES = ["thresher.js", "worker.js", "page.model", "text.model"];
const FIXTURE = "fixtures/pages/qa-en/source.html";
const chromiumPath = findChromium();
const docs = readFileSync("docs/browser.md", "utf8");

const CONTENT = part(/\/\/ content\.js\n([^]*?)\n\n/);
const PANEL = part(/\/\/ panel\.js, a module\n([^]*?)\n```/);
const POLICY = part(/"content_security_policy": (\{[^}]*\})/);

/** Returns a part of the documentation. */
function part(pattern: RegExp): string {
  const [, found] = pattern.exec(docs) ?? [];
  if (found === undefined) throw new Error(`docs/browser.md has nothing like ${pattern.source}`);
  return found;
}

/** Chromium names an extension that is loaded from a folder after its path. */
function idOf(folder: string): string {
  const digits = createHash("sha256").update(folder).digest("hex").slice(0, 32);
  return Array.from(digits, (digit) => String.fromCharCode(97 + Number.parseInt(digit, 16))).join("");
}

describe.skipIf(chromiumPath === undefined)("in an extension of Manifest V3", () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "thresher-extension-")));
  let server: Server;
  let browser: Chromium;
  let address: string;
  beforeAll(async () => {
    for (const file of FILES) copyFileSync(join(BUILT, file), join(folder, file));
    const manifest = {
      ...{
        manifest_version: 3,
        name: "Test",
        version: "1",
        content_security_policy: JSON.parse(POLICY) as object,
      },
      content_scripts: [{ matches: ["http://127.0.0.1/*"], js: ["content.js"] }],
    };
    const show =
      "const show = (outcome) => { document.body.append(Object.assign(document.createElement('pre'), { textContent: JSON.stringify([outcome, worker.engine]) })); };";
    writeFileSync(join(folder, "manifest.json"), JSON.stringify(manifest));
    writeFileSync(join(folder, "content.js"), CONTENT);
    writeFileSync(join(folder, "panel.js"), `${PANEL}\n${show}\ndocument.body.id = "listens";`);
    writeFileSync(
      join(folder, "panel.html"),
      '<!doctype html><body><script type="module" src="panel.js"></script>',
    );
    server = createServer((_, response) => {
      response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(readFileSync(FIXTURE));
    });
    const port = await listen(server);
    address = `http://127.0.0.1:${port}/`;
    browser = await startChromium(chromiumPath ?? "", [`127.0.0.1:${port}`], folder);
  }, 120_000);
  afterAll(async () => {
    await browser.close();
    server.close();
    rmSync(folder, { recursive: true });
  });

  it("gives the text that Node.js gives, with vectors, in a worker, and requests no host", async () => {
    const panel = await browser.context.newPage();
    const asked: string[] = [];
    panel.on("request", (request) => asked.push(request.url()));
    await panel.goto(`chrome-extension://${idOf(folder)}/panel.html`);
    await panel.waitForSelector("#listens", { state: "attached" });
    const shown = await browser.context.newPage();
    await shown.goto(address);
    const [outcome, engine] = JSON.parse((await panel.textContent("pre", { timeout: 60_000 })) ?? "") as [
      { readonly ok: boolean; readonly value: { readonly text: string; readonly title: string } },
      string,
    ];
    const html = await shown.content();
    const thresher = await createThresher({ engine: "portable", workers: 1 });
    const wanted = await thresher.clean({ html, url: address });
    await thresher.close();
    if (!wanted.ok) throw new Error(wanted.detail);
    expect(outcome.ok).toBe(true);
    expect(outcome.value.text.length).toBeGreaterThan(1000);
    expect([outcome.value.title, outcome.value.text]).toEqual([wanted.value.title, wanted.value.text]);
    expect(engine).toBe("WebAssembly SIMD");
    // The page itself requests what it contains; the extension requests only its own files.
    expect(asked.length).toBeGreaterThan(2);
    expect(asked.filter((url) => !url.startsWith(`chrome-extension://${idOf(folder)}/`))).toEqual([]);
  });
});
