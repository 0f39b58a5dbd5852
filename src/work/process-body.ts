/** The body of a process that cleans pages for another one, which may kill it at any time and outlives it. */
import type { LabellerChoice } from "../label/labeller-choice.js";
import { UsageError } from "../outcome.js";
import { createCleaner, openLabellers, type Cleaner, type CleanerOptions } from "./cleaner.js";
import type { Answer, Question } from "./process.js";

const never = new AbortController().signal;
let cleaner: Promise<Cleaner> | undefined;
let answered = Promise.resolve();

async function open(options: CleanerOptions): Promise<Cleaner> {
  const choice: LabellerChoice = await openLabellers(options);
  return createCleaner(options, choice);
}

async function answer(question: Extract<Question, { readonly page: unknown }>): Promise<Answer> {
  try {
    if (cleaner === undefined) throw new Error("a page came before the options");
    return { cleaned: await (await cleaner).clean(question.page, never) };
  } catch (error) {
    const { message, stack } = error instanceof Error ? error : new Error(String(error));
    const isUsage = error instanceof UsageError;
    return { error: { message, isUsage, ...(stack === undefined ? {} : { stack }) } };
  }
}

function listen(question: Question): void {
  if ("options" in question) {
    cleaner = open(question.options);
    cleaner.catch(() => undefined); // told with the first page
    return;
  }
  answered = answered.then(async () => {
    send(await answer(question));
  });
}

/** Without a channel nobody is left to be told, and the process ends. */
function send(answer: Answer): void {
  if (process.connected) process.send?.(answer);
}

process.on("message", listen);
process.on("disconnect", () => process.exit());
// Ctrl-C goes to all processes of a terminal; the one that was asked for decides what becomes of the pages.
process.on("SIGINT", () => undefined);
send({ hasStarted: true });
