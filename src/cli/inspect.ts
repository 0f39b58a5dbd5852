/** Defines `thresher inspect INPUT…`, which shows documents and scores in a browser, and saves marks as gold. */
import { spawn } from "node:child_process";
import { userInfo } from "node:os";
import { InvalidArgumentError, Option, type Command } from "commander";
import { tellCount } from "../count.js";
import { EXIT, UsageError } from "../outcome.js";
import type { Corpus, InspectOptions } from "../inspect/web/server.js";
import { openByName } from "../write/files/gzip.js";
import { addOptionFlags, readOptionFlags } from "./options/option-flags.js";
import { createSay, readProxiesFor, untilStopped, type Io } from "./io.js";
import { parsePort } from "./options/parse-option.js";
import { tellNoEffect } from "./options/unheard-flags.js";
import { checkPlaces, identify, lookAt } from "./run/check-places.js";
import { stackOf } from "../thrown.js";

const NOTES = `
INPUT is the output of "thresher clean --keep-boilerplate -o all.jsonl", or pages, directories, web archives or
tables, which are cleaned first. If the page is available, it is shown beside its lines.

The printed address contains a secret token: anyone who has it can read and mark. The server only accepts connections
from this machine. Marks are written at once, only to the journal: beside the first input (INPUT.marks.jsonl), or
--gold.

Examples:
  thresher inspect pages/                                       look at pages, and mark their lines
  thresher inspect all.jsonl --annotator bob                    a second annotator; agreement is shown
  thresher inspect all.jsonl --export gold.jsonl                write the marks as gold, and exit
  thresher bench --corpus gold.jsonl --systems page text        measure with it
  thresher train gold.jsonl -o my-model                         train on it
`;

const DEFAULT_LABEL = "boilerplate";
const DEFAULT_STATE = "begun";

interface InspectFlags {
  readonly port: number;
  readonly open?: boolean;
  readonly gold?: string;
  readonly annotator: string;
  readonly export?: string;
  readonly commentsAs: "content" | "boilerplate";
  readonly only: "begun" | "done";
  readonly source: boolean;
}

export function addInspectCommand(program: Command, io: Io, finish: (code: number) => void): Command {
  const command = program
    .command("inspect")
    .summary("look at documents in a browser: lines, scores, cuts; mark lines, save gold")
    .description(
      "Shows documents in a browser, each line with its score, and saves your labels of the lines as gold.",
    )
    .usage("INPUT… [options]")
    .argument("<inputs...>", "records with all lines, pages, directories, archives")
    .addOption(new Option("--port <n>", "the port").argParser(parsePort).default(0, "any that is free"))
    .option("--open", "open the address in a browser")
    .option("--no-open", "only print it (the default)")
    .option("--gold <file>", "the journal of marks; continued if it exists (beside the first input)")
    .option("--annotator <name>", "the name of the annotator", parseName, nameUser())
    .option("--export <file>", "write this annotator's marks as gold (to stdout with -), and exit")
    .addOption(
      new Option("--comments-as <label>", "the label of readers' comments in exported gold")
        .choices(["content", "boilerplate"])
        .default(DEFAULT_LABEL),
    )
    .addOption(
      new Option(
        "--only <state>",
        "which documents to export: all that were begun, or only those that are done",
      )
        .choices(["begun", "done"])
        .default(DEFAULT_STATE),
    )
    .option("--no-source", "leave the source of pages out of exported gold");
  return addOptionFlags(addOptionFlags(command, "text"), "run")
    .helpOption("-h, --help", "print this help")
    .addHelpText("after", NOTES)
    .action(async (inputs: string[], flags: InspectFlags) => {
      // A shell pattern may match journals, too.
      finish(
        await inspect(
          inputs.filter((input) => !input.endsWith(JOURNAL_END)),
          flags,
          io,
        ),
      );
    });
}

function parseName(value: string): string {
  const name = value.trim();
  if (name === "" || name.length > 100 || /\p{Cc}/u.test(name))
    throw new InvalidArgumentError("It must be a name of up to 100 characters.");
  return name;
}

/** Returns the name of the user's account; "me" if it has no name. */
function nameUser(): string {
  try {
    return userInfo().username || "me";
  } catch {
    return "me"; // an account without an entry
  }
}

