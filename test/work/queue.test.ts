/** Tests the queue of waiting pages: which caller takes which, and what happens to pages that are given up. */
import { describe, expect, it } from "vitest";
import type { Page } from "../../src/document.js";
import { accept } from "../../src/outcome.js";
import { createQueue, type Asked } from "../../src/work/queue.js";

const never = new AbortController().signal;
const page = (id: string): Page => ({ id, url: "", content: { kind: "html", html: "" } });
const ids = (asked: readonly Asked[]): string => asked.map(({ page: { id } }) => id).join("");
const answer = (asked: Asked): void => {
  const document = { id: asked.page.id, url: "", source: "html", meta: {}, notes: [], lines: [] } as const;
  asked.resolve({ outcome: accept(document), ms: 1 });
};

describe("the queue", () => {
  it("returns pages in the order of arrival, and answers to the caller that asked", async () => {
    const queue = createQueue();
    const all = ["a", "b", "c"].map((id) => queue.ask(page(id), never));
    expect(queue.length).toBe(3);
    const taken = queue.take(2);
    expect(ids(taken)).toBe("ab");
    expect(ids(queue.take(9))).toBe("c");
    expect(queue.take(9)).toEqual([]);
    for (const asked of taken.reverse()) answer(asked);
    const [a, b] = await Promise.all(all.slice(0, 2));
    expect([a, b].map((cleaned) => cleaned?.outcome.ok === true && cleaned.outcome.value.id)).toEqual([
      "a",
      "b",
    ]);
  });

  it("skips unsuitable pages, and takes back pages that must be cleaned again", () => {
    const queue = createQueue();
    for (const id of "AbCdE") void queue.ask(page(id), never);
    const small = queue.take(2, ({ id }) => id === id.toLowerCase());
    expect(ids(small)).toBe("bd");
    const [first, ...others] = queue.take(2);
    expect(first?.page.id).toBe("A");
    queue.giveBack([...others, ...small]);
    expect(ids(queue.take(9))).toBe("CbdE");
    expect(queue.length).toBe(0);
  });

  it("notifies callers that gave up, and does not hand out their pages", async () => {
    const queue = createQueue();
    const giveUp = new AbortController();
    const gone = ["a", "b"].map((id) => queue.ask(page(id), giveUp.signal));
    void queue.ask(page("c"), never);
    giveUp.abort(new Error("enough"));
    expect(ids(queue.take(1))).toBe("c");
    for (const one of gone) await expect(one).rejects.toThrow("enough");
  });

  it("keeps no page after it is closed", async () => {
    const queue = createQueue();
    const waiting = queue.ask(page("a"), never);
    const working = queue.ask(page("b"), never);
    const [first, second] = queue.take(2);
    queue.giveBack(first === undefined ? [] : [first]);
    queue.close(new Error("closed"));
    await expect(waiting).rejects.toThrow("closed");
    queue.giveBack(second === undefined ? [] : [second]);
    await expect(working).rejects.toThrow("closed");
    await expect(queue.ask(page("c"), never)).rejects.toThrow("closed");
    expect(queue.length).toBe(0);
  });
});
