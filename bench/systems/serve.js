/** Runs a JavaScript system as a long-lived process, which reads pages and writes texts as JSON lines, like python/serve.py. */
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";

/**
 * @typedef {{ id: string, url: string, lang: string, html?: string, lines?: string[] }} Request
 * @typedef {{ text: string, lines?: object[], pageType?: string } | { html: string } | { error: string } | { timeout: string } | { reject: string }} Result
 * `run` is timed; `toResult` converts its output to a message of the protocol, and is not timed.
 * @typedef {{ version: string, options: string, run: (request: Request) => unknown, toResult?: (output: unknown) => Result, close?: () => Promise<void> }} Loaded
 */

/** Returns the resident bytes now and at the peak, from the kernel, because maxRSS begins with the size of the parent. */
function readMemory() {
  try {
    const status = readFileSync("/proc/self/status", "utf8");
    const bytes = (field) => Number(new RegExp(`^${field}:\\s*(\\d+) kB`, "m").exec(status)?.[1]) * 1024;
    return { rss: bytes("VmRSS"), peak: bytes("VmHWM") };
  } catch {
    return { rss: process.memoryUsage().rss, peak: process.resourceUsage().maxRSS * 1024 };
  }
}

function cpuMs(since) {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1000;
}

async function runPage({ run, toResult = (output) => output }, request) {
  const startedAt = performance.now();
  const cpu = process.cpuUsage();
  let output;
  let crash;
  try {
    output = await run(request);
  } catch (error) {
    // Any error is a crash on this page, and not an empty text.
    crash = {
      error: error instanceof Error ? `${error.name}: ${error.message}`.slice(0, 500) : String(error),
    };
  }
  const cost = { cpuMs: cpuMs(cpu), wallMs: performance.now() - startedAt, ...readMemory() };
  return { ...(crash ?? toResult(output)), id: request.id, ...cost };
}

/**
 * Loads the system, writes that it is ready, and answers requests until stdin ends.
 * @param {() => Promise<Loaded>} load
 */
export async function serve(load) {
  const write = process.stdout.write.bind(process.stdout);
  // A system's own output must not get among the replies.
  process.stdout.write = process.stderr.write.bind(process.stderr);
  const reply = (message) => write(`${JSON.stringify(message)}\n`);
  let loaded;
  try {
    loaded = await load();
  } catch (error) {
    reply({ fatal: error instanceof Error ? error.message : String(error) });
    process.exitCode = 3;
    return;
  }
  const { version, options } = loaded;
  const runtime = `Node ${process.versions.node}`;
  reply({ ready: true, version, options: `${options}, ${runtime}`, cpuMs: cpuMs(), ...readMemory() });
  for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
    reply(await runPage(loaded, JSON.parse(line)));
  }
  await loaded.close?.();
}
