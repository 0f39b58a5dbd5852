/** Keeps the marks of the shown document, sends each change to the server at once, and can undo it. */
import { ask } from "./ask.js";
import { askWhose } from "./conflict.js";
import { createMarkQueue } from "./mark-queue.js";
import { part, say } from "./parts.js";
import type { Change, Mark, MarkReply, MarkRequest, ShownDocument } from "./wire.js";

export interface Marked {
  readonly key: string;
  readonly digest: string;
  readonly marks: Map<number, Mark>;
}

/** The undo history, as this window knows it. */
interface Steps {
  readonly done: (readonly Change[])[];
  readonly undone: (readonly Change[])[];
}

export interface Marking {
  open(document: Pick<ShownDocument, "key" | "digest" | "marks" | "history">): void;
  markOf(line: number): Mark | undefined;
  readonly size: number;
  /** Lines that already have the mark are left unchanged. */
  set(lines: readonly number[], markOf: (line: number) => Mark | null): void;
  undo(): void;
  redo(): void;
  /** Loads marks that other windows have made. */
  refresh(): Promise<void>;
}

export function createMarking(onChange: (lines: readonly number[] | "all") => void): Marking {
  let now: Marked | undefined;
  const histories = new Map<string, Steps>();
  const queue = createMarkQueue(async (request, reply) => {
    if (reply.conflicts.length > 0) await settle(request, reply);
    else takeAll(request.key, reply.marks);
  });

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
    say("Saving …");
    queue.add({ key: now.key, digest: now.digest, changes });
    onChange(changes.map(({ line }) => line));
    showTools();
  };
  const takeAll = (key: string, marks: MarkReply["marks"]): void => {
    if (now?.key !== key || queue.waiting.some((request) => request.key === key)) return;
    const before = now.marks;
    now = { ...now, marks: toMap(marks) };
    if (before.size !== now.marks.size || [...before].some(([line, mark]) => now?.marks.get(line) !== mark))
      onChange("all");
  };
  const settle = async (
    { key, digest, changes }: MarkRequest,
    { conflicts, marks }: MarkReply,
  ): Promise<void> => {
    // Later changes expect marks that the server does not have, so all are sent again on top of the real marks.
    const later = queue.drop(key).flatMap((request) => request.changes);
    const isMine = await askWhose(conflicts);
    const disputed = new Set(conflicts.map(({ line }) => line));
    const mine = new Map([...changes, ...later].map(({ line, mark }) => [line, mark]));
    const again = [...mine]
      .filter(([line]) => isMine || !disputed.has(line))
      .map(([line, mark]) => ({ line, mark, was: marks[line] ?? null }));
    if (now?.key === key) {
      now = { ...now, marks: toMap(marks) };
      onChange("all");
      apply(again);
    } else if (again.length > 0) queue.add({ key, digest, changes: again });
  };

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
      // Waiting requests hold marks of this window that the server does not have yet.
      for (const request of queue.waiting) if (request.key === key) put(now.marks, request.changes);
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
      if (now === undefined || queue.waiting.length > 0) return;
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
