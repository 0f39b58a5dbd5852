/** Runs the playground: sends pasted text or an opened file to a worker, and shows its lines, text and Markdown. */
import type { CleanInput, CoreDocument, CoreOptions, Focus, Outcome } from "thresher/core";
import { openWorker } from "../client.js";
import { listenToKeys, showLines } from "./shown-lines.js";
import workerCode from "virtual:worker";

/** Milliseconds after the last key press before the text is cleaned. */
const PAUSE_MS = 250;
/** In bytes; a larger file cannot be edited, but it is cleaned all the same. */
const MOST_EDITED = 2_000_000;

/** Returns the page's element with this id. Throws an Error when it is missing or has another type. */
function part<T extends HTMLElement>(id: string, type: new () => T): T {
  const found = document.getElementById(id);
  if (!(found instanceof type)) throw new Error(`the page has no #${id} that is a ${type.name}`);
  return found;
}

const source = part("source", HTMLTextAreaElement);
const kind = part("kind", HTMLSelectElement);
const focus = part("focus", HTMLSelectElement);
const hasOwnCut = part("own-cut", HTMLInputElement);
const threshold = part("threshold", HTMLInputElement);
const thresholdShown = part("threshold-shown", HTMLOutputElement);
const links = part("links", HTMLInputElement);
const file = part("file", HTMLInputElement);
const statusLine = part("status", HTMLParagraphElement);
const lineList = part("lines", HTMLOListElement);
const moreLines = part("more", HTMLParagraphElement);
const detail = part("detail", HTMLParagraphElement);
/** The results of a page, and the buttons that copy them. */
const results = {
  text: { shown: part("text", HTMLPreElement), button: part("copy-text", HTMLButtonElement) },
  markdown: { shown: part("markdown", HTMLPreElement), button: part("copy-markdown", HTMLButtonElement) },
};

/** The file that was opened last, until another input replaces it. */
let opened: { readonly name: string; readonly bytes: Uint8Array } | undefined;

function modelOf(id: string): Uint8Array {
  const text = part(id, HTMLScriptElement).text;
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}

const workerUrl = URL.createObjectURL(new Blob([workerCode], { type: "text/javascript" }));
const worker = openWorker({
  worker: () => new Worker(workerUrl),
  models: { page: modelOf("model-page"), text: modelOf("model-text") },
});

function say(message: string, isWrong = false): void {
  statusLine.textContent = message;
  statusLine.classList.toggle("wrong", isWrong);
}

function readInput(): CleanInput | undefined {
  if (opened !== undefined) {
    const contentType = { auto: "", html: "text/html", text: "text/plain" }[kind.value] ?? "";
    return { id: opened.name, bytes: opened.bytes, ...(contentType === "" ? {} : { contentType }) };
  }
  if (source.value.trim() === "") return undefined;
  if (kind.value === "html") return { id: "pasted", html: source.value };
  if (kind.value === "text") return { id: "pasted", text: source.value };
  return { id: "pasted", bytes: new TextEncoder().encode(source.value) };
}

function readOptions(): CoreOptions {
  return {
    keepBoilerplate: true,
    maxBytes: 50_000_000,
    focus: focus.value as Focus, // the page only offers these values
    ...(hasOwnCut.checked && { cut: Number(threshold.value) }),
    markdown: { links: links.checked ? "keep" : "drop" },
  };
}

/** Whether a page is being cleaned, and whether the input or an option has changed since it started. */
let isBusy = false;
let isStale = false;

async function refresh(): Promise<void> {
  if (isBusy) {
    isStale = true;
    return;
  }
  isBusy = true;
  do {
    isStale = false;
    await cleanOnce();
    // Calls of `refresh` that come while this one waits may set `isStale`.
  } while (isStale as boolean);
  isBusy = false;
}

async function cleanOnce(): Promise<void> {
  const input = readInput();
  if (input === undefined) {
    show(undefined);
    say("Nothing is pasted yet.");
    return;
  }
  say("Cleaning …");
  const begun = performance.now();
  try {
    const outcome = await worker.clean(input, readOptions());
    const ms = Math.round(performance.now() - begun);
    show(outcome);
    sayOutcome(outcome, ms);
  } catch (error) {
    show(undefined);
    say(`Cleaning failed: ${error instanceof Error ? error.message : String(error)}`, true);
  }
}

function sayOutcome(outcome: Outcome<CoreDocument>, ms: number): void {
  if (!outcome.ok) {
    say(`No text: ${outcome.reason}${outcome.detail === undefined ? "" : ` (${outcome.detail})`}.`, true);
    return;
  }
  const { lines = [], words, page, condition } = outcome.value;
  const kept = lines.filter(({ label }) => label === "content").length;
  const cut = (page ?? condition)?.cut;
  const what = page === undefined ? condition && `text, ${condition.name}` : `page, ${page.type}`;
  const details = [
    `${kept} of ${lines.length} lines are content, ${words} words`,
    ...(what === undefined ? [] : [what]),
    ...(cut === undefined ? [] : [`cut ${cut.toFixed(3)}`]),
    `${ms} ms`,
    ...(worker.engine === undefined ? [] : [worker.engine]),
  ];
  say(`${details.join("; ")}.`);
}

function show(outcome: Outcome<CoreDocument> | undefined): void {
  const found = outcome?.ok === true ? outcome.value : undefined;
  const more = showLines(lineList, found?.lines ?? [], (about) => {
    detail.textContent = about;
  });
  moreLines.hidden = more === 0;
  moreLines.textContent = `${more} more lines are not shown here; the text below includes those that are kept.`;
  for (const name of ["text", "markdown"] as const) {
    const made = found?.[name] ?? "";
    results[name].shown.textContent = made;
    results[name].button.disabled = made === "";
  }
}

/** Copies the text; when this window may not write to the clipboard, selects the text instead. */
async function copy({ shown }: (typeof results)["text"]): Promise<void> {
  try {
    await navigator.clipboard.writeText(shown.textContent);
    say("Copied.");
  } catch {
    getSelection()?.selectAllChildren(shown);
    say("Selected. This window cannot write to the clipboard, so press Ctrl+C.");
  }
}

async function openFile(): Promise<void> {
  const [chosen] = file.files ?? [];
  if (chosen === undefined) return;
  const bytes = new Uint8Array(await chosen.arrayBuffer());
  opened = { name: chosen.name, bytes };
  source.value =
    bytes.length > MOST_EDITED
      ? `(${chosen.name}: ${bytes.length} bytes, too long to be edited here)`
      : new TextDecoder().decode(bytes);
  await refresh();
}

let timer: ReturnType<typeof setTimeout> | undefined;
source.addEventListener("input", () => {
  opened = undefined;
  file.value = "";
  clearTimeout(timer);
  timer = setTimeout(() => void refresh(), PAUSE_MS);
});
file.addEventListener("change", () => void openFile());
for (const control of [kind, focus, links]) control.addEventListener("change", () => void refresh());
hasOwnCut.addEventListener("change", () => {
  threshold.disabled = !hasOwnCut.checked;
  void refresh();
});
threshold.addEventListener("input", () => {
  thresholdShown.textContent = Number(threshold.value).toFixed(2);
  void refresh();
});
for (const result of Object.values(results)) result.button.addEventListener("click", () => void copy(result));
listenToKeys(lineList);
// When the user goes back to this page, the browser may have kept the input.
void refresh();
