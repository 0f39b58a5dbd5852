import { describe, expect, it } from "vitest";
import { walkLines } from "../../../../src/extract/lines/walk.js";
import { findCurtain } from "../../../../src/extract/lines/visible/curtain.js";
import { createReadabilityExtractor } from "../../../../src/extract/readability/readability.js";
import type { ElementNode, ParsedPage } from "../../../../src/document/tree.js";
import { parseQuickly } from "../../../../src/parse/quick-tree.js";
import { linesOf, parse, unwrap } from "../../pages.js";

const SENTENCE = "The ferry to the island leaves from the old pier, whatever the weather. ";
const STORY = `<p>${SENTENCE.repeat(4)}</p><p>${SENTENCE.repeat(3)}</p>`;
const NOTE = `<p>${SENTENCE.repeat(3)}</p>`;
const CLOSED = 'style="display: none"';
/** A menu of links, like most headers: as long as a story, but without prose. */
const MENU = `<div class=top><ul>${'<li><a href="/p">Timetable of the winter season</a>'.repeat(30)}</ul></div>`;

/** A page of a shop: a menu, the given box, and the small print. */
function shop(box: string): string {
  return `<!doctype html><html><head><title>Ferries</title></head><body>${MENU}${box}<div>© Ferries</div></body></html>`;
}

/** Returns the capitalised words that are in the lines. */
function wordsOf(html: string): string {
  return linesOf(html)
    .flatMap((line) => line.text.match(/\b[A-Z]{4,}\b/g) ?? [])
    .join(" ");
}

describe("a hidden box with the only main heading of the page", () => {
  it.each<[string, string]>([
    ["display", `<div class=wrapper ${CLOSED}><h1>SHOWN</h1>${STORY}</div>`],
    ["the hidden attribute", `<div hidden><h1>SHOWN</h1>${STORY}</div>`],
    ["a section around an article", `<section ${CLOSED}><article><header><h1>SHOWN</h1></header>${STORY}`],
    ["an unclosed box", `<div ${CLOSED}><h1>SHOWN${STORY}`],
    ["a form around all of it", `<form ${CLOSED}><h1>SHOWN</h1>${STORY}</form>`],
    ["a heading outside without text", `<h1> <img src=a></h1><div ${CLOSED}><h1>SHOWN</h1>${STORY}</div>`],
    [
      "a heading outside that is hidden",
      `<div ${CLOSED}><h1>OTHER</h1></div><div ${CLOSED}><h1>SHOWN</h1>${STORY}</div>`,
    ],
    [
      "the longest of two",
      `<div ${CLOSED}><h1>OTHER</h1>${NOTE}</div><div ${CLOSED}><h1>SHOWN</h1>${STORY}</div>`,
    ],
    [
      "the first of two",
      `<div ${CLOSED}><h1>SHOWN</h1>${STORY}</div><div ${CLOSED}><h1>OTHER</h1>${NOTE}</div>`,
    ],
    [
      "a hidden box inside stays hidden",
      `<div ${CLOSED}><h1>SHOWN</h1>${STORY}<div ${CLOSED}>SECRET ${STORY}</div></div>`,
    ],
  ])("is shown: %s", (_, box) => {
    expect(wordsOf(shop(box))).toBe("SHOWN");
  });

  it.each<[string, string]>([
    ["another heading is shown", `<h1>Ferries</h1><div ${CLOSED}><h1>SECRET</h1>${STORY}</div>`],
    ["its heading is empty", `<div ${CLOSED}><h1> <img src=a> </h1>SECRET ${STORY}</div>`],
    ["its heading is not of the first level", `<div ${CLOSED}><h2>SECRET</h2>${STORY}</div>`],
    ["it is short", `<div ${CLOSED}><h1>SECRET</h1>${SENTENCE}</div>`],
    ["it is made of links", `<div ${CLOSED}><h1>SECRET</h1>${MENU}</div>`],
    ["the same amount of prose is shown", `<div>${STORY}</div><div ${CLOSED}><h1>SECRET</h1>${STORY}</div>`],
    ["it is a dialogue by name", `<div class="c-loginModal" ${CLOSED}><h1>SECRET</h1>${STORY}</div>`],
    ["it is a dialogue by role", `<div role=alertdialog ${CLOSED}><h1>SECRET</h1>${STORY}</div>`],
    ["it is a dialogue by tag", `<dialog><h1>SECRET</h1>${STORY}</dialog>`],
    ["it is in a dialogue", `<div role=dialog><div ${CLOSED}><h1>SECRET</h1>${STORY}</div></div>`],
    ["it is in an aside", `<aside><div ${CLOSED}><h1>SECRET</h1>${STORY}</div></aside>`],
    ["it is in a side bar", `<div role=complementary><div ${CLOSED}><h1>SECRET</h1>${STORY}</div></div>`],
    ["it holds a dialogue by role", `<div ${CLOSED}><div role=dialog><h1>SECRET</h1>${STORY}</div></div>`],
    ["it is modal", `<div aria-modal=true ${CLOSED}><h1>SECRET</h1>${STORY}</div>`],
    ["it is the header", `<header ${CLOSED}><h1>SECRET</h1>${STORY}</header>`],
    [
      "a dialogue inside has the heading",
      `<div ${CLOSED}>SECRET ${STORY}<div id=cookie-wall><h1>SECRET</h1>${STORY}</div></div>`,
    ],
    [
      "a dialogue inside has the prose",
      `<div ${CLOSED}><h1>SECRET</h1><div class=lightbox>${STORY}</div></div>`,
    ],
    [
      "a hidden box inside has the heading",
      `<div ${CLOSED}>SECRET ${STORY}<dialog><h1>SECRET</h1></dialog></div>`,
    ],
    ["a hidden box inside has both", `<div ${CLOSED}><div hidden><h1>SECRET</h1>${STORY}</div></div>`],
  ])("stays hidden if %s", (_, box) => {
    expect(wordsOf(shop(box))).toBe("");
  });
});

