/** Runs the command line in this process, with its streams, signals and exit code. */
import { EXIT } from "../outcome.js";
import { runSteadily } from "../work/run-steadily.js";
import { hasReaderGone } from "../write/files/sink.js";
import { createClosed, isStdoutClosed } from "./closed-stdout.js";
import { createMessages } from "./io.js";
import { main } from "./main.js";

/** Never rejects. The process ends as soon as stdout and stderr are flushed. */
export async function runProcess(): Promise<void> {
  runSteadily();
  const interrupt = new AbortController();
  const onSignal = (): void => {
    // A second Ctrl-C ends the process at once.
    if (interrupt.signal.aborted) process.exit(EXIT.interrupted);
    interrupt.abort();
  };
  process.on("SIGINT", onSignal);
  process.on("SIGTERM", onSignal);
  // If stderr is closed or its disk is full, messages are lost and the work goes on.
  process.stderr.on("error", () => undefined);
  const stderr = createMessages(process.stderr);
  const stdout = isStdoutClosed() ? createClosed() : process.stdout;
  // Not every write goes through a sink, which checks for errors itself.
  let lost: NodeJS.ErrnoException | undefined;
  stdout.on("error", (error: NodeJS.ErrnoException) => (lost ??= error));
  let code = await main(process.argv.slice(2), {
    stdin: process.stdin,
    stdout,
    stderr,
    signal: interrupt.signal,
  });
  await new Promise((resolve) => setImmediate(resolve));
  // A pipe's reader may close it early (`| head`).
  if (code === EXIT.done && lost !== undefined && !hasReaderGone(lost)) {
    stderr.write(`thresher: cannot write stdout: ${lost.message}\n`);
    code = EXIT.cannotWrite;
  }
  stderr.write("", () => {
    process.exit(code);
  });
}
