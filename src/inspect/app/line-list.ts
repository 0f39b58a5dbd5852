/** Shows the lines of a document, coloured by score; keys or the mouse select one line or a range. */
import { make, part } from "./parts.js";
import { createTurns } from "./turns.js";
import type { Mark, ShownLine } from "./wire.js";

export interface LineList {
  show(lines: readonly ShownLine[]): void;
  /** Redraws the marks of these lines. */
  draw(lines: readonly number[] | "all"): void;
  /** Highlights the lines whose label another cut changes. */
  showChanges(lines: ReadonlySet<number>): void;
  select(line: number, isMore?: boolean): void;
  /** Moves the selection by this many lines that hold text. */
  move(steps: number, isMore: boolean): void;
  selectAll(): void;
  readonly selected: readonly number[];
  readonly active: number | undefined;
}

interface ListTools {
  readonly markOf: (line: number) => Mark | undefined;
  readonly onSelect: (active: number) => void;
}

/** Number of rows made before the browser may draw. */
const AT_ONCE = 400;

export function createLineList({ markOf, onSelect }: ListTools): LineList {
  const list = part<HTMLOListElement>("lines");
  /** Numbers of the lines that hold text, in the order of their rows. */
  let shown: number[] = [];
  let lines: readonly ShownLine[] = [];
  let rows = new Map<number, HTMLLIElement>();
  let anchor = 0;
  let active = 0;
  let changes: ReadonlySet<number> = new Set();
  const turns = createTurns();

  const drawOne = (line: number): void => {
    const row = rows.get(line);
    const about = lines[line];
    const badge = row?.children[1];
    if (row === undefined || about === undefined || badge === undefined) return;
    const mark = markOf(line);
    const isChanged = changes.has(line);
    const label = isChanged ? (about.label === "content" ? "boilerplate" : "content") : about.label;
    badge.textContent = mark ?? label;
    badge.className = mark === undefined ? "mark own" : "mark";
    row.classList.toggle("changes", isChanged);
  };
  const addRow = (line: number): HTMLLIElement => {
    const row = makeRow(line, lines[line]);
    rows.set(line, row);
    drawOne(line);
    return row;
  };
  const makeRows = (from: number, isLast: () => boolean): void => {
    if (!isLast()) return;
    list.append(...shown.slice(from, from + AT_ONCE).map(addRow));
    if (from + AT_ONCE < shown.length)
      setTimeout(() => {
        makeRows(from + AT_ONCE, isLast);
      });
  };
  const range = (): number[] => shown.slice(Math.min(anchor, active), Math.max(anchor, active) + 1);
  let lit: number[] = [];
  const light = (): void => {
    for (const line of lit) {
      rows.get(line)?.setAttribute("aria-selected", "false");
      rows.get(line)?.classList.remove("active");
    }
    lit = range();
    for (const line of lit) rows.get(line)?.setAttribute("aria-selected", "true");
    const line = shown[active];
    if (line === undefined) return;
    const row = rows.get(line);
    row?.classList.add("active");
    list.setAttribute("aria-activedescendant", `line-${line}`);
    if (row !== undefined) keepInView(list, row);
    onSelect(line);
  };
  const goTo = (place: number, isMore: boolean): void => {
    active = Math.max(0, Math.min(shown.length - 1, place));
    if (!isMore) anchor = active;
    light();
  };
  list.addEventListener("click", (event) => {
    const row = event.target instanceof Element ? event.target.closest("li") : null;
    if (row !== null) goTo(shown.indexOf(Number(row.id.slice(5))), event.shiftKey);
  });
  return {
    show(all) {
      lines = all;
      shown = all.flatMap(({ text }, line) => (text.trim() === "" ? [] : [line]));
      rows = new Map();
      lit = [];
      changes = new Set();
      list.replaceChildren();
      list.scrollTop = 0;
      makeRows(0, turns.next());
      goTo(0, false);
    },
    draw(which) {
      for (const line of which === "all" ? shown : which) drawOne(line);
    },
    showChanges(found) {
      const before = changes;
      changes = found;
      for (const line of new Set([...before, ...found])) drawOne(line);
    },
    select(line, isMore = false) {
      const place = shown.indexOf(line);
      if (place !== -1) goTo(place, isMore);
    },
    move(steps, isMore) {
      goTo(active + steps, isMore);
    },
    selectAll() {
      anchor = 0;
      goTo(shown.length - 1, true);
    },
    get selected() {
      return range();
    },
    get active() {
      return shown[active];
    },
  };
}

function makeRow(line: number, about: ShownLine | undefined): HTMLLIElement {
  const parts = [
    make("span", about?.score.toFixed(3) ?? "", { class: "score" }),
    make("span", "", { class: "mark" }),
    make("span", about?.text ?? "", { class: "text", dir: "auto" }),
  ];
  const row = make("li", parts, { id: `line-${line}`, role: "option", "aria-selected": "false" });
  row.style.setProperty("--score", String(about?.score ?? 0));
  return row;
}

/** Scrolls only the list itself, and only as far as needed. */
function keepInView(list: HTMLElement, row: HTMLElement): void {
  const [outer, inner] = [list.getBoundingClientRect(), row.getBoundingClientRect()];
  if (inner.top < outer.top) list.scrollTop -= outer.top - inner.top + 8;
  else if (inner.bottom > outer.bottom) list.scrollTop += inner.bottom - outer.bottom + 8;
}
