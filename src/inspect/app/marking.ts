/** Keeps the marks of the document that is shown, sends each change to the server at once, and can take it back. */
import { ask, Refused, send } from "./ask.js";
import { make, part, say, tell, warn } from "./parts.js";
import type { Change, Conflict, Mark, MarkReply, MarkRequest, ShownDocument } from "./wire.js";

export interface Marked {
  readonly key: string;
  readonly digest: string;
  readonly marks: Map<number, Mark>;
}

/** As this window knows it. */
interface Steps {
  readonly done: (readonly Change[])[];
  readonly undone: (readonly Change[])[];
}

export interface Marking {
  open(document: Pick<ShownDocument, "key" | "digest" | "marks" | "history">): void;
  markOf(line: number): Mark | undefined;
  readonly size: number;
  /** Lines that already have the mark stay as they are. */
  set(lines: readonly number[], markOf: (line: number) => Mark | null): void;
  undo(): void;
  redo(): void;
  /** Takes in what other windows have marked. */
  refresh(): Promise<void>;
}

const AGAIN_MS = 800;

export function createMarking(onChange: (lines: readonly number[] | "all") => void): Marking {
  let now: Marked | undefined;
  const histories = new Map<string, Steps>();
  const queue: MarkRequest[] = [];
  let isSending = false;

  const historyOf = (key: string): Steps => {
    const known = histories.get(key) ?? { done: [], undone: [] };
    histories.set(key, known);
    return known;
  };
  const showTools = (): void => {
    const history = now === undefined ? undefined : historyOf(now.key);
    part<HTMLButtonElement>("undo").disabled = (history?.done.length ?? 0) === 0;
    part<HTMLButtonElement>("redo").disabled = (history?.undone.length ?? 0) === 0;
  };
  const apply = (changes: readonly Change[]): void => {
    if (now === undefined || changes.length === 0) return;
    put(now.marks, changes);
    queue.push({ key: now.key, digest: now.digest, changes });
    say("Saving …");
    onChange(changes.map(({ line }) => line));
    showTools();
    tell(flush());
  };
  const takeAll = (key: string, marks: MarkReply["marks"]): void => {
    if (now?.key !== key || queue.some((request) => request.key === key)) return;
    const before = now.marks;
    now = { ...now, marks: toMap(marks) };
    if (before.size !== now.marks.size || [...before].some(([line, mark]) => now?.marks.get(line) !== mark))
      onChange("all");
  };
  /** One after another: the order in which they were made is what they mean. */
  const flush = async (): Promise<void> => {
    if (isSending) return;
    isSending = true;
    try {
      for (let [first] = queue; first !== undefined; [first] = queue) {
        const reply = await sendOne(first);
        queue.shift();
        if (reply === undefined) continue;
        if (reply.conflicts.length > 0) await settle(first, reply);
        else takeAll(first.key, reply.marks);
      }
      say("Saved.");
    } finally {
      isSending = false;
    }
  };
  /** Undefined where the server refused it. */
  const sendOne = async (request: MarkRequest): Promise<MarkReply | undefined> => {
    for (;;) {
      try {
        const reply = await send<MarkReply>("/api/mark", request);
        warn("");
        return reply;
      } catch (error) {
        if (error instanceof Refused && !error.mayPass) {
          warn(`Not saved: ${error.message}`);
          return undefined;
        }
        const why = error instanceof Refused ? error.message : "the server does not answer";
        warn(`Not saved yet: ${why}. ${queue.length} changes wait in this window; keep it open.`);
        await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
      }
    }
  };
  const settle = async (
    { key, digest, changes }: MarkRequest,
    { conflicts, marks }: MarkReply,
  ): Promise<void> => {
    // Later changes built on marks that are not so; they are asked for again on top of what is.
    const later = queue.splice(0).filter((request) => request.key !== key);
    queue.push(...later);
    const isMine = await askWhose(conflicts);
    if (now?.key === key) {
      now = { ...now, marks: toMap(marks) };
      onChange("all");
    }
    if (!isMine) return;
    const again = changes.map(({ line, mark }) => ({ line, mark, was: marks[line] ?? null }));
    if (now?.key === key) apply(again);
    else queue.push({ key, digest, changes: again });
  };

  addEventListener("beforeunload", (event) => {
    if (queue.length > 0) event.preventDefault();
  });
  const step = (from: keyof Steps, to: keyof Steps): void => {
    if (now === undefined) return;
    const history = historyOf(now.key);
    const changes = history[from].pop();
    if (changes === undefined) return;
    const { marks } = now;
    const back = changes.map(({ line, was }) => ({ line, mark: was, was: marks.get(line) ?? null }));
    history[to].push(back);
    apply(back);
  };
  return {
    open({ key, digest, marks, history }) {
      now = { key, digest, marks: toMap(marks) };
      // A window that has shown the document before knows its own steps.
      if (!histories.has(key)) histories.set(key, { done: [...history.done], undone: [...history.undone] });
      // What waits was marked here and is on its way.
      for (const request of queue) if (request.key === key) put(now.marks, request.changes);
      showTools();
    },
    markOf: (line) => now?.marks.get(line),
    get size() {
      return now?.marks.size ?? 0;
    },
    set(lines, markOf) {
      if (now === undefined) return;
      const { marks, key } = now;
      const changes = lines
        .map((line) => ({ line, was: marks.get(line) ?? null, mark: markOf(line) }))
        .filter(({ was, mark }) => was !== mark);
      if (changes.length === 0) return;
      const history = historyOf(key);
      history.done.push(changes);
      history.undone.length = 0;
      apply(changes);
    },
    undo() {
      step("done", "undone");
    },
    redo() {
      step("undone", "done");
    },
    async refresh() {
      if (now === undefined || queue.length > 0) return;
      const { key } = now;
      takeAll(key, (await ask<MarkReply>("/api/marks", { key })).marks);
    },
  };
}

function put(marks: Map<number, Mark>, changes: readonly Change[]): void {
  for (const { line, mark } of changes)
    if (mark === null) marks.delete(line);
    else marks.set(line, mark);
}

function toMap(marks: MarkReply["marks"]): Map<number, Mark> {
  return new Map(Object.entries(marks).map(([line, mark]) => [Number(line), mark]));
}

/** Conflicts that are shown one by one. */
const MOST_SHOWN = 30;

/** Whether this window's marks count. */
function askWhose(conflicts: readonly Conflict[]): Promise<boolean> {
  const dialog = part<HTMLDialogElement>("conflict");
  say("Another window has marked otherwise.");
  const items = conflicts
    .slice(0, MOST_SHOWN)
    .map(({ line, theirs, yours }) =>
      make("li", `Line ${line + 1}: ${yours ?? "no mark"} here, ${theirs ?? "no mark"} there`),
    );
  if (conflicts.length > MOST_SHOWN) items.push(make("li", `and ${conflicts.length - MOST_SHOWN} more`));
  dialog.querySelector("ul")?.replaceChildren(...items);
  dialog.showModal();
  return new Promise((resolve) => {
    const close = (isMine: boolean) => (): void => {
      dialog.close();
      resolve(isMine);
    };
    part("mine").onclick = close(true);
    part("theirs").onclick = close(false);
    dialog.oncancel = (event) => {
      event.preventDefault(); // one of the two has to be chosen
    };
  });
}
