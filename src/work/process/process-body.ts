/** Cleans pages in a process for another one, which may kill this one at any time and outlives it. */
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

/** In MB: it holds next to nothing. */
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

/** Works on what it is sent, one page after another; the other process bounds how many pages that are. */
async function work(questions: AsyncIterable<readonly [Question]>): Promise<void> {
  let usual: CleanerOptions | undefined;
  for await (const [question] of questions) {
    if ("options" in question) {
      usual = question.options;
      // What is wrong is told with the first page.
      await cleaning(usual).catch(() => undefined);
      send({ hasStarted: true });
      continue;
    }
    // Answers leave, and signals are heard, between two pages.
    await setImmediate();
    send(await answer(question.page, question.by ?? usual));
  }
}

/** Without a channel there is no one to tell, and the process ends. */
function send(answer: Answer): void {
  if (process.connected) process.send?.(answer);
}

runSteadily();
// The other process sends questions only.
const questions = on(process, "message") as AsyncIterable<[Question]>;
process.on("disconnect", () => process.kill(process.pid, "SIGKILL"));
new Worker(new URL("watch-parent.js", import.meta.url), { resourceLimits: WATCH_LIMITS }).unref();
// Ctrl-C goes to all processes of a terminal, and what ends a service to all of it; the one that was asked for decides what
// becomes of the pages.
process.on("SIGINT", () => undefined);
process.on("SIGTERM", () => undefined);
await work(questions);
