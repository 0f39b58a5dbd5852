import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createThresher, type Thresher } from "../../src/index.js";
import { findSavedAddress } from "../../src/parse/saved-address.js";

const BODY = `<title>The ferry</title></head><body><main><h1>The ferry</h1>
<p>The ferry <a href="more.html">crossed the bay</a> twice a day, for forty years, and its captain knew everyone on board.</p>
<p><img src="./The%20ferry_files/boat.jpg" alt="A boat"></p></main></body></html>`;
const CHROME = `<!DOCTYPE html>\n<!-- saved from url=(0026)https://example.org/ferry/ -->\n<html lang="en"><head>${BODY}`;

describe("the URL that a browser writes into a saved page", () => {
  it.each([
    ["Chrome", CHROME, "https://example.org/ferry/"],
    [
      "SingleFile",
      `<!DOCTYPE html> <html lang=en><!--\n Page saved with SingleFile \n url: https://example.org/a?b=1 \n saved date: Fri Nov 27 2026\n--><head>${BODY}`,
      "https://example.org/a?b=1",
    ],
    [
      "monolith",
      `<!-- Saved from http://example.org/a at 2026-11-27T10:00:00Z using monolith v2.8.1 -->\n<html><head>${BODY}`,
      "http://example.org/a",
    ],
    [
      "Save Page WE",
      `<html><head><meta name="savepage-url" content="https://example.org/a">${BODY}`,
      "https://example.org/a",
    ],
    ["an unsaved page", `<html><head>${BODY}`, undefined],
    [
      "a page with only the mark of Windows",
      `<!-- saved from url=(0014)about:internet -->${BODY}`,
      undefined,
    ],
    ["a page saved from a file", `<!-- saved from url=(0019)file:///C:/a/b.html -->${BODY}`, undefined],
    [
      "a page with a comment far below",
      `<html>${" ".repeat(5_000)}<!-- saved from url=(0020)https://example.org/ -->`,
      undefined,
    ],
  ])("is read from %s", (_, html, address) => {
    expect(findSavedAddress(html)).toBe(address);
  });
});

describe("a saved page", () => {
  let thresher: Thresher;
  beforeAll(async () => {
    thresher = await createThresher({ labeller: "none", markdown: { links: "keep", images: "keep" } });
  });
  afterAll(() => thresher.close());

  it("is used, but does not change the links of the page", async () => {
    const outcome = await thresher.clean({ html: CHROME });
    expect(outcome).toMatchObject({ ok: true, value: { url: "https://example.org/ferry/" } });
    const markdown = outcome.ok ? outcome.value.markdown : "";
    expect(markdown).toContain("[crossed the bay](more.html)");
    expect(markdown).toContain("![A boat](./The%20ferry_files/boat.jpg)");
    const all = await createThresher({ labeller: "none", keepBoilerplate: true, structure: "keep" });
    const record = await all.clean({ html: CHROME });
    await all.close();
    expect(record).toMatchObject({ ok: true, value: { base: "" } });
  });

  it("keeps its own base, and does not override a known URL", async () => {
    const based = CHROME.replace("<head>", '<head><base href="https://cdn.example.org/">');
    const outcome = await thresher.clean({ html: based });
    expect(outcome.ok && outcome.value.markdown).toContain("(https://cdn.example.org/more.html)");
    const known = await thresher.clean({ html: CHROME, url: "https://example.com/" });
    expect(known).toMatchObject({ ok: true, value: { url: "https://example.com/" } });
    expect(known.ok && known.value.markdown).toContain("(https://example.com/more.html)");
  });
});