describe("a hidden box and the main element", () => {
  it.each<[string, string]>([
    ["the whole content of main", `<main><div ${CLOSED}>SHOWN ${STORY}</div></main>`],
    [
      "nearly the whole content of main",
      `<main><p>Loading, please wait …</p><div ${CLOSED}>SHOWN ${STORY}</div></main>`,
    ],
    ["main by role", `<div role=main><div><div hidden>SHOWN ${STORY}</div></div></div>`],
    [
      "beside a hidden notice",
      `<main><div ${CLOSED}>SECRET ${SENTENCE}</div><div ${CLOSED}>SHOWN ${STORY}</div></main>`,
    ],
    ["a main in a main", `<main><div role=main><div ${CLOSED}>SHOWN ${STORY}</div></div></main>`],
    ["main itself", `<main ${CLOSED}>SHOWN ${STORY}</main>`],
    ["the box around main", `<div ${CLOSED}><main>SHOWN ${STORY}</main></div>`],
    [
      "with another heading that is shown",
      `<h1>Ferries</h1><main><div ${CLOSED}>SHOWN ${STORY}</div></main>`,
    ],
    ["both elements unclosed", `<main><div ${CLOSED}>SHOWN ${STORY}`],
  ])("is shown: %s", (_, box) => {
    expect(wordsOf(shop(box))).toBe("SHOWN");
  });

  it.each<[string, string]>([
    ["main shows something else", `<main>${SENTENCE.repeat(2)}<div ${CLOSED}>SECRET ${STORY}</div></main>`],
    [
      "main shows a list of links",
      `<main><ul>${"<li><a href=a>Pier</a>".repeat(30)}</ul><div ${CLOSED}>SECRET ${STORY}</div></main>`,
    ],
    ["there are two main elements", `<main><div ${CLOSED}>SECRET ${STORY}</div></main><main>Ferries</main>`],
    ["another main element is shown", `<main>Ferries</main><main ${CLOSED}>SECRET ${STORY}</main>`],
    ["prose is outside", `<main><div ${CLOSED}>SECRET ${STORY}</div></main>${STORY}`],
    ["it is short", `<main><div ${CLOSED}>SECRET ${SENTENCE}</div></main>`],
    ["it is a dialogue", `<main><div class="popup" ${CLOSED}>SECRET ${STORY}</div></main>`],
    ["it is outside", `<main></main><div ${CLOSED}>SECRET ${STORY}</div>`],
  ])("stays hidden if %s", (_, box) => {
    expect(wordsOf(shop(box))).toBe("");
  });
});

describe("a style that hides the whole page for a moment", () => {
  it.each([
    `<html class="async-hide"><body><p>SHOWN ${STORY}`,
    `<html style="visibility:hidden"><body><p>SHOWN ${STORY}`,
    `<body style="opacity:0"><p>SHOWN`,
    `<body class="hidden" style="opacity: 0; transition: opacity 1s">SHOWN`,
    `<body style="display:none !important"><p>SHOWN ${STORY}`,
  ])("does not hide the text: %s", (html) => {
    expect(wordsOf(html)).toBe("SHOWN");
  });
});

describe("a hidden box that is shown", () => {
  const html = shop(`<div class=wrapper ${CLOSED}><h1>Ferries to the island</h1>${STORY.repeat(3)}</div>`);

  it("is found in both trees, and in their lines", () => {
    for (const page of [parse(html), parseQuickly({ id: "", url: "", html })]) {
      expect(findCurtain(page)?.attributes.get("class")).toBe("wrapper");
      expect(walkLines(page).filter(({ block }) => block === "h1")).toHaveLength(1);
    }
  });

  it("is also shown to Readability", () => {
    const { lines } = unwrap(createReadabilityExtractor({ leftOut: "drop" }).extract(parse(html)));
    expect(lines.map(({ text }) => text).join(" ")).toContain("The ferry to the island leaves");
    expect(lines.map(({ text }) => text).join(" ")).not.toContain("Timetable");
  });

  it("is found with a bounded number of visits for each element", () => {
    const box = `<div ${CLOSED}><h1>a</h1>${SENTENCE.repeat(3)}</div>`;
    const main = `<main>${`<div><i ${CLOSED}>${SENTENCE.repeat(3)}</i>`.repeat(10_000)}`;
    for (const page of [parse(box.repeat(20_000)), parse(MENU + main)]) {
      const { page: counted, visits } = countVisits(page);
      expect(findCurtain(counted)).toBeDefined();
      expect(visits()).toBeLessThan(8 * page.elements);
    }
  });
});

/** Returns the page, and how often lists of children have been read since. */
function countVisits(page: ParsedPage): { page: ParsedPage; visits: () => number } {
  let visits = 0;
  const open: ElementNode[] = [page.root];
  for (let element = open.pop(); element !== undefined; element = open.pop()) {
    const { children } = element;
    for (const child of children) if (child.kind === "element") open.push(child);
    Object.defineProperty(element, "children", {
      get() {
        visits += 1;
        return children;
      },
    });
  }
  return { page, visits: () => visits };
}
