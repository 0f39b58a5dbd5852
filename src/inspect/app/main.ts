/** Connects the parts of the inspector's page, and defines its keys. */
import { showAgreement } from "./agreement.js";
import { createDocuments } from "./document-list.js";
import { createDocumentView } from "./document-view.js";
import { createMarking } from "./marking.js";
import { make, part, tell, warn } from "./parts.js";
import { MARKS, type Mark } from "./wire.js";

/** Milliseconds between checks for marks of other windows. */
const LOOK_MS = 2000;

const MARK_KEYS: Readonly<Record<string, Mark | null>> = {
  ...{ c: "content", b: "boilerplate", u: "unsure", m: "comment", t: "title", x: null },
  ...{ Delete: null, Backspace: null },
};

const marking = createMarking((lines) => {
  view.lines.draw(lines);
  showCount();
});
const view = createDocumentView(marking);
const documents = createDocuments((key) => {
  tell(open(key));
});

function showCount(): void {
  const all = view.shown?.lines.filter(({ text }) => text.trim() !== "").length ?? 0;
  part("lines-title").textContent = `Lines: ${marking.size} of ${all} marked`;
}

async function open(key: string, line?: number): Promise<void> {
  if (!(await view.open(key, documents.query))) return;
  warn("");
  history.replaceState(null, "", `#${encodeURIComponent(key)}`);
  documents.showOpen(key);
  showCount();
  if (line !== undefined) view.lines.select(line);
  part("lines").focus({ preventScroll: true });
  tell(documents.refresh());
}

function step(to: string | undefined): void {
  if (to !== undefined) tell(open(to));
}

function setMark(mark: Mark | null): void {
  const { selected } = view.lines;
  marking.set(selected, () => mark);
  const last = selected.at(-1);
  if (last !== undefined) {
    view.lines.select(last);
    view.lines.move(1, false);
  }
}

/** Gives all lines without a mark the label that Thresher gave them. */
function acceptRest(): void {
  const lines = view.shown?.lines ?? [];
  const rest = lines.flatMap(({ text }, line) =>
    text.trim() === "" || marking.markOf(line) !== undefined ? [] : [line],
  );
  marking.set(rest, (line) => lines[line]?.label ?? null);
}

const ACTIONS: Readonly<Record<string, (isMore: boolean) => void>> = {
  ArrowDown: (isMore) => {
    view.lines.move(1, isMore);
  },
  ArrowUp: (isMore) => {
    view.lines.move(-1, isMore);
  },
  PageDown: (isMore) => {
    view.lines.move(15, isMore);
  },
  PageUp: (isMore) => {
    view.lines.move(-15, isMore);
  },
  Home: (isMore) => {
    view.lines.move(-Infinity, isMore);
  },
  End: (isMore) => {
    view.lines.move(Infinity, isMore);
  },
  z: () => {
    marking.undo();
  },
  y: () => {
    marking.redo();
  },
  a: acceptRest,
  w: () => {
    view.reasons.toggle();
  },
  n: () => {
    step(view.shown?.after);
  },
  p: () => {
    step(view.shown?.before);
  },
  "/": () => {
    part("text").focus();
  },
  "?": () => {
    part<HTMLDetailsElement>("keys").open = !part<HTMLDetailsElement>("keys").open;
  },
};
const SAME: Readonly<Record<string, string>> = { j: "ArrowDown", k: "ArrowUp", J: "ArrowDown", K: "ArrowUp" };

/**
 * Returns the key regardless of caps lock, in upper case only with Shift. On keyboards of other scripts, returns the
 * Latin letter at its position.
 */
function keyOf({ key, code, shiftKey }: KeyboardEvent): string {
  if (!/^\p{L}$/u.test(key)) return key;
  const isLatin = /^\p{Script=Latin}$/u.test(key);
  const letter = (isLatin ? undefined : /^Key([A-Z])$/.exec(code)?.[1]) ?? key;
  return shiftKey ? letter.toUpperCase() : letter.toLowerCase();
}

part("lines").addEventListener("keydown", (event) => {
  const { shiftKey, ctrlKey, metaKey, altKey } = event;
  const isCommand = ctrlKey || metaKey;
  const pressed = keyOf(event);
  const key = isCommand && pressed === "Z" ? "y" : pressed;
  if (altKey || (isCommand && !["a", "z", "y"].includes(key))) return;
  if (isCommand && key === "a") view.lines.selectAll();
  else if (!isCommand && Object.hasOwn(MARK_KEYS, key)) setMark(MARK_KEYS[key] ?? null);
  else {
    const action = ACTIONS[SAME[key] ?? key];
    if (action === undefined) return;
    action(shiftKey);
  }
  event.preventDefault();
});

for (const mark of [...MARKS, null]) {
  const button = make("button", mark ?? "no mark", { type: "button" });
  button.addEventListener("click", () => {
    setMark(mark);
    part("lines").focus({ preventScroll: true });
  });
  part("marks").append(button);
}
for (const [id, key] of [
  ["before", "p"],
  ["after", "n"],
  ["undo", "z"],
  ["redo", "y"],
  ["accept", "a"],
] as const)
  part(id).addEventListener("click", () => {
    ACTIONS[key]?.(false);
  });

const agreement = part<HTMLDetailsElement>("agreement");
agreement.addEventListener("toggle", () => {
  if (agreement.open)
    tell(
      showAgreement((key, line) => {
        tell(open(key, line));
      }),
    );
});
for (const name of ["comments-as", "only", "source"])
  part(name).addEventListener("change", () => {
    const query = {
      comments: part<HTMLSelectElement>("comments-as").value,
      only: part<HTMLSelectElement>("only").value,
      source: part<HTMLSelectElement>("source").value,
    };
    part<HTMLAnchorElement>("gold").href = `/api/gold?${new URLSearchParams(query).toString()}`;
  });

setInterval(() => {
  if (!document.hidden) marking.refresh().catch(() => undefined); // marks that cannot be saved show their own error
}, LOOK_MS);

tell(documents.refresh());
const named = decodeURIComponent(location.hash.slice(1));
if (named !== "") tell(open(named));
