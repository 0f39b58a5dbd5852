/** Defines `thresher serve`, which cleans documents that programs send over HTTP, and its help. */
import { InvalidArgumentError, Option, type Command } from "commander";
import { dropsCopies } from "../../filter/options.js";
import { EXIT, UsageError } from "../../outcome.js";
import { parseUrl } from "../../parse-url.js";
import type { ServeOptions } from "../../serve/options.js";
import { VERSION } from "../../version.js";
import { addTextFlags, type CleanFlags } from "../options/clean-flags.js";
import { givesDedupMemory } from "../options/unheard-flags.js";
import { explainReasons } from "../clean.js";
import { addOptionFlags, explainFilters, hideOptions } from "../options/option-flags.js";
import { namesProxy } from "../../acquire/http/proxies.js";
import { createSay, readWhole, untilStopped, type Io } from "../io.js";
import { parseCount, parseDuration, parseNumber, parsePort, parseWord } from "../options/parse-option.js";
import { createOrderReader } from "./request-options.js";
import { messageOf, stackOf } from "../../thrown.js";

/** The options as commander returns them. */
export interface ServeFlags extends CleanFlags {
  readonly host: string;
  readonly port: number;
  readonly queue: number;
  readonly streams: number;
  readonly arrival: number;
  readonly grace: number;
  readonly tokenFile?: string;
  readonly cors?: string;
  readonly allowFetch?: boolean;
  readonly allowPrivate?: boolean;
}

/** The variable that may hold the token, so that it is not visible in process lists. */
const TOKEN_VARIABLE = "THRESHER_TOKEN";

export function addServeCommand(program: Command, io: Io, finish: (code: number) => void): void {
  const command = program
    .command("serve")
    .summary("an HTTP service for other programs")
    .description("Cleans pages that programs send over HTTP, until it is stopped.")
    .usage("[options]");
  addServerFlags(command);
  addOptionFlags(addTextFlags(command), "run");
  hideOptions(command, /^--dedup/);
  command
    .helpOption("-h, --help", "print this help")
    .addHelpText("after", explainServe)
    .action(async (flags: ServeFlags) => {
      finish(await serve(flags, io));
    });
}

function addServerFlags(command: Command): void {
  const timed = (flag: string, says: string, ms: number, shown: string): Option =>
    new Option(flag, says).argParser(parseDuration).default(ms, shown);
  command
    .option(
      "--host <address>",
      "the address to listen on; 0.0.0.0 accepts other machines",
      parseWord,
      "127.0.0.1",
    )
    .addOption(new Option("--port <n>", "the port; 0 chooses a free one").argParser(parsePort).default(8080))
    .option(
      "--queue <n>",
      "requests that may wait for a worker; further ones get 503 (try again)",
      parseNumber,
      64,
    )
    .option("--streams <n>", "streams at the same time", parseCount, 8)
    .addOption(
      timed(
        "--arrival <time>",
        "time limit for a request's header, for its body or each line of a stream, and for reading its answer",
        30_000,
        "30s",
      ),
    )
    .addOption(timed("--grace <time>", "time for requests to end when the server is stopped", 10_000, "10s"))
    .option("--token-file <file>", `ask for the token in this file, or in the variable ${TOKEN_VARIABLE}`)
    .option(
      "--cors <origin>",
      "allow requests from pages of this origin, such as https://example.org, or *",
      parseOrigin,
    )
    .option("--allow-fetch", "fetch the page of a record that has only a url; only from public addresses")
    .option("--allow-private", "with --allow-fetch: also fetch from private and local addresses");
}

function parseOrigin(value: string): string {
  if (value === "*" || parseUrl(value)?.origin === value) return value;
  throw new InvalidArgumentError("It must be * or an origin such as https://example.org, without a path.");
}

