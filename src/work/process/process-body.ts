/** Cleans pages in a child process, which its parent may kill at any time and which ends with its parent. */
import { on } from "node:events";
import { setImmediate } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import type { Page } from "../../document.js";
import { UsageError } from "../../outcome.js";
import type { CleanerOptions } from "../cleaner-options.js";
import { createCleaning } from "../cleaning.js";
import type { Answer, Question } from "./process.js";
import { runSteadily } from "../run-steadily.js";
import { toError } from "../../thrown.js";

/** Limits in MB for the thread that watches the parent, which holds almost nothing. */
const WATCH_LIMITS = { maxYoungGenerationSizeMb: 1, maxOldGenerationSizeMb: 8 } as const;

const cleaning = createCleaning();

async function answer(page: Page, options: CleanerOptions | undefined): Promise<Answer> {
  try {
    if (options === undefined) throw new Error("a page came before the options");
    const clean = await cleaning(options);
    return { cleaned: await clean(page) };
  } catch (error) {
    const { message, stack } = toError(error);
    const isUsage = error instanceof UsageError;
    return { error: { message, isUsage, ...(stack === undefined ? {} : { stack }) } };
  }
}

/** Cleans the pages that are sent, one after another; the parent limits how many there are. */
async function work(questions: AsyncIterable<readonly [Question]>): Promise<void> {
  let usual: CleanerOptions | undefined;
  for await (const [question] of questions) {
    if ("options" in question) {
      usual = question.options;
      // An error is reported with the first page.
      await cleaning(usual).catch(() => undefined);
      send({ hasStarted: true });
      continue;
    }
    // Lets answers be sent and signals be handled between two pages.
    await setImmediate();
    send(await answer(question.page, question.by ?? usual));
  }
}

/** Sends an answer, unless the channel is closed: then no parent is listening, and this process ends. */
function send(answer: Answer): void {
  if (process.connected) process.send?.(answer);
}

runSteadily();
// The parent sends only questions.
const questions = on(process, "message") as AsyncIterable<[Question]>;
process.on("disconnect", () => process.kill(process.pid, "SIGKILL"));
new Worker(new URL("watch-parent.js", import.meta.url), { resourceLimits: WATCH_LIMITS }).unref();
// Ctrl-C goes to all processes of a terminal, and the signal that ends a service to all of its processes. Only the
// parent decides what becomes of the pages.
process.on("SIGINT", () => undefined);
process.on("SIGTERM", () => undefined);
await work(questions);
