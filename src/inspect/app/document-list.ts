/** Lists the documents that fit a search; only visible rows are made and loaded. */
import { createLoadedList } from "./loaded-list.js";
import { make, part, tell } from "./parts.js";
import type { DocumentList, Facet, ListedDocument } from "./wire.js";

export interface Documents {
  /** The current search, as the server takes it. */
  readonly query: Readonly<Record<string, string>>;
  /** Reloads the list and keeps its scroll position. */
  refresh(): Promise<void>;
  showOpen(key: string): void;
}

const FIELDS = ["text", "lang", "host", "type", "state", "doubt", "order"] as const;
/** Height of a row in rem, as in the style sheet. */
const ROW_REM = 3.4;
const TYPING_MS = 150;
const READING_MS = 700;

export function createDocuments(onOpen: (key: string) => void): Documents {
  const list = part("documents");
  const space = list.appendChild(make("div", "", { class: "space", role: "presentation" }));
  const row = ROW_REM * parseFloat(getComputedStyle(document.documentElement).fontSize);
  let found = 0;
  let active = 0;
  let open = "";

  const draw = (): void => {
    space.style.height = `${found * row}px`;
    const first = Math.max(0, Math.floor(list.scrollTop / row) - 4);
    const last = Math.min(found, Math.ceil((list.scrollTop + list.clientHeight) / row) + 4);
    const rows: HTMLElement[] = [];
    for (let at = first; at < last; at += 1) {
      const about = loaded.at(at);
      if (about === undefined) loaded.load(at);
      const made = makeRow(about, { at, found, isActive: at === active, isOpen: about?.key === open });
      made.style.top = `${at * row}px`;
      rows.push(made);
    }
    space.replaceChildren(...rows);
    if (found > 0) list.setAttribute("aria-activedescendant", `entry-${active}`);
    else list.removeAttribute("aria-activedescendant");
  };
  let waiting: ReturnType<typeof setTimeout> | undefined;
  const loaded = createLoadedList(readQuery, (answer) => {
    found = answer.found;
    active = Math.min(active, Math.max(0, found - 1));
    showFacts(answer);
    draw();
    if (answer.isRead) return;
    waiting ??= setTimeout(() => {
      waiting = undefined;
      tell(refresh());
    }, READING_MS);
  });
  const refresh = (): Promise<void> => loaded.refresh(Math.floor(list.scrollTop / row));
  const openAt = (at: number): void => {
    const about = loaded.at(at);
    active = at;
    draw();
    if (about !== undefined) onOpen(about.key);
  };
  const goTo = (at: number): void => {
    active = Math.max(0, Math.min(found - 1, at));
    const top = active * row;
    if (top < list.scrollTop) list.scrollTop = top;
    else if (top + row > list.scrollTop + list.clientHeight) list.scrollTop = top + row - list.clientHeight;
    draw();
  };
  list.addEventListener("scroll", draw);
  list.addEventListener("keydown", (event) => {
    const step = STEPS[event.key];
    if (step !== undefined) goTo(step(active, found));
    else if (event.key === "Enter" || event.key === " ") openAt(active);
    else return;
    event.preventDefault();
  });
  list.addEventListener("click", (event) => {
    const entry = event.target instanceof Element ? event.target.closest(".entry") : null;
    if (entry !== null) openAt(Number(entry.id.slice(6)));
  });
  onSearch(() => {
    active = 0;
    list.scrollTop = 0;
    tell(refresh());
  });
  return {
    get query() {
      return readQuery();
    },
    refresh,
    showOpen(key) {
      open = key;
      active = loaded.placeOf(key) ?? active;
      draw();
    },
  };
}

/** The row that each key leads to. */
const STEPS: Readonly<Record<string, (active: number, found: number) => number>> = {
  ArrowDown: (active) => active + 1,
  ArrowUp: (active) => active - 1,
  PageDown: (active) => active + 10,
  PageUp: (active) => active - 10,
  Home: () => 0,
  End: (_active, found) => found - 1,
};

interface Place {
  readonly at: number;
  readonly found: number;
  readonly isActive: boolean;
  readonly isOpen: boolean;
}

function makeRow(about: ListedDocument | undefined, { at, found, isActive, isOpen }: Place): HTMLElement {
  const title = about === undefined ? "…" : about.title || about.key;
  return make("div", [make("b", title), make("span", about === undefined ? "…" : describe(about))], {
    ...{ class: isActive ? "entry active" : "entry", role: "option", id: `entry-${at}` },
    ...{ "aria-selected": String(isOpen), "aria-posinset": String(at + 1), "aria-setsize": String(found) },
  });
}

/** Searches when the user pauses typing. */
function onSearch(search: () => void): void {
  let typing: ReturnType<typeof setTimeout> | undefined;
  part("search").addEventListener("input", () => {
    clearTimeout(typing);
    typing = setTimeout(search, TYPING_MS);
  });
  part("search").addEventListener("submit", (event) => {
    event.preventDefault();
  });
}

/** Returns the current search, as the server takes it. */
function readQuery(): Record<string, string> {
  return Object.fromEntries(
    FIELDS.map((name) => [name, part<HTMLInputElement | HTMLSelectElement>(name).value]),
  );
}

function describe({ lang, type, host, kept, lines, doubt, state, marked }: ListedDocument): string {
  // The end of a long line is cut off.
  const words = [
    state === "none" ? "" : state === "done" ? "done" : `${marked} marked`,
    `doubt ${(100 * doubt).toFixed(1)} %`,
    `${kept}/${lines} lines`,
    ...[type, lang, host],
  ];
  return words.filter((word) => word !== "").join(" · ");
}

function showFacts({ found, total, isRead, facets, progress, damage }: DocumentList): void {
  part("found").textContent =
    `${found} of ${total} documents${isRead ? "" : " so far; still reading the inputs"}`;
  part("progress").textContent =
    `${progress.annotator}: ${progress.done} done, ${progress.begun} begun, lines marked: ${progress.lines}`;
  for (const [name, facet] of Object.entries(facets)) fillSelect(part<HTMLSelectElement>(name), facet);
  const box = part("damage");
  box.hidden = damage.count === 0;
  const [summary, items] = [box.querySelector("summary"), box.querySelector("ul")];
  if (summary !== null) summary.textContent = `${damage.count} could not be used`;
  items?.replaceChildren(...damage.first.map((what) => make("li", what)));
}

function fillSelect(select: HTMLSelectElement, facet: Facet): void {
  const { value } = select;
  const named: (readonly [string, number | undefined])[] = facet.filter(([name]) => name !== "");
  // Only the most frequent values are listed, and the chosen one may no longer be among them.
  if (value !== "" && !named.some(([name]) => name === value)) named.push([value, undefined]);
  if (select.options.length === named.length + 1 && document.activeElement === select) return;
  select.replaceChildren(
    make("option", "all", { value: "" }),
    ...named.map(([name, count]) =>
      make("option", count === undefined ? name : `${name} (${count})`, { value: name }),
    ),
  );
  select.value = value;
}
