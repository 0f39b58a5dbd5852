/** Shows what another cut would make of the document, and lets the user set that cut. */
import { ask } from "./ask.js";
import { make, part, tell } from "./parts.js";
import { createTurns } from "./turns.js";
import type { CutView, ShownDocument } from "./wire.js";

export interface CutPanel {
  /** Shows the document's own cut, and the cuts of other focuses to choose from. */
  open(document: Pick<ShownDocument, "key" | "cut" | "cuts">): void;
}

const SLIDING_MS = 80;

/** `onChanges` gets the lines whose label the cut changes. */
export function createCutPanel(onChanges: (lines: ReadonlySet<number>) => void): CutPanel {
  let shown: Pick<ShownDocument, "key" | "cut"> | undefined;
  let view: CutView | undefined;
  const slider = part<HTMLInputElement>("cut");

  const turns = createTurns();
  const load = async (wanted: number | undefined): Promise<void> => {
    if (shown === undefined) return;
    const isLast = turns.next();
    const query = { key: shown.key, ...(wanted === undefined ? {} : { cut: String(wanted) }) };
    const found = await ask<CutView>("/api/cut", query);
    if (!isLast()) return;
    view = found;
    onChanges(new Set(found.changes.map(({ line }) => line)));
    showResult(found);
  };
  let sliding: ReturnType<typeof setTimeout> | undefined;
  const setCut = (wanted: number | undefined): void => {
    slider.value = String(wanted ?? shown?.cut ?? 0.5);
    part("cut-shown").textContent = Number(slider.value).toFixed(3);
    clearTimeout(sliding);
    sliding = setTimeout(() => {
      tell(load(wanted));
    }, SLIDING_MS);
  };
  slider.addEventListener("input", () => {
    setCut(Number(slider.value));
  });
  for (const choice of document.querySelectorAll("input[name=view]"))
    choice.addEventListener("change", () => {
      if (view !== undefined) showResult(view);
    });
  return {
    open(about) {
      shown = about;
      part("presets").replaceChildren(...makePresets(about, setCut));
      setCut(undefined);
    },
  };
}

function makePresets(
  { cuts }: Pick<ShownDocument, "cuts">,
  setCut: (cut: number | undefined) => void,
): HTMLElement[] {
  return Object.entries({ stored: undefined, ...cuts }).map(([name, value]) => {
    const title = value === undefined ? name : `${name} ${value.toFixed(3)}`;
    const button = make("button", title, { type: "button" });
    button.addEventListener("click", () => {
      setCut(value);
    });
    return button;
  });
}

function showResult({ changes, text, markdown, words, kept }: CutView): void {
  const added = changes.filter(({ isAdded }) => isAdded).length;
  part("cut-about").textContent =
    `lines: ${kept}, words: ${words}; compared with the stored cut, lines added: ${added}, removed: ${changes.length - added}`;
  const which = document.querySelector<HTMLInputElement>("input[name=view]:checked")?.value;
  const diff = changes.map(({ isAdded, text: line }) => `${isAdded ? "+" : "−"} ${line}`).join("\n");
  part("result").textContent = which === "markdown" ? markdown : which === "diff" ? diff || "Nothing." : text;
}
