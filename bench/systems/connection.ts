/**
 * Sends requests to the process of one system and reads its replies, one at a time; kills the process when it hangs.
 */
import { spawn, type ChildProcess } from "node:child_process";
import { StringDecoder } from "node:string_decoder";

export interface Command {
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

export type Answer =
  | { readonly kind: "line"; readonly line: string }
  | { readonly kind: "timeout" }
  /** The process has ended; `detail` says how, with the last line of its stderr. */
  | { readonly kind: "died"; readonly detail: string };

/** A longer reply kills the process: no page has that much text, and the reply is held in memory. */
const MAX_REPLY_CHARS = 200_000_000;
const STDERR_TAIL_CHARS = 2000;
/** How long a process may take to exit after its stdin is closed, in milliseconds. */
const LEAVE_MS = 2000;

/** The processes that are running, which are killed when this process exits. */
const running = new Set<ChildProcess>();
let isWatchingExit = false;

export class Connection {
  readonly #child: ChildProcess;
  readonly #decoder = new StringDecoder("utf8");
  #partial: string[] = [];
  #partialChars = 0;
  #stderr = "";
  #end: Answer | undefined;
  #settle: ((answer: Answer) => void) | undefined;

  constructor({ command, args, env }: Command) {
    this.#child = spawn(command, args, {
      stdio: ["pipe", "pipe", "pipe"],
      env: { ...process.env, ...env },
    });
    keepTrack(this.#child);
    this.#child.stdout?.on("data", (chunk: Buffer) => {
      this.#read(this.#decoder.write(chunk));
    });
    this.#child.stderr?.on("data", (chunk: Buffer) => {
      this.#stderr = (this.#stderr + chunk.toString()).slice(-STDERR_TAIL_CHARS);
    });
    // A write to a process that has just died fails; the "close" event reports its end.
    this.#child.stdin?.on("error", () => undefined);
    this.#child.on("error", (error) => {
      this.#finish(error.message);
    });
    this.#child.on("close", (code, signal) => {
      this.#finish(signal === null ? `exit code ${String(code)}` : `signal ${signal}`);
    });
  }

  /** Whether the process can still take requests. */
  get isAlive(): boolean {
    return this.#end === undefined;
  }

  /**
   * Writes `line`, which ends with a newline ("" writes nothing), and waits for one line of reply. On a timeout it
   * kills the process.
   */
  ask(line: string, timeoutMs: number): Promise<Answer> {
    if (this.#end !== undefined) return Promise.resolve(this.#end);
    return new Promise((resolve) => {
      let last: NodeJS.Immediate | undefined;
      const clock = setTimeout(() => {
        // The reply may have come while this process was busy; Node.js reads it before it runs an immediate.
        last = setImmediate(() => {
          this.kill({ kind: "timeout" });
        });
      }, timeoutMs);
      this.#settle = (answer) => {
        clearTimeout(clock);
        clearImmediate(last);
        this.#settle = undefined;
        resolve(answer);
      };
      if (line !== "") this.#child.stdin?.write(line);
    });
  }

  kill(why: Answer = { kind: "died", detail: "killed" }): void {
    this.#child.kill("SIGKILL");
    this.#end ??= why;
    this.#settle?.(this.#end);
  }

  /** Closes stdin and waits until the process has exited; kills it if it takes more than `LEAVE_MS`. */
  async close(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    await new Promise<void>((resolve) => {
      const clock = setTimeout(() => {
        this.#child.kill("SIGKILL");
      }, LEAVE_MS);
      const leave = (): void => {
        clearTimeout(clock);
        resolve();
      };
      this.#child.once("exit", leave);
      this.#child.once("error", leave);
      this.#child.stdin?.end();
    });
  }

  #read(text: string): void {
    this.#partial.push(text);
    this.#partialChars += text.length;
    if (this.#partialChars > MAX_REPLY_CHARS) {
      this.kill({ kind: "died", detail: `a reply of more than ${MAX_REPLY_CHARS} characters` });
      return;
    }
    if (!text.includes("\n")) return;
    const lines = this.#partial.join("").split("\n");
    const rest = lines.pop() ?? "";
    this.#partial = [rest];
    this.#partialChars = rest.length;
    // Each request gets one reply, so normally there is one line. Of several, the last one is the reply.
    this.#settle?.({ kind: "line", line: lines.at(-1) ?? "" });
  }

  #finish(how: string): void {
    const last = this.#stderr.trim().split("\n").at(-1) ?? "";
    this.#end ??= { kind: "died", detail: last === "" ? how : `${how}: ${last.slice(-300)}` };
    this.#settle?.(this.#end);
  }
}

function keepTrack(child: ChildProcess): void {
  running.add(child);
  child.once("close", () => running.delete(child));
  if (isWatchingExit) return;
  isWatchingExit = true;
  process.once("exit", () => {
    for (const left of running) left.kill("SIGKILL");
  });
}
