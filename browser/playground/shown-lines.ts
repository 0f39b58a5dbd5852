/** Shows the lines of a page, coloured by their scores; arrow keys go from one to the next. */
import type { LineRecord } from "thresher/core";

/** More of them would make the window slow; the text below has all. */
const MOST_SHOWN = 3000;
/** Characters of a line that are shown. */
const MOST_CHARACTERS = 2000;

/** Fills `list`; what is known of a line that is pointed at, or has the focus, is told by `tell`. */
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
  // Text alone, whatever it looks like: nothing of a page becomes a part of this one.
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

/** To be called once: the keys work for whatever the list holds. */
export function listenToKeys(list: HTMLElement): void {
  list.addEventListener("keydown", (event) => {
    const step = STEPS[event.key];
    const items = [...list.children] as HTMLElement[]; // `showLines` puts nothing else in
    const now = items.findIndex((item) => item === document.activeElement);
    if (step === undefined || now < 0) return;
    event.preventDefault();
    const next = items[Math.max(0, Math.min(items.length - 1, now + step))];
    for (const item of items) item.tabIndex = item === next ? 0 : -1;
    next?.focus();
  });
}
