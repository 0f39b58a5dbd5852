/** Cleans pages in a process for another one, which may kill this one at any time and outlives it. */
import { on } from "node:events";
import { setImmediate } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { cleanRead, judgeUnseen, type Cleaned } from "../core/clean-page.js";
import type { Page } from "../document.js";
import type { LabellerChoice } from "../label/labeller-choice.js";
import { UsageError } from "../outcome.js";
import { openGuard, openLabellers, toCleanTools, type CleanerOptions } from "./cleaner.js";
import type { Answer, Question } from "./process.js";

type Clean = (page: Page) => Promise<Cleaned>;

/** In MB: it holds next to nothing. */
const WATCH_LIMITS = { maxYoungGenerationSizeMb: 1, maxOldGenerationSizeMb: 8 } as const;

const never = new AbortController().signal;

async function open(options: CleanerOptions): Promise<Clean> {
  const choice: LabellerChoice = await openLabellers(options);
  const guard = openGuard(options);
  const tools = toCleanTools(options, choice);
  return async (page) => {
    const judged = judgeUnseen(page);
    if (!judged.ok) return { outcome: judged, ms: 0 };
    const [read] = await guard.read([{ page: judged.value, signal: never }]);
    return cleanRead(page, read, tools);
  };
}

async function answer(page: Page, clean: Promise<Clean> | undefined): Promise<Answer> {
  try {
    if (clean === undefined) throw new Error("a page came before the options");
    return { cleaned: await (await clean)(page) };
  } catch (error) {
    const { message, stack } = error instanceof Error ? error : new Error(String(error));
    const isUsage = error instanceof UsageError;
    return { error: { message, isUsage, ...(stack === undefined ? {} : { stack }) } };
  }
}

/** Works on what it is sent, one page after another; the other process bounds how many pages that are. */
async function work(questions: AsyncIterable<readonly [Question]>): Promise<void> {
  let clean: Promise<Clean> | undefined;
  for await (const [question] of questions) {
    if ("options" in question) {
      clean = open(question.options);
      // What is wrong is told with the first page.
      await clean.catch(() => undefined);
      send({ hasStarted: true });
      continue;
    }
    // Answers leave, and signals are heard, between two pages.
    await setImmediate();
    send(await answer(question.page, clean));
  }
}

/** Without a channel there is no one to tell, and the process ends. */
function send(answer: Answer): void {
  if (process.connected) process.send?.(answer);
}

// The other process sends questions only.
const questions = on(process, "message") as AsyncIterable<[Question]>;
process.on("disconnect", () => process.kill(process.pid, "SIGKILL"));
new Worker(new URL("watch-parent.js", import.meta.url), { resourceLimits: WATCH_LIMITS }).unref();
// Ctrl-C goes to all processes of a terminal; the one that was asked for decides what becomes of the pages.
process.on("SIGINT", () => undefined);
await work(questions);
