import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import type { PageVerdict } from "../../../src/document.js";
import { createPageLabeller } from "../../../src/label/page/page-folder.js";
import { openReader } from "../../../src/core/read-page.js";

const read = await openReader("page", { leftOut: "drop" });
const labeller = await createPageLabeller({ focus: "balanced" });
afterAll(() => labeller.close());

/** Returns the verdict of the shipped model on a page. */
async function judge(html: string): Promise<PageVerdict | undefined> {
  const outcome = read({ id: "page", url: "https://example.org/page", content: { kind: "html", html } });
  if (!outcome.ok) throw new Error(`the page was not read: ${outcome.reason}`);
  const [document] = await labeller.label([outcome.value]);
  return document?.verdict;
}

const MENU = ["Home", "Products", "Pricing", "Customers", "Blog", "About us", "Careers", "Contact", "Log in"];
const FOOT = [
  "Privacy policy",
  "Terms of service",
  "Cookie settings",
  "Imprint",
  "Sitemap",
  "Press",
  "Partners",
];
const list = (names: readonly string[]): string =>
  `<ul>${names.map((name) => `<li><a href="/x">${name}</a></li>`).join("")}</ul>`;
const framed = (title: string, main: string): string =>
  `<!DOCTYPE html><html><head><title>${title}</title></head><body><header><a href="/">Plover &amp; Sons</a><nav>${list(MENU)}` +
  `</nav></header><main>${main}</main><footer>${list(FOOT)}<p>© 2023 Plover &amp; Sons Ltd. All rights reserved.</p></footer></body></html>`;

describe("a page with little main content", () => {
  it.each(["forum-short-bbpress-en", "forum-short-phpbb-fr", "product-tiles-sv", "slideshow-it"])(
    "has main content: %s",
    async (slug) => {
      const html = readFileSync(join("fixtures", "pages", slug, "source.html"), "utf8");
      expect(await judge(html)).toMatchObject({ hasContent: true });
    },
  );

  it("has main content if a login is next to a paragraph", async () => {
    const paragraph =
      "We mended the pump on Sunday. It had swallowed a glove, two plums and most of a newspaper from May.";
    const form =
      "<form><p>Log in to comment</p><label>Username</label><input><label>Password</label><input></form>";
    const html = framed("The pump", `<h1>The pump</h1><p>${paragraph}</p>${form}`);
    expect(await judge(html)).toMatchObject({ hasContent: true });
  });
});

describe("a page without main content", () => {
  const FORM =
    "<label>Email</label><input><label>Password</label><input type=password><button>Log in</button>";
  it.each([
    ["a menu and a footer", framed("Plover", "")],
    [
      "a login",
      framed("Log in", `<h1>Log in</h1><form>${FORM}<a href="/x">Forgot your password?</a></form>`),
    ],
    [
      "a French login",
      framed(
        "Connexion",
        "<h1>Connexion</h1><form><label>Mot de passe</label><input><button>Se connecter</button></form>",
      ),
    ],
    [
      "a missing page",
      framed(
        "Page not found",
        "<h1>Page not found</h1><p>Sorry, the page you are looking for does not exist or has moved.</p>",
      ),
    ],
    [
      "the same in German",
      framed(
        "Seite nicht gefunden",
        "<h1>Seite nicht gefunden</h1><p>Die angeforderte Seite existiert leider nicht mehr.</p>",
      ),
    ],
    ["an article that is locked", framed("The harbour deal", "<p>Already a subscriber? <a>Sign in</a></p>")],
    ["a search that found nothing", framed("Search", "<h1>Search</h1><p>0 results for “grommet”.</p>")],
    [
      "a server's own words",
      "<title>404 Not Found</title><h1>Not Found</h1><p>The requested URL /abc was not found on this server.</p>",
    ],
    [
      "a page that requires a script",
      "<title>Just a moment</title><h1>plover.example</h1><p>Enable JavaScript and cookies to continue</p>",
    ],
    ["a page that is loading", '<title>App</title><div id="root"><p>Loading…</p></div>'],
  ])("has none: %s", async (_what, html) => {
    expect(await judge(html)).toMatchObject({ hasContent: false });
  });
});
