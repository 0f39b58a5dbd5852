/** Shows one document, with its lines beside its page. */
import { ask } from "./ask.js";
import { createCutPanel } from "./cut-panel.js";
import { createLineList, type LineList } from "./line-list.js";
import type { Marking } from "./marking.js";
import { part } from "./parts.js";
import { createReasonsView, type ReasonsView } from "./reasons.js";
import { createTurns } from "./turns.js";
import type { ShownDocument } from "./wire.js";

export interface DocumentView {
  /** Resolves to false if another document was asked for meanwhile, which is shown instead. */
  open(key: string, query: Readonly<Record<string, string>>): Promise<boolean>;
  readonly lines: LineList;
  readonly reasons: ReasonsView;
  readonly shown: ShownDocument | undefined;
}

export function createDocumentView(marking: Marking): DocumentView {
  let shown: ShownDocument | undefined;
  const frame = part<HTMLIFrameElement>("page");
  const reasons = createReasonsView();

  const lines = createLineList({
    markOf: (line) => marking.markOf(line),
    onSelect: (line) => {
      showDetail(shown, line, lines.selected.length);
      showOnPage(frame, lines.selected, line);
      if (shown !== undefined) reasons.show(shown.key, line);
    },
  });
  frame.addEventListener("load", () => {
    const page = frame.contentDocument;
    page?.addEventListener("click", (event) => {
      // `instanceof` cannot check an element of another window.
      const target = event.target as Element | null;
      const line = target?.closest("[data-line]")?.getAttribute("data-line");
      if (line === null || line === undefined) return;
      lines.select(Number(line), event.shiftKey);
      part("lines").focus({ preventScroll: true });
    });
    if (lines.active !== undefined) showOnPage(frame, lines.selected, lines.active);
  });

  const cut = createCutPanel((changes) => {
    lines.showChanges(changes);
  });
  const turns = createTurns();
  return {
    ...{ lines, reasons },
    get shown() {
      return shown;
    },
    async open(key, query) {
      const isLast = turns.next();
      const found = await ask<ShownDocument>("/api/document", { ...query, key });
      if (!isLast()) return false;
      shown = found;
      part("nothing").hidden = true;
      part("document").hidden = false;
      marking.open(found);
      showHead(found);
      part("sides").classList.toggle("alone", !found.hasPage);
      if (found.hasPage) frame.src = `/page?${new URLSearchParams({ key }).toString()}`;
      else frame.removeAttribute("src");
      lines.show(found.lines);
      cut.open(found);
      return true;
    },
  };
}

function showHead({ title, key, url, lang, type, kept, words, stale, before, after }: ShownDocument): void {
  part("title").textContent = title || key;
  part("about").textContent = [
    key,
    url === key ? "" : url,
    lang,
    type,
    `lines kept: ${kept}`,
    `words in all lines: ${words}`,
  ]
    .filter((word) => word !== "")
    .join(" · ");
  const warning = part("stale");
  warning.hidden = stale === 0;
  warning.textContent = `The input has changed since lines of this document were marked (${stale}). Their marks stay in the journal, but are neither shown nor exported.`;
  part<HTMLButtonElement>("before").disabled = before === undefined;
  part<HTMLButtonElement>("after").disabled = after === undefined;
}

function showDetail(shown: ShownDocument | undefined, line: number, selected: number): void {
  const about = shown?.lines[line];
  if (about === undefined) return;
  const { score, label, why, block, path, isLinked, isOnPage } = about;
  part("detail").textContent = [
    ...(selected > 1 ? [`${selected} lines are selected`] : []),
    `line ${line + 1}: score ${score.toFixed(3)}, ${label}`,
    ...(why === undefined ? [] : [`because of ${why}`]),
    `block ${block}`,
    ...(isLinked ? ["has links"] : []),
    ...(path === "" ? [] : [`in ${path}`]),
    ...(shown?.hasPage === true && !isOnPage ? ["its place on the page is unknown"] : []),
  ].join("; ");
}

/** Most lines that are highlighted on the page, because more at once take long. */
const MOST_LIT = 500;

function showOnPage(frame: HTMLIFrameElement, selected: readonly number[], active: number): void {
  const page = frame.contentDocument;
  const view = frame.contentWindow;
  if (page === null || view === null) return;
  for (const lit of page.querySelectorAll(".on[data-line]")) lit.classList.remove("on");
  for (const line of selected.slice(0, MOST_LIT))
    for (const place of page.querySelectorAll(`[data-line="${line}"]`)) place.classList.add("on");
  const first = page.querySelector(`[data-line="${active}"]`);
  if (first === null) return;
  const { top, bottom } = first.getBoundingClientRect();
  if (top < 0 || bottom > view.innerHeight) view.scrollTo(0, view.scrollY + top - view.innerHeight / 3);
}
