/** Sends marks to the server, one request after another, and keeps the waiting ones. */
import { Refused, send } from "./ask.js";
import { say, tell, warn } from "./parts.js";
import type { MarkReply, MarkRequest } from "./wire.js";

export interface MarkQueue {
  /** The requests that wait; the first of them is being sent. */
  readonly waiting: readonly MarkRequest[];
  add(request: MarkRequest): void;
  /** Removes the requests of a document that wait, while one of its requests is handled, and returns them. */
  drop(key: string): readonly MarkRequest[];
}

const AGAIN_MS = 800;

export function createMarkQueue(
  onReply: (request: MarkRequest, reply: MarkReply) => Promise<void>,
): MarkQueue {
  const waiting: MarkRequest[] = [];
  let isSending = false;
  /** Sends requests in the order in which the marks were made, because later ones build on earlier ones. */
  const flush = async (): Promise<void> => {
    if (isSending) return;
    isSending = true;
    let isRefused = false;
    try {
      for (let [first] = waiting; first !== undefined; [first] = waiting) {
        const reply = await sendOne(first, waiting);
        waiting.shift();
        if (reply === undefined) isRefused = true;
        else await onReply(first, reply);
      }
      say(isRefused ? "Not everything was saved." : "Saved.");
    } finally {
      isSending = false;
    }
  };
  addEventListener("beforeunload", (event) => {
    if (waiting.length > 0) event.preventDefault();
  });
  return {
    waiting,
    add(request) {
      waiting.push(request);
      tell(flush());
    },
    drop(key) {
      const all = waiting.splice(0);
      waiting.push(...all.filter((request) => request.key !== key));
      return all.filter((request) => request.key === key);
    },
  };
}

/** Returns undefined if the server refused the request; retries as long as that may help. */
async function sendOne(
  request: MarkRequest,
  waiting: readonly MarkRequest[],
): Promise<MarkReply | undefined> {
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
      warn(`Not saved yet: ${why}. Changes waiting in this window: ${waiting.length}; keep it open.`);
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    }
  }
}