const HELP = `
Endpoints:
  POST /clean          one document: HTML, text, bytes, or JSON {html|text|lines|bytes, url, id, options}
  POST /clean/stream   JSON Lines in, JSON Lines out, in order
  GET  /health  /metrics (Prometheus)  /openapi.json

Examples:
  thresher serve                                      on 127.0.0.1, port 8080
  thresher serve --port 0 -j 4 --focus precision      any free port, four workers
  curl -H 'content-type: text/html' --data-binary @page.html localhost:8080/clean?to=markdown

The options above are the defaults of requests. A request can set most of them in its query (?focus=recall&links) or,
in JSON, in "options". It can ask for less than --max-bytes and --timeout, but not for more. Ctrl-C or SIGTERM stops
the server: it answers open requests for at most --grace; a second signal ends it at once.
`;

const EXIT_CODES = `
Exit codes: 0 stopped, 2 wrong usage, or the address is taken.
`;

function explainServe(): string {
  return `${HELP}${explainFilters()}${explainReasons()}${EXIT_CODES}`;
}

async function serve(flags: ServeFlags, io: Io): Promise<number> {
  checkFlags(flags);
  const options = await toServeOptions(flags, io);
  // Loaded here, so that other commands do not load the server.
  const { startServer } = await import("../../serve/server.js");
  const say = createSay(io);
  const serving = await startServer(options, {
    orders: createOrderReader(flags),
    onBug: (error) => {
      say(stackOf(error));
    },
  });
  if (!isLoopback(options.host) && options.token === undefined)
    say(`anyone who can reach ${serving.url} can use it: there is no token (--token-file)`);
  if (options.fetch !== undefined && namesProxy(process.env))
    say(
      "pages are fetched without the proxy of HTTP_PROXY or HTTPS_PROXY: no address could be checked behind it",
    );
  say(`listening on ${serving.url}`);
  await untilStopped(io.signal);
  say("stopping");
  await serving.stop();
  return EXIT.done;
}

function checkFlags(flags: ServeFlags): void {
  const { allowFetch, allowPrivate } = flags;
  if (allowPrivate === true && allowFetch !== true)
    throw new UsageError("--allow-private needs --allow-fetch");
  if (dropsCopies(flags) || givesDedupMemory(flags))
    throw new UsageError(
      "--dedup, --dedup-lines and --dedup-memory are for the documents of one run, but a server has no runs",
    );
}

async function toServeOptions(flags: ServeFlags, io: Io): Promise<ServeOptions> {
  const { host, port, queue, streams, arrival, grace, cors, jobs, maxBytes, timeout } = flags;
  const token = await readToken(flags.tokenFile, io);
  return {
    ...{ host, port, queue, streams, maxBytes },
    workers: jobs,
    timeoutMs: timeout,
    arrivalMs: arrival,
    graceMs: grace,
    version: VERSION,
    ...(token === undefined ? {} : { token }),
    ...(cors === undefined ? {} : { cors }),
    ...(flags.allowFetch === true ? { fetch: flags.allowPrivate === true ? "any" : "public" } : {}),
  };
}

/** Throws UsageError if the token cannot be read, cannot be sent in a header, or is named twice. */
async function readToken(file: string | undefined, io: Io): Promise<string | undefined> {
  const variable = process.env[TOKEN_VARIABLE];
  if (file !== undefined && variable !== undefined)
    throw new UsageError(`--token-file and ${TOKEN_VARIABLE} both give a token; leave one out`);
  if (file === undefined && variable === undefined) return undefined;
  const token = (variable ?? (await readTokenFile(file ?? "", io))).trim();
  if (/^[\x21-\x7e]+$/.test(token)) return token;
  const where = file ?? TOKEN_VARIABLE;
  throw new UsageError(`${where} holds no token: a token is one word of letters, digits and signs`);
}

async function readTokenFile(file: string, { signal }: Io): Promise<string> {
  try {
    return (await readWhole(file, signal)).toString("utf8");
  } catch (cause) {
    signal.throwIfAborted();
    throw new UsageError(`the token in ${file} cannot be read: ${messageOf(cause)}`, { cause });
  }
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || host.startsWith("127.");
}
