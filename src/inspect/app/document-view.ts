/** Shows one document: its lines beside its page, and what another cut would make of it. */
import { ask } from "./ask.js";
import { createLineList, type LineList } from "./line-list.js";
import type { Marking } from "./marking.js";
import { make, part, tell } from "./parts.js";
import { createReasonsView, type ReasonsView } from "./reasons.js";
import type { CutView, ShownDocument } from "./wire.js";

export interface DocumentView {
  open(key: string, query: Readonly<Record<string, string>>): Promise<void>;
  readonly lines: LineList;
  readonly reasons: ReasonsView;
  readonly shown: ShownDocument | undefined;
}

const SLIDING_MS = 80;

export function createDocumentView(marking: Marking): DocumentView {
  let shown: ShownDocument | undefined;
  const frame = part<HTMLIFrameElement>("page");
  const cut = part<HTMLInputElement>("cut");
  const reasons = createReasonsView();
  let view: CutView | undefined;

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
      // An element of another window is of no class of this one.
      const target = event.target as Element | null;
      const line = target?.closest("[data-line]")?.getAttribute("data-line");
      if (line === null || line === undefined) return;
      lines.select(Number(line), event.shiftKey);
      part("lines").focus({ preventScroll: true });
    });
    if (lines.active !== undefined) showOnPage(frame, lines.selected, lines.active);
  });

  let run = 0;
  const loadCut = async (wanted: number | undefined): Promise<void> => {
    if (shown === undefined) return;
    run += 1;
    const mine = run;
    const query = { key: shown.key, ...(wanted === undefined ? {} : { cut: String(wanted) }) };
    const found = await ask<CutView>("/api/cut", query);
    if (mine !== run) return;
    view = found;
    lines.showChanges(new Set(found.changes.map(({ line }) => line)));
    showResult();
  };
  const showResult = (): void => {
    if (view === undefined) return;
    const { changes, text, markdown, words, kept } = view;
    const added = changes.filter(({ isAdded }) => isAdded).length;
    part("cut-about").textContent =
      `${kept} lines, ${words} words; against the stored cut ${added} lines come and ${changes.length - added} go`;
    const which = document.querySelector<HTMLInputElement>("input[name=view]:checked")?.value;
    const diff = changes.map(({ isAdded, text: line }) => `${isAdded ? "+" : "−"} ${line}`).join("\n");
    part("result").textContent =
      which === "markdown" ? markdown : which === "diff" ? diff || "Nothing." : text;
  };
  let sliding: ReturnType<typeof setTimeout> | undefined;
  const setCut = (wanted: number | undefined): void => {
    cut.value = String(wanted ?? shown?.cut ?? 0.5);
    part("cut-shown").textContent = Number(cut.value).toFixed(3);
    clearTimeout(sliding);
    sliding = setTimeout(() => {
      tell(loadCut(wanted));
    }, SLIDING_MS);
  };
  cut.addEventListener("input", () => {
    setCut(Number(cut.value));
  });
  for (const choice of document.querySelectorAll("input[name=view]"))
    choice.addEventListener("change", showResult);

  const showPresets = ({ cuts }: ShownDocument): void => {
    const presets = { stored: undefined, ...cuts };
    part("presets").replaceChildren(
      ...Object.entries(presets).map(([name, value]) => {
        const button = make("button", value === undefined ? name : `${name} ${value.toFixed(3)}`, {
          type: "button",
        });
        button.addEventListener("click", () => {
          setCut(value);
        });
        return button;
      }),
    );
  };
  return {
    ...{ lines, reasons },
    get shown() {
      return shown;
    },
    async open(key, query) {
      const found = await ask<ShownDocument>("/api/document", { ...query, key });
      shown = found;
      part("nothing").hidden = true;
      part("document").hidden = false;
      marking.open(found);
      showHead(found);
      part("sides").classList.toggle("alone", !found.hasPage);
      if (found.hasPage) frame.src = `/page?${new URLSearchParams({ key }).toString()}`;
      else frame.removeAttribute("src");
      lines.show(found.lines);
      showPresets(found);
      setCut(undefined);
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
    `${kept} lines kept`,
    `${words} words in all lines`,
  ]
    .filter((word) => word !== "")
    .join(" · ");
  const warning = part("stale");
  warning.hidden = stale === 0;
  warning.textContent = `The input has changed since ${stale} lines of this document were marked. Those marks stay in the journal; they are not shown, and not exported.`;
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
    ...(shown?.hasPage === true && !isOnPage ? ["its place on the page is not known"] : []),
  ].join("; ");
}

/** Marks more than so many lines on the page at once take long. */
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
