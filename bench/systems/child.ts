/**
 * Runs a program that speaks the benchmark's protocol as a system; if it throws, hangs or dies, only the current page
 * fails.
 */
import { Connection, type Command } from "./connection.js";
import { SystemUnavailable } from "./errors.js";
import { formatRequest, parseMessage, type PageResult } from "./protocol.js";
import { renderHtml } from "./render.js";
import type { GoldDocument } from "../corpora/gold.js";
import type { Cost, System, SystemOutput } from "./system.js";

export interface ChildOptions extends Command {
  readonly name: string;
  readonly takes: System["takes"];
  /** Wall-clock limit for one page, in milliseconds. */
  readonly timeoutMs?: number;
  /** What the user can do if it cannot start. */
  readonly advice?: string;
}

const PAGE_TIMEOUT_MS = 30_000;
const START_TIMEOUT_MS = 120_000;

interface Live {
  readonly connection: Connection;
  readonly describe: string;
  readonly start: Cost;
}

/**
 * Starts the process and waits until it is ready for pages. Throws SystemUnavailable if it cannot start. If the process
 * dies later, the next page starts it again.
 */
export async function createChildSystem(options: ChildOptions): Promise<System> {
  const { name, takes } = options;
  const first = await start(options);
  let live: Live | undefined = first;
  let last: Promise<unknown> = Promise.resolve();

  const run = async (document: GoldDocument): Promise<SystemOutput> => {
    if (live?.connection.isAlive !== true) {
      try {
        live = await start(options);
      } catch (error) {
        if (!(error instanceof SystemUnavailable)) throw error;
        return { ok: false, failure: "crash", detail: `did not start again: ${error.message}` };
      }
    }
    return runPage(live.connection, document, options.timeoutMs ?? PAGE_TIMEOUT_MS);
  };

  return {
    name,
    takes,
    describe: first.describe,
    start: first.start,
    run(document) {
      // One page at a time, in the order of the calls, so that the costs do not mix.
      const output = last.then(() => run(document));
      last = output.catch(() => undefined);
      return output;
    },
    async close() {
      await last;
      await live?.connection.close();
      live = undefined;
    },
  };
}

async function start(options: ChildOptions): Promise<Live> {
  const startedAt = performance.now();
  const connection = new Connection(options);
  const answer = await connection.ask("", START_TIMEOUT_MS);
  const wallMs = performance.now() - startedAt;
  const fail = async (why: string): Promise<never> => {
    await connection.close();
    throw new SystemUnavailable([`${options.name}: ${why}`, options.advice ?? ""].filter(Boolean).join("; "));
  };
  if (answer.kind === "timeout") return fail(`did not start within ${START_TIMEOUT_MS / 1000} s`);
  if (answer.kind === "died") return fail(`did not start (${answer.detail})`);
  const message = parseMessage(answer.line);
  if (message.kind === "fatal") return fail(message.why);
  if (message.kind !== "ready") return fail("answered before it was ready");
  const describe = `${message.version}: ${message.options}`;
  return { connection, describe, start: { ...message.cost, wallMs } };
}

async function runPage(
  connection: Connection,
  document: GoldDocument,
  timeoutMs: number,
): Promise<SystemOutput> {
  const startedAt = performance.now();
  const answer = await connection.ask(formatRequest(document), timeoutMs);
  if (answer.kind === "timeout") {
    const detail = `no answer within ${timeoutMs / 1000} s`;
    return { ok: false, failure: "timeout", detail, cost: { wallMs: timeoutMs } };
  }
  if (answer.kind === "died") {
    const cost = { wallMs: performance.now() - startedAt };
    return { ok: false, failure: "crash", detail: answer.detail, cost };
  }
  const message = parseMessage(answer.line);
  if (message.kind !== "page" || message.id !== document.id) {
    connection.kill();
    throw new Error(`asked for ${document.id}, but got ${answer.line.slice(0, 200)}`);
  }
  return toOutput(message.result, message.cost);
}

function toOutput(result: PageResult, cost: Cost): SystemOutput {
  switch (result.kind) {
    case "text": {
      const { text, lines, pageType } = result;
      return {
        ...{ ok: true, text, cost },
        ...(lines === undefined ? {} : { lines }),
        ...(pageType === undefined ? {} : { pageType }),
      };
    }
    case "html":
      return { ok: true, text: renderHtml(result.html), markup: { form: "html", source: result.html }, cost };
    case "markdown":
      return { ok: true, text: result.markdown, markup: { form: "markdown", source: result.markdown }, cost };
    case "fields":
      return { ok: true, text: "", fields: result.fields, cost };
    case "error":
      return { ok: false, failure: "crash", detail: result.detail, cost };
    case "timeout":
    case "reject":
      return { ok: false, failure: result.kind, detail: result.detail, cost };
  }
}