async function inspect(inputs: readonly string[], flags: InspectFlags, io: Io): Promise<number> {
  if (inputs.length === 0)
    throw new UsageError("the inputs are journals of marks; give the documents that were marked");
  if (inputs.includes("-"))
    throw new UsageError("inspect reads its inputs more than once, so it cannot read stdin");
  const pipe = inputs.find((input) => lookAt(input)?.isFIFO() === true);
  if (pipe !== undefined)
    throw new UsageError(`inspect reads its inputs more than once, so it cannot read the pipe ${pipe}`);
  const proxy = readProxiesFor(inputs);
  const options: InspectOptions = {
    ...{ inputs, port: flags.port, annotator: flags.annotator },
    ...(proxy && { proxy }),
    journal: flags.gold ?? nameJournal(inputs),
    clean: readOptionFlags(flags as unknown as Readonly<Record<string, unknown>>), // values that commander parsed
  };
  const say = createSay(io);
  const onBug = (error: unknown): void => {
    say(stackOf(error));
  };
  const tools = { signal: io.signal, say, onBug };
  const { startInspector, openCorpus } = await import("../inspect/web/server.js");
  if (flags.export !== undefined) {
    await checkExport(flags.export, options, io.signal);
    const corpus = await openCorpus(options, tools);
    try {
      await corpus.whole;
      return await writeGold(corpus, { ...flags, export: flags.export }, { io, say });
    } finally {
      await corpus.close();
    }
  }
  for (const flag of findUnheard(flags)) say(tellNoEffect(flag, "--export"));
  const inspecting = await startInspector(options, tools);
  say(`marks are saved in ${options.journal}`);
  say(`open ${inspecting.url}`);
  if (flags.open === true) openBrowser(inspecting.url, say);
  await untilStopped(io.signal);
  await inspecting.stop();
  return EXIT.done;
}

/** Lists the flags that only affect exported gold. */
function findUnheard({ commentsAs, only, source }: InspectFlags): string[] {
  return [
    ...(commentsAs === DEFAULT_LABEL ? [] : ["--comments-as"]),
    ...(only === DEFAULT_STATE ? [] : ["--only"]),
    ...(source ? [] : ["--no-source"]),
  ];
}

/** Exported gold replaces an existing file, which must not be an input or the journal with all annotators' marks. */
async function checkExport(
  path: string,
  { inputs, journal }: Pick<InspectOptions, "inputs" | "journal">,
  signal: AbortSignal,
): Promise<void> {
  if (path === "-") return;
  await checkPlaces({ export: path }, inputs, signal);
  const file = identify(path);
  if (file !== undefined && file === identify(journal))
    throw new UsageError(`--export would overwrite the journal of marks ${journal}`);
}

async function writeGold(
  { catalog, annotations }: Corpus,
  flags: InspectFlags & { readonly export: string },
  { io, say }: { readonly io: Io; readonly say: (sentence: string) => void },
): Promise<number> {
  const { exportGold } = await import("../inspect/annotate/export-gold.js");
  const sink = await openByName(flags.export, io.stdout);
  let documents = 0;
  try {
    for await (const row of exportGold(catalog, annotations, {
      ...{ annotator: flags.annotator, comments: flags.commentsAs, only: flags.only },
      source: flags.source ? "with" : "without",
    })) {
      await sink.write(row);
      documents += 1;
    }
    if (documents === 0) {
      await sink.discard();
      const others = annotations.annotators.join(", ");
      const marked = others === "" ? "the journal has no marks" : `annotators: ${others}`;
      say(`${flags.annotator} has marked nothing (${marked})`);
      return EXIT.nothing;
    }
    await sink.close();
  } catch (error) {
    await sink.discard();
    throw error;
  }
  say(tellCount(documents, "document"));
  return EXIT.done;
}

const JOURNAL_END = ".marks.jsonl";

/** Returns the journal's path beside the first input. Throws UsageError for an address or a pattern. */
function nameJournal([first = ""]: readonly string[]): string {
  if (/^https?:/i.test(first))
    throw new UsageError("give a journal of marks with --gold, because the input is an address");
  if (/[*?[\]{}]/.test(first))
    throw new UsageError("give a journal of marks with --gold, because the input is a pattern");
  return `${first.replace(/[/\\]+$/, "")}${JOURNAL_END}`;
}

/**
 * Programs that open an address, by system. Windows' own `explorer` opens a folder if an address has a query, as ours
 * has.
 */
const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly [program: string, ...words: string[]]>>> = {
  darwin: ["open"],
  win32: ["rundll32", "url.dll,FileProtocolHandler"],
};

function openBrowser(url: string, say: (sentence: string) => void): void {
  const [program, ...words] = OPENERS[process.platform] ?? ["xdg-open"];
  const child = spawn(program, [...words, url], { stdio: "ignore", detached: true });
  child.once("error", () => {
    say("no browser could be started; open the address yourself");
  });
  child.unref();
}
