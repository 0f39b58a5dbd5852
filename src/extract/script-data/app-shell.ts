/** Checks whether a page is the empty shell of an application, which only scripts fill. */
import type { ElementNode, ParsedPage } from "../../document/tree.js";
import { findElement, textOf } from "../elements.js";

/**
 * Ids that frameworks and their starter kits give to the element in which an application draws itself, in lower case.
 */
export const ROOT_IDS: readonly string[] = [
  "root",
  "app",
  "__next",
  "__nuxt",
  "___gatsby",
  "svelte",
  "q-app",
  "approot",
  "app-root",
  "app-container",
  "react-root",
  "react-app",
  "reactroot",
  "vue-app",
  "main-app",
  "application",
];
const rootIds: ReadonlySet<string> = new Set(ROOT_IDS);
const ROOT_TAGS: ReadonlySet<string> = new Set(["div", "section", "main", "article"]);
/** Names of custom elements for it: `app-root`, `gg-app`. */
const ROOT_TAG = /^(?:app-(?:root|main|shell)|\w+-app)$/;
const VIEWS = ["ng-view", "data-ng-view", "ui-view", "data-ui-view", "ng-app", "data-reactroot"] as const;
/** A root with less text than this, in characters, says only that it loads. */
const MAX_LOADING = 60;
/** Elements that an application would draw, or that a page with few words has. */
const DRAWN: ReadonlySet<string> = new Set(
  "a audio button canvas embed form frame iframe img input map object picture select table textarea video".split(
    " ",
  ),
);

/** Ids of elements with the data that a framework starts from, in lower case. */
export const STATE_IDS: readonly string[] = [
  "__next_data__",
  "__nuxt_data__",
  "data-preloaded",
  "data-discourse-setup",
  "ng-state",
  "serverapp-state",
  "shoebox",
];
const stateIds: ReadonlySet<string> = new Set(STATE_IDS);
const STATE = /\b(?:window|self)\s*(?:\.|\[\s*["'])__(?:next_f|\w*(?:STATE|DATA|PROPS|NUXT|APOLLO))/;

/**
 * Checks whether the page has the root of an application with (nearly) nothing in it. An element with the id "main" may
 * be any part of a page, and counts only if something else in the page asks for scripts.
 */
export function hasEmptyRoot(page: ParsedPage): boolean {
  const { root } = page;
  if (findElement(root, (element) => isRoot(element) && isEmpty(element)) !== undefined) return true;
  return (
    findElement(root, (element) => isMain(element) && isEmpty(element)) !== undefined && asksForScripts(page)
  );
}

/** Checks whether anything in a page says that a script would show its text; useful if the page shows no text. */
export function asksForScripts({ root }: ParsedPage): boolean {
  return findElement(root, isRequest) !== undefined;
}

function isRoot({ tag, attributes }: ElementNode): boolean {
  if (ROOT_TAG.test(tag)) return true;
  if (!ROOT_TAGS.has(tag) || attributes.size === 0) return false;
  return (
    rootIds.has((attributes.get("id") ?? "").toLowerCase()) || VIEWS.some((name) => attributes.has(name))
  );
}

function isMain({ tag, attributes }: ElementNode): boolean {
  return ROOT_TAGS.has(tag) && attributes.get("id") === "main";
}

function isEmpty(element: ElementNode): boolean {
  return (
    textOf(element, MAX_LOADING).length < MAX_LOADING &&
    findElement(element, ({ tag }) => DRAWN.has(tag)) === undefined
  );
}

/** Characters of a script or `noscript` that are read. */
const MAX_RAW = 100_000;

/**
 * Checks whether an element asks for scripts: a `noscript` that mentions JavaScript, a root, data that an application
 * starts from, or a `<meta>` for crawlers, which must request another page (the AJAX crawling scheme of 2009).
 */
function isRequest(element: ElementNode): boolean {
  const { tag, attributes } = element;
  if (isRoot(element) || stateIds.has((attributes.get("id") ?? "").toLowerCase())) return true;
  if (tag === "noscript") return /java\s?script/i.test(textOf(element, MAX_RAW, "raw"));
  if (tag === "meta") return attributes.get("name") === "fragment" && attributes.get("content") === "!";
  return tag === "script" && STATE.test(textOf(element, MAX_RAW, "raw"));
}
