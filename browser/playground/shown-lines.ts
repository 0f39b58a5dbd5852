/** Shows the lines of a page, coloured by their scores; arrow keys move from one line to the next. */
import type { LineRecord } from "thresher/core";

/** More lines would make the window slow; the text below them is complete. */
const MOST_SHOWN = 3000;
/** How many characters of a line are shown. */
const MOST_CHARACTERS = 2000;

/**
 * Fills `list` and returns the number of lines that are not shown. Calls `tell` with a description of the line that the
 * pointer enters or that gets the focus.
 */
export function showLines(
  list: HTMLElement,
  lines: readonly LineRecord[],
  tell: (about: string) => void,
): number {
  const shown = lines.slice(0, MOST_SHOWN).map((line, at) => showLine(line, at, tell));
  list.replaceChildren(...shown);
  const [first] = shown;
  if (first !== undefined) first.tabIndex = 0;
  return lines.length - shown.length;
}

function showLine(line: LineRecord, at: number, tell: (about: string) => void): HTMLLIElement {
  const item = document.createElement("li");
  // Sets plain text only, so that a page's markup never becomes part of this page.
  item.textContent = line.text.slice(0, MOST_CHARACTERS);
  item.className = line.label;
  item.style.setProperty("--score", String(line.score));
  item.tabIndex = -1;
  const about = describe(line, at);
  item.title = about;
  item.addEventListener("pointerenter", () => {
    tell(about);
  });
  item.addEventListener("focus", () => {
    tell(about);
  });
  return item;
}

function describe({ label, score, grade, why, block, path }: LineRecord, at: number): string {
  const reason = why === undefined ? "" : `, by the rule ${why}`;
  const place = path === "" ? block : path;
  return `Line ${at + 1}: ${label}${reason}; score ${score.toFixed(3)}, grade ${grade}; ${place}`;
}

const STEPS: Readonly<Record<string, number>> = {
  ArrowDown: 1,
  ArrowUp: -1,
  PageDown: 10,
  PageUp: -10,
  Home: -MOST_SHOWN,
  End: MOST_SHOWN,
};

/** Adds the key listener; call it once, because it works for whatever lines the list has later. */
export function listenToKeys(list: HTMLElement): void {
  list.addEventListener("keydown", (event) => {
    const step = STEPS[event.key];
    const items = [...list.children] as HTMLElement[]; // `showLines` adds nothing else
    const now = items.findIndex((item) => item === document.activeElement);
    if (step === undefined || now < 0) return;
    event.preventDefault();
    const next = items[Math.max(0, Math.min(items.length - 1, now + step))];
    for (const item of items) item.tabIndex = item === next ? 0 : -1;
    next?.focus();
  });
}
